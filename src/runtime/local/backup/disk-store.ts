// Backups in a directory of this machine.
import { copyFile, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
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
import { privateDirectory, readPrivate, writePrivate } from '../../../sys/private-files.ts';
import { refuseLength } from './checksum.ts';

export function diskStore(directory: string): BackupStore {
  const at = (file: string): string => path.join(directory, file);
  return {
    place: directory,
    async list() {
      const files = (await readdir(directory).catch(() => [])).filter(isMetadataFile);
      const read = async (file: string): Promise<Backup | undefined> =>
        readMetadata(await readFile(at(file), 'utf8').catch(() => ''), file);
      return newestFirst((await Promise.all(files.map(read))).filter((backup) => backup !== undefined));
    },
    async add(file, backup, keys) {
      privateDirectory(directory);
      await moveDurably(file, at(snapshotFile(backup)));
      if (keys !== undefined) writePrivate(at(keysFile(backup)), keys);
      writePrivate(at(metadataFile(backup)), metadataOf(backup));
    },
    async fetch(backup, file) {
      refuseLength(backup, (await stat(at(snapshotFile(backup)))).size);
      await copyFile(at(snapshotFile(backup)), file);
    },
    fetchKeys: async (backup) => (backup.keys ? readPrivate(at(keysFile(backup))) : undefined),
    async remove(backup) {
      // The metadata first: what is half gone is gone.
      const files = [metadataFile(backup), keysFile(backup), snapshotFile(backup)];
      for (const file of files) await rm(at(file), { force: true });
    },
  };
}

async function moveDurably(from: string, to: string): Promise<void> {
  const file = await open(from, 'r+');
  try {
    await file.chmod(0o600);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(from, to);
}
