import { controlClient } from '../../platform/control/control-client.ts';
import { platformDirectory } from '../up/choose-directory.ts';
import { clustersForScripts, clustersText, type Status } from '../up/summary.ts';

interface Options {
  readonly dir?: string;
  readonly output: 'table' | 'json';
}

/** The clusters as `status` has them, and nothing else. */
export async function runClusterList({ dir, output }: Options): Promise<number> {
  const { clusters } = JSON.parse(await controlClient(platformDirectory(dir)).ask('GET', '/api/v1/status')) as Status;
  process.stdout.write(
    output === 'json' ? `${JSON.stringify(clustersForScripts(clusters), null, 2)}\n` : clustersText(clusters),
  );
  return 0;
}
