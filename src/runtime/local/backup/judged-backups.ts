// Backups of a store with what this platform knows of them, and new ones that it vouches for.
import {
  type Backup,
  type BackupStore,
  createAuthenticator,
  type JudgedBackup,
  judgeBackups,
  newestKnown,
} from '../../../control-plane/index.ts';
import type { ClusterHome } from '../home.ts';
import { needPlatformKey, platformKey, readBackupState, writeBackupState } from './backup-state.ts';

export interface Owner {
  readonly cluster: string;
  readonly home: Pick<ClusterHome, 'backupKey' | 'backupState'>;
}

type KnownBackup = Pick<Backup, 'name' | 'at' | 'sequence'>;

export interface JudgedOptions {
  readonly store: BackupStore;
  readonly passphrase?: string | undefined;
}

/** Newest first. */
export async function judgedBackups(
  { cluster, home }: Owner,
  { store, passphrase }: JudgedOptions,
): Promise<JudgedBackup[]> {
  const authenticator = createAuthenticator(cluster, { passphrase, platform: platformKey(home) });
  return judgeBackups(await store.list(), authenticator, readBackupState(home).newest);
}

/** The next one of this cluster. */
export async function authenticated(owner: Owner, backup: Backup, options: JudgedOptions): Promise<Backup> {
  const { cluster, home } = owner;
  const { passphrase } = options;
  const state = readBackupState(home);
  // It is kept from here on, so that all backups share the work of deriving the key.
  writeBackupState(home, state);
  const { salt, newest: known } = state;
  const newest = newestKnown(await judgedBackups(owner, options), known);
  const authenticator = createAuthenticator(cluster, { passphrase, platform: needPlatformKey(home) });
  return authenticator.sign({ ...backup, sequence: (newest?.sequence ?? 0) + 1 }, salt);
}

/** Once it is there whole: the newest that is known is one that could be restored. */
export function remember({ home }: Owner, { name, at, sequence }: KnownBackup): void {
  const { salt, newest } = readBackupState(home);
  if (sequence === undefined || (newest !== undefined && newest.sequence >= sequence)) return;
  writeBackupState(home, { salt, newest: { name, at, sequence } });
}
