// Takes and lists backups of a cluster.
import type { Backup } from '../../control-plane/index.ts';
import { megabytes } from '../../core/amounts.ts';
import type { Restored } from '../../runtime/local/index.ts';
import { type ControlClient, controlClient, isNotRunning } from '../control/control-client.ts';
import { say } from '../started-as.ts';
import { platformDirectory } from '../up/choose-directory.ts';
import { table } from '../views/table.ts';
import { ofKnownCluster } from './cluster-list.ts';

interface Options {
  readonly dir?: string;
}

export async function runClusterBackup(cluster: string, { dir }: Options): Promise<number> {
  const { name, bytes } = await takeBackup(platformDirectory(dir), cluster);
  process.stdout.write(`${name}, ${megabytes(bytes)}\n`);
  return 0;
}

export async function runClusterBackups(
  cluster: string,
  { dir, output }: Options & { output: 'table' | 'json' },
): Promise<number> {
  const { items } = await backupsOf(platformDirectory(dir), cluster);
  if (output === 'json') process.stdout.write(`${JSON.stringify(items, undefined, 2)}\n`);
  else say(listText(cluster, items));
  return 0;
}

function listText(cluster: string, backups: readonly Backup[]): string {
  if (backups.length === 0) return `no backup of ${cluster} yet; "causeway cluster backup ${cluster}" takes one\n`;
  const rows = backups.map(({ name, reason, kubernetesVersion, bytes, keys }) => [
    name,
    reason,
    kubernetesVersion,
    megabytes(bytes),
    keys ? 'yes' : 'no',
  ]);
  return table(['NAME', 'REASON', 'KUBERNETES', 'SIZE', 'KEYS'], rows);
}

// Backups of a cluster: through the platform that runs, or without it where that is possible.

export interface Backups {
  /** Newest first. */
  readonly items: readonly Backup[];
  restore(from: string): Promise<Restored>;
  /** Of the platform; absent where none runs. */
  readonly client?: ControlClient;
}

const commandPath = (cluster: string, what: 'backups' | 'restore'): string =>
  `/control/clusters/${encodeURIComponent(cluster)}/${what}`;

export async function takeBackup(directory: string, cluster: string): Promise<Backup> {
  const client = controlClient(directory);
  const answer = await ofKnownCluster(client, cluster, () => client.ask('POST', commandPath(cluster, 'backups')));
  return JSON.parse(answer) as Backup;
}

export async function backupsOf(directory: string, cluster: string): Promise<Backups> {
  const client = controlClient(directory);
  try {
    const answer = await ofKnownCluster(client, cluster, () => client.ask('GET', commandPath(cluster, 'backups')));
    const { items } = JSON.parse(answer) as { readonly items: readonly Backup[] };
    const restore = async (from: string): Promise<Restored> =>
      JSON.parse(await client.ask('POST', commandPath(cluster, 'restore'), { from })) as Restored;
    return { items, restore, client };
  } catch (error) {
    if (!isNotRunning(error)) throw error;
    const { offlineCluster, restoreOffline } = await import('../cluster/offline.ts');
    const { store } = await offlineCluster(directory, cluster);
    return { items: await store.list(), restore: (from) => restoreOffline(directory, cluster, from) };
  }
}
