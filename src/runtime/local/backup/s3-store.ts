// Backups in a bucket: SEED/CLUSTER/NAME.db, and the metadata of each beside it.
import { hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  type Backup,
  type BackupStore,
  isMetadataFile,
  keysFile,
  metadataFile,
  metadataOf,
  newestFirst,
  readMetadata,
  snapshotFile,
} from '../../../control-plane/index.ts';
import { bounded, boundedText, TooLong } from './bounded.ts';
import { wrongLength } from './checksum.ts';
import { type S3Options, s3Client } from './s3-client.ts';

export function s3Store(options: S3Options, folder: string): BackupStore {
  const client = s3Client(options);
  const at = (file: string): string => `${folder}/${file}`;
  const read = async (key: string): Promise<Backup | undefined> => {
    const stored = await boundedText(await client.get(key)).catch(notTooLong);
    return stored === undefined ? undefined : readMetadata(stored, path.posix.basename(key));
  };
  return {
    place: `${options.endpoint}/${options.bucket}/${folder}`,
    async list() {
      const keys = (await client.keys(`${folder}/`)).filter((key) => isMetadataFile(path.posix.basename(key)));
      return newestFirst((await Promise.all(keys.map(read))).filter((backup) => backup !== undefined));
    },
    async add(file, backup, keys) {
      await client.put(at(snapshotFile(backup)), { file, length: backup.bytes, sha256: backup.sha256 });
      if (keys !== undefined) await client.put(at(keysFile(backup)), bodyOf(keys));
      await client.put(at(metadataFile(backup)), bodyOf(metadataOf(backup)));
      await rm(file);
    },
    async fetch(backup, file) {
      const stored = await client.get(at(snapshotFile(backup)));
      const written = createWriteStream(file, { flags: 'wx', mode: 0o600 });
      await pipeline(stored, bounded(backup.bytes), written).catch((error: unknown) => {
        throw error instanceof TooLong ? wrongLength(backup) : error;
      });
    },
    fetchKeys: async (backup) => (backup.keys ? boundedText(await client.get(at(keysFile(backup)))) : undefined),
    async remove(backup) {
      const files = [metadataFile(backup), ...(backup.keys ? [keysFile(backup)] : []), snapshotFile(backup)];
      for (const file of files) await client.remove(at(file));
    },
  };
}

/** Nothing that we wrote, and no reason not to see the others. */
function notTooLong(error: unknown): undefined {
  if (!(error instanceof TooLong)) throw error;
}

const bodyOf = (metadata: string): { text: string; length: number; sha256: string } => ({
  text: metadata,
  length: Buffer.byteLength(metadata),
  sha256: hash('sha256', metadata),
});
