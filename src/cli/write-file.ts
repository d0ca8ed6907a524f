import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { CausewayError } from '../core/errors.ts';

/** Either the whole file is there, or the old one still is. */
export function writeAtomically(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    const file = openSync(temporary, 'wx');
    writeSync(file, text);
    fsyncSync(file);
    closeSync(file);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new CausewayError(
      'CW-WRITE',
      `cannot write ${path}: ${(error as Error).message}`,
      'make the directory writable, or choose another one',
    );
  }
}
