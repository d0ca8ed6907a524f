import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { SpecFile } from '../../control-plane/component.ts';
import { writePrivate } from '../../control-plane/private-files.ts';
import { makeDirectory } from '../../render/write/make-directory.ts';

/** A file that has this text already is left alone, so that nobody reads it again for nothing. */
export function writeSpecFile({ path: file, text }: SpecFile): void {
  if (hasText(file, text)) return;
  makeDirectory(path.dirname(file), 0o700);
  writePrivate(file, text);
}

function hasText(file: string, text: string): boolean {
  try {
    return readFileSync(file, 'utf8') === text;
  } catch {
    return false;
  }
}
