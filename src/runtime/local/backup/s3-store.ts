// Backups in a bucket: SEED/CLUSTER/NAME.db, and the metadata of each beside it.
import { hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
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
import { type S3Options, s3Client } from './s3-client.ts';

export function s3Store(options: S3Options, folder: string): BackupStore {
  const client = s3Client(options);
  const at = (file: string): string => `${folder}/${file}`;
  const read = async (key: string): Promise<Backup | undefined> => readMetadata(await text(await client.get(key)));
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
    fetch: async (backup, file) =>
      pipeline(await client.get(at(snapshotFile(backup))), createWriteStream(file, { flags: 'wx', mode: 0o600 })),
    fetchKeys: async (backup) => (backup.keys ? text(await client.get(at(keysFile(backup)))) : undefined),
    async remove(backup) {
      const files = [metadataFile(backup), ...(backup.keys ? [keysFile(backup)] : []), snapshotFile(backup)];
      for (const file of files) await client.remove(at(file));
    },
  };
}

const bodyOf = (metadata: string): { text: string; length: number; sha256: string } => ({
  text: metadata,
  length: Buffer.byteLength(metadata),
  sha256: hash('sha256', metadata),
});
