import { copyFile, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Backup, type BackupStore, readMetadata } from '../../../control-plane/index.ts';
import { CausewayError } from '../../../core/errors.ts';
import { checksumOf } from './checksum.ts';

/** A snapshot that somebody kept elsewhere, perhaps with its keys and metadata beside it; etcd's tool sees whether it is whole. */
export function fileStore(file: string, cluster: string): BackupStore {
  return {
    place: file,
    async list() {
      const found = await stat(file).catch(() => undefined);
      if (found?.isFile() !== true) return [];
      const metadata = { at: found.mtimeMs, bytes: found.size, reason: 'request', kubernetesVersion: '' } as const;
      const bare = { name: path.basename(file), cluster, ...metadata, sha256: await checksumOf(file) };
      return [(await readBeside(file, '.json').then((text) => written(text, file))) ?? bare];
    },
    fetchKeys: () => readBeside(file, '.keys'),
    fetch: (_backup, to) => copyFile(file, to),
    add: () => Promise.reject(readOnly(file)),
    remove: () => Promise.reject(readOnly(file)),
  };
}

const readBeside = (file: string, ending: string): Promise<string | undefined> =>
  readFile(file.replace(/\.db$/, ending), 'utf8').catch(() => undefined);

const written = (text: string | undefined, file: string): Backup | undefined =>
  text === undefined ? undefined : readMetadata(text, path.basename(file).replace(/\.db$/, '.json'));

const readOnly = (file: string): CausewayError =>
  new CausewayError('CW-BACKUP-FILE', `${file} is one file, and no place for backups`, 'name a directory or a bucket');
