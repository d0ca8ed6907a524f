// Puts files in place: all of them are complete on disk before the first one becomes visible.
import { open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { makeDirectory } from '../../sys/make-directory.ts';

export interface Change {
  readonly path: string;
  readonly text: string;
}

export interface Staged {
  readonly temporary: string;
  readonly target: string;
}

/** Writes and syncs every file beside its target. If one fails, none is left. */
export async function stage(outDir: string, changes: readonly Change[], mark: string): Promise<Staged[]> {
  const staged: Staged[] = [];
  const created: string[] = [];
  try {
    for (const change of changes) {
      const target = path.join(outDir, change.path);
      const first = makeDirectory(path.dirname(target));
      if (first !== undefined) created.push(first);
      const temporary = path.join(path.dirname(target), `.${path.basename(target)}.${mark}.tmp`);
      staged.push({ temporary, target });
      await writeSynced(temporary, change.text);
    }
    return staged;
  } catch (error) {
    await discard(staged);
    for (const directory of created.reverse()) await removeEmptyTree(directory);
    throw error;
  }
}

/** Never fails: the error that led here is the one worth telling. */
export const discard = async (staged: readonly Staged[]): Promise<void> => {
  await Promise.all(staged.map(({ temporary }) => rm(temporary, { force: true }).catch(() => undefined)));
};

export async function commit(staged: readonly Staged[]): Promise<void> {
  for (const { temporary, target } of staged) await rename(temporary, target);
  const directories = new Set(staged.map(({ target }) => path.dirname(target)));
  for (const directory of directories) await syncDirectory(directory);
}

/** Removes files, and the directories that are empty then. */
export async function removeFiles(outDir: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await rm(path.join(outDir, name), { force: true });
    for (let parent = path.posix.dirname(name); parent !== '.'; parent = path.posix.dirname(parent)) {
      const emptied = await rmdir(path.join(outDir, parent)).then(
        () => true,
        () => false,
      );
      if (!emptied) break;
    }
  }
}

async function writeSynced(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o644);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Only directories that we made ourselves, and only while nothing else is in them. */
async function removeEmptyTree(directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await removeEmptyTree(path.join(directory, entry.name));
  await rmdir(directory).catch(() => undefined);
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined);
  // Some file systems cannot sync a directory; the files themselves are synced already.
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
