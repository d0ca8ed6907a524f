import { copyFile, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { BackupStore } from '../../../control-plane/index.ts';
import { CausewayError } from '../../../core/errors.ts';
import { checksumOf } from './checksum.ts';

/** A snapshot that somebody kept elsewhere, perhaps with its keys beside it; etcd's tool sees whether it is whole. */
export function fileStore(file: string, cluster: string): BackupStore {
  return {
    place: file,
    async list() {
      const found = await stat(file).catch(() => undefined);
      if (found?.isFile() !== true) return [];
      const metadata = { at: found.mtimeMs, bytes: found.size, reason: 'request', kubernetesVersion: '' } as const;
      return [{ name: path.basename(file), cluster, ...metadata, sha256: await checksumOf(file) }];
    },
    fetchKeys: async () => readFile(file.replace(/\.db$/, '.keys'), 'utf8').catch(() => undefined),
    fetch: (_backup, to) => copyFile(file, to),
    add: () => Promise.reject(readOnly(file)),
    remove: () => Promise.reject(readOnly(file)),
  };
}

const readOnly = (file: string): CausewayError =>
  new CausewayError('CW-BACKUP-FILE', `${file} is one file, and no place for backups`, 'name a directory or a bucket');
