// Backups by the control socket: /control/clusters/NAME/backups, /backups/choose?from= and /restore.
import type { Backup, JudgedBackup, RestoreFlags } from '../../control-plane/index.ts';
import { CausewayError } from '../../core/errors.ts';
import type { Restored } from '../../runtime/local/index.ts';

export interface Backups {
  take(): Promise<Backup>;
  list(): Promise<readonly JudgedBackup[]>;
  /** Which one a restore would take: nothing is changed. */
  choose(from: string): Promise<JudgedBackup>;
  restore(from: string, flags: RestoreFlags): Promise<Restored>;
}

export interface RestoreRequest extends RestoreFlags {
  /** A name, `latest`, or the absolute path of a snapshot. */
  readonly from: string;
}

/** What a command answers; undefined where it is none of these. */
export type Command = (method: string, path: string, body: string) => Promise<object> | undefined;

export function backupCommands(backupsOf: (cluster: string) => Backups | undefined): Command {
  return (method, path, body) => {
    const { pathname, searchParams } = new URL(path, 'http://control');
    const [, cluster = '', what] =
      /^\/control\/clusters\/([^/]+)\/(backups|backups\/choose|restore)$/.exec(pathname) ?? [];
    if (what === undefined) return undefined;
    const name = decodeURIComponent(cluster);
    const backups = backupsOf(name);
    if (backups === undefined) return Promise.reject(nothingToSave(name));
    if (method === 'GET' && what === 'backups/choose') return backups.choose(searchParams.get('from') ?? 'latest');
    if (method === 'GET') return backups.list().then((items) => ({ items }));
    if (what === 'backups') return backups.take();
    const { from, older = false, unauthenticated = false } = JSON.parse(body) as RestoreRequest;
    return backups.restore(from, { older, unauthenticated });
  };
}

const nothingToSave = (name: string): CausewayError =>
  new CausewayError(
    'CW-BACKUP-NOT-HERE',
    `no control plane of a cluster "${name}" runs here, so there is nothing to save or restore`,
    '"causeway status" lists the clusters; without --clusters all of them are started',
  );
