// Nodes that are shut out of a cluster, one by one.

import { type ControlClient, controlClient } from '../control/control-client.ts';
import { asTyped } from '../started-as.ts';
import { platformDirectory } from '../up/choose-directory.ts';
import { table } from '../views/table.ts';
import { ofKnownCluster } from './cluster-list.ts';

interface Options {
  readonly dir?: string;
}

const pathOf = (cluster: string, ...more: readonly string[]): string =>
  ['/api/v1/clusters', ...[cluster, 'evictions', ...more].map(encodeURIComponent)].join('/');

export async function runEvictNode(cluster: string, node: string, { dir }: Options): Promise<number> {
  const client = controlClient(platformDirectory(dir));
  const { warning } = await asked<{ readonly warning?: string }>(client, cluster, () =>
    client.ask('POST', pathOf(cluster), { node }),
  );
  if (warning !== undefined) process.stderr.write(asTyped(`warning: ${warning}\n`));
  process.stdout.write(
    asTyped(
      `${node} is shut out of ${cluster}: its tunnels are closed, its token is refused, and its kubelet changes nothing any more\n` +
        `what machines were given to join with is not good any more either; "causeway cluster join ${cluster}" makes it anew\n`,
    ),
  );
  return 0;
}

export async function runReadmitNode(cluster: string, node: string, { dir }: Options): Promise<number> {
  const client = controlClient(platformDirectory(dir));
  await ofKnownCluster(client, cluster, () => client.ask('DELETE', pathOf(cluster, node)));
  process.stdout.write(`${node} may come in again, by tokens that are issued from now on\n`);
  return 0;
}

interface ListOptions extends Options {
  readonly output: 'table' | 'json';
}

export async function runEvictedNodes(cluster: string, { dir, output }: ListOptions): Promise<number> {
  const client = controlClient(platformDirectory(dir));
  const { items } = await asked<{ readonly items: readonly { readonly node: string; readonly evictedAt: number }[] }>(
    client,
    cluster,
    () => client.ask('GET', pathOf(cluster)),
  );
  const rows = items.map(({ node, evictedAt }) => [node, new Date(evictedAt).toISOString().replace(/\.\d+Z$/, 'Z')]);
  if (output === 'json') process.stdout.write(`${JSON.stringify(items, null, 2)}\n`);
  else process.stdout.write(rows.length === 0 ? 'none\n' : table(['NODE', 'EVICTED'], rows));
  return 0;
}

const asked = async <Answer>(client: ControlClient, cluster: string, ask: () => Promise<string>): Promise<Answer> =>
  JSON.parse(await ofKnownCluster(client, cluster, ask)) as Answer;
