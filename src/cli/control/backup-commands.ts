// Backups by the control socket: /control/clusters/NAME/backups and /control/clusters/NAME/restore.
import type { Backup } from '../../control-plane/index.ts';
import { CausewayError } from '../../core/errors.ts';
import type { Restored } from '../../runtime/local/index.ts';

export interface Backups {
  take(): Promise<Backup>;
  list(): Promise<readonly Backup[]>;
  restore(from: string): Promise<Restored>;
}

/** What a command answers; undefined where it is none of these. */
export type Command = (method: string, path: string, body: string) => Promise<object> | undefined;

export function backupCommands(backupsOf: (cluster: string) => Backups | undefined): Command {
  return (method, path, body) => {
    const [, cluster = '', what] = /^\/control\/clusters\/([^/]+)\/(backups|restore)$/.exec(path) ?? [];
    if (what === undefined) return undefined;
    const name = decodeURIComponent(cluster);
    const backups = backupsOf(name);
    if (backups === undefined) return Promise.reject(nothingToSave(name));
    if (method === 'GET') return backups.list().then((items) => ({ items }));
    if (what === 'backups') return backups.take();
    return backups.restore((JSON.parse(body) as { from: string }).from);
  };
}

const nothingToSave = (name: string): CausewayError =>
  new CausewayError(
    'CW-BACKUP-NOT-HERE',
    `no control plane of a cluster "${name}" runs here, so there is nothing to save or restore`,
    '"causeway status" lists the clusters; without --clusters all of them are started',
  );
