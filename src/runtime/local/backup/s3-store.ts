// Backups in a bucket: SEED/CLUSTER/NAME.db, and the words about each beside it.
import { hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import {
  type Backup,
  type BackupStore,
  isWordsFile,
  keysFile,
  newestFirst,
  readWords,
  snapshotFile,
  wordsFile,
  wordsOf,
} from '../../../control-plane/backup/backup.ts';
import { type S3Options, s3Client } from './s3-client.ts';

export function s3Store(options: S3Options, folder: string): BackupStore {
  const client = s3Client(options);
  const at = (file: string): string => `${folder}/${file}`;
  const read = async (key: string): Promise<Backup | undefined> => readWords(await text(await client.get(key)));
  return {
    place: `${options.endpoint}/${options.bucket}/${folder}`,
    async list() {
      const keys = (await client.keys(`${folder}/`)).filter((key) => isWordsFile(path.posix.basename(key)));
      return newestFirst((await Promise.all(keys.map(read))).filter((backup) => backup !== undefined));
    },
    async add(file, backup, keys) {
      await client.put(at(snapshotFile(backup)), { file, length: backup.bytes, sha256: backup.sha256 });
      if (keys !== undefined) await client.put(at(keysFile(backup)), bodyOf(keys));
      await client.put(at(wordsFile(backup)), bodyOf(wordsOf(backup)));
      await rm(file);
    },
    bring: async (backup, file) =>
      pipeline(await client.get(at(snapshotFile(backup))), createWriteStream(file, { flags: 'wx', mode: 0o600 })),
    bringKeys: async (backup) => (backup.keys ? text(await client.get(at(keysFile(backup)))) : undefined),
    async remove(backup) {
      const files = [wordsFile(backup), ...(backup.keys ? [keysFile(backup)] : []), snapshotFile(backup)];
      for (const file of files) await client.remove(at(file));
    },
  };
}

const bodyOf = (words: string): { text: string; length: number; sha256: string } => ({
  text: words,
  length: Buffer.byteLength(words),
  sha256: hash('sha256', words),
});
