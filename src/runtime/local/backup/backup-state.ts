// What a platform knows of its backups without asking the place where they are, which others may be able to write.
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { type KnownNewest, newSalt } from '../../../control-plane/index.ts';
import { CausewayError } from '../../../core/errors.ts';
import { privateDirectory, readPrivate, writePrivate } from '../../../sys/private-files.ts';
import type { ClusterHome } from '../home.ts';

export interface BackupState {
  /** Of the key that is derived from a passphrase. */
  readonly salt: string;
  readonly newest?: KnownNewest;
}

type Home = Pick<ClusterHome, 'backupKey' | 'backupState'>;

export function readBackupState({ backupState }: Home): BackupState {
  const text = readPrivate(backupState);
  if (text === undefined) return { salt: newSalt() };
  try {
    const { salt, newest } = JSON.parse(text) as BackupState;
    if (typeof salt === 'string' && isNewest(newest)) return { salt, ...(newest && { newest }) };
  } catch {
    // Told below.
  }
  throw new CausewayError(
    'CW-BACKUP-STATE',
    `${backupState} cannot be read, which says what the newest backup is`,
    'delete it if the list of backups is complete as far as you know; from then on the newest in it counts',
  );
}

const isNewest = (newest: KnownNewest | undefined): boolean =>
  newest === undefined || (Number.isSafeInteger(newest.sequence) && Number.isFinite(newest.at));

export function writeBackupState({ backupState }: Home, state: BackupState): void {
  privateDirectory(path.dirname(backupState));
  writePrivate(backupState, `${JSON.stringify(state)}\n`);
}

/** Undefined before the first backup. */
export function platformKey({ backupKey }: Home): Buffer | undefined {
  const text = readPrivate(backupKey)?.trim();
  if (text === undefined || /^[0-9a-f]{64}$/.test(text))
    return text === undefined ? undefined : Buffer.from(text, 'hex');
  throw new CausewayError(
    'CW-BACKUP-STATE',
    `${backupKey} is no key of backups: 64 hexadecimal digits are expected`,
    'bring it back, or delete it: a new one is made, and backups from before take --unauthenticated then',
  );
}

export function needPlatformKey(home: Home): Buffer {
  const known = platformKey(home);
  if (known !== undefined) return known;
  writePrivate(home.backupKey, `${randomBytes(32).toString('hex')}\n`);
  return platformKey(home) as Buffer;
}
