// Backups of a cluster: through the platform that runs, or without it where that is possible.
import type { Backup } from '../../control-plane/backup/backup.ts';
import { type ControlClient, controlClient, isNotRunning } from '../../platform/control/control-client.ts';
import type { Restored } from '../../runtime/local/backup/restore.ts';
import { ofKnownCluster } from './known-cluster.ts';

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
    const { offlineCluster, restoreOffline } = await import('./offline.ts');
    const { store } = await offlineCluster(directory, cluster);
    return { items: await store.list(), restore: (from) => restoreOffline(directory, cluster, from) };
  }
}
