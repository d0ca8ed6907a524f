import { controlClient } from '../control/control-client.ts';
import { platformDirectory } from '../up/choose-directory.ts';
import { ofKnownCluster } from './cluster-list.ts';

interface Options {
  readonly role: 'admin' | 'viewer';
  readonly ttl?: string;
  readonly dir?: string;
}

/** Nothing else on standard output, so that it can be put into a file. */
export async function runKubeconfig(cluster: string, { role, ttl, dir }: Options): Promise<number> {
  const query = new URLSearchParams({ role, ...(ttl === undefined ? {} : { ttl }) });
  const client = controlClient(platformDirectory(dir));
  const path = `/api/v1/clusters/${encodeURIComponent(cluster)}/kubeconfig?${query}`;
  process.stdout.write(await ofKnownCluster(client, cluster, () => client.ask('GET', path)));
  return 0;
}
