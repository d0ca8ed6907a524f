import { noSuchCluster } from '../../platform/index.ts';
import { type ControlClient, controlClient } from '../control/control-client.ts';
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

/** Those that are wanted, and those that something still runs of. */
export async function clustersOf(client: ControlClient): Promise<readonly string[]> {
  const { clusters, components } = JSON.parse(await client.ask('GET', '/api/v1/status')) as Status;
  const running = components.flatMap(({ scope }) => /^cluster\/(.*)/.exec(scope)?.[1] ?? []);
  return [...new Set([...clusters.map(({ name }) => name), ...running])];
}

/** Whatever was refused: where the name is unknown, that is the reason, and another name may be meant. */
export async function ofKnownCluster<Result>(
  client: ControlClient,
  cluster: string,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    const known = await clustersOf(client).catch(() => [cluster]);
    throw known.includes(cluster) ? error : noSuchCluster(cluster, known);
  }
}
