// Files that only their owner reads: whole or not at all.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const makePrivateDirectory = (directory: string): unknown =>
  mkdirSync(directory, { recursive: true, mode: 0o700 });

/** A file that has this text already is left alone. */
export function writePrivate(file: string, text: string): void {
  if (hasText(file, text)) return;
  makePrivateDirectory(path.dirname(file));
  const aside = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(aside, text, { mode: 0o600, flush: true });
    renameSync(aside, file);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

function hasText(file: string, text: string): boolean {
  try {
    return readFileSync(file, 'utf8') === text;
  } catch {
    return false;
  }
}
