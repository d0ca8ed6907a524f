import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CausewayError } from '../../core/errors.ts';
import { makeDirectory } from './make-directory.ts';

/** Either the whole file is there, or the old one still is. */
export function writeAtomically(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    makeDirectory(dirname(path));
    writeFileSync(temporary, text, { flag: 'wx', flush: true });
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
