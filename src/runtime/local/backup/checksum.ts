import { createHash, hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Backup } from '../../../control-plane/index.ts';
import { CausewayError } from '../../../core/errors.ts';

export async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** A snapshot that was damaged on its way or where it lay is not restored. */
export async function proveWhole(file: string, { name, sha256 }: Backup): Promise<void> {
  if ((await checksumOf(file)) !== sha256) throw damaged(name, 'its checksum is not the one that was written down');
}

/** So are keys that are not those of this snapshot. Backups from before have no checksum of them. */
export function proveKeys(text: string | undefined, { name, keys, keysSha256 }: Backup): void {
  if (keysSha256 === undefined) return;
  if (keys && text !== undefined && hash('sha256', text) === keysSha256) return;
  throw damaged(name, text === undefined ? 'its keys are missing' : 'its keys are not those that were saved with it');
}

/** Before the disk is full of what somebody else put there. */
export function refuseLength(backup: Backup, found: number): void {
  if (found !== backup.bytes) throw wrongLength(backup);
}

export const wrongLength = ({ name, bytes }: Backup): CausewayError =>
  damaged(name, `it does not have the ${bytes} bytes that were saved`);

const damaged = (name: string, why: string): CausewayError =>
  new CausewayError(
    'CW-BACKUP-DAMAGED',
    `the backup ${name} is damaged: ${why}`,
    'restore another one: "causeway cluster backups NAME" lists them',
  );
