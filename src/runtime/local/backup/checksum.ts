import { createHash } from 'node:crypto';
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
  if ((await checksumOf(file)) === sha256) return;
  throw new CausewayError(
    'CW-BACKUP-DAMAGED',
    `the backup ${name} is damaged: its checksum is not the one that was written down`,
    'restore an older one: "causeway cluster backups NAME" lists them',
  );
}
