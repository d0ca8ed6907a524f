import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** What building makes or only needs for itself. */
const made = new Set(['node_modules', 'dist', '.cache']);

/** What the page takes from the sources of the server. A test compares it with what the page imports. */
export const shared = ['src/core/command-text.ts'];

/** Changes with everything that the built page depends on: its sources, the reference it shows, the packages it uses. */
export async function hashOfSources(root: string): Promise<string> {
  const trees = await Promise.all(['web', 'docs/reference'].map((directory) => filesUnder(root, directory)));
  const files = ['package-lock.json', ...shared.filter((file) => existsSync(path.join(root, file))), ...trees.flat()];
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    const content = await readFile(path.join(root, file));
    // With lengths, so that nothing moves unseen from one file into the next.
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

async function filesUnder(root: string, directory: string): Promise<string[]> {
  const entries = await readdir(path.join(root, directory), { withFileTypes: true });
  const found = entries
    .filter(({ name }) => !made.has(name))
    .map(async (entry) => {
      const inside = `${directory}/${entry.name}`;
      return entry.isDirectory() ? filesUnder(root, inside) : [inside];
    });
  return (await Promise.all(found)).flat();
}
