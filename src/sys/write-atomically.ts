import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CausewayError } from '../core/errors.ts';
import { makeDirectory } from './make-directory.ts';

/** Either the whole file is there, or the old one still is. */
export function writeAtomically(path: string, text: string, mode = 0o666): void {
  // In a container the one that comes after a crash often has the same process id.
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    makeDirectory(dirname(path));
    writeFileSync(temporary, text, { flag: 'wx', mode, flush: true });
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
