import { renameSync, writeFileSync } from 'node:fs';

/** Writes a new version of a file aside; the answer puts it in place, so that watchers see it at once and whole. */
export function prepareFile(file: string, content: unknown): () => void {
  writeFileSync(`${file}.new`, JSON.stringify(content));
  return () => renameSync(`${file}.new`, file);
}
