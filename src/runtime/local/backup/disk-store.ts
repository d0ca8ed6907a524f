// Backups in a directory of this machine.
import { copyFile, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import {
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

export function diskStore(directory: string): BackupStore {
  const at = (file: string): string => path.join(directory, file);
  return {
    place: directory,
    async list() {
      const files = (await readdir(directory).catch(() => [])).filter(isMetadataFile);
      const texts = await Promise.all(files.map((file) => readFile(at(file), 'utf8').catch(() => '')));
      return newestFirst(texts.map(readMetadata).filter((backup) => backup !== undefined));
    },
    async add(file, backup, keys) {
      privateDirectory(directory);
      await moveDurably(file, at(snapshotFile(backup)));
      if (keys !== undefined) writePrivate(at(keysFile(backup)), keys);
      writePrivate(at(metadataFile(backup)), metadataOf(backup));
    },
    fetch: (backup, file) => copyFile(at(snapshotFile(backup)), file),
    fetchKeys: async (backup) => readPrivate(at(keysFile(backup))),
    async remove(backup) {
      // The metadata first: what is half gone is gone.
      const files = [metadataFile(backup), keysFile(backup), snapshotFile(backup)];
      for (const file of files) await rm(at(file), { force: true });
    },
  };
}

async function moveDurably(from: string, to: string): Promise<void> {
  const file = await open(from, 'r+');
  await file.chmod(0o600);
  await file.sync();
  await file.close();
  await rename(from, to);
}
