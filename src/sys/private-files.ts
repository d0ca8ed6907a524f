// Files that hold keys, or what was made with them: whole or not there, and only for their owner.
import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CausewayError } from '../core/errors.ts';
import { makeDirectory } from './make-directory.ts';

/** Makes it for its owner only; one that others may look into is refused, because keys in it may be known already. */
export function privateDirectory(directory: string): void {
  ownDirectory(directory);
  refuseOpen(directory, '700');
}

/** What is there stays as it is. */
export const ownDirectory = (directory: string): void => {
  failing(directory, () => makeDirectory(directory, 0o700));
};

/** Either the whole text is there, or what was there before. */
export function writePrivate(file: string, text: string): void {
  const aside = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  failing(file, () => {
    try {
      writeFileSync(aside, text, { flag: 'wx', mode: 0o600, flush: true });
      renameSync(aside, file);
    } finally {
      rmSync(aside, { force: true });
    }
  });
}

/** Its text; undefined where there is none. */
export function readPrivate(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  refuseOpen(file, '600');
  return failing(file, () => readFileSync(file, 'utf8'), 'read');
}

/** What others may look into may be known to them. */
export function refuseOpen(at: string, wanted: string): void {
  const mode = statSync(at).mode & 0o777;
  if ((mode & 0o077) === 0) return;
  throw new CausewayError(
    'CW-KEYS-OPEN',
    `${path.basename(at)} is open to other users of this machine (mode ${mode.toString(8)}): ${at}`,
    `chmod ${wanted} '${at}', and think about who may have read it`,
  );
}

function failing<Result>(file: string, work: () => Result, verb = 'write'): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof CausewayError) throw error;
    throw diskRefused(`cannot ${verb} ${file}`, error as NodeJS.ErrnoException);
  }
}

/** Of work on several files: what the system says about the disk is told to people. */
export async function tellingOfDisk<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    throw code !== undefined && syscall !== undefined && !(error instanceof CausewayError)
      ? diskRefused(what, error as NodeJS.ErrnoException)
      : error;
  }
}

function diskRefused(what: string, { code, message }: NodeJS.ErrnoException): CausewayError {
  const fix: Readonly<Record<string, string>> = {
    ENOSPC: 'make room on the disk, and try again',
    EIO: 'the disk has errors: look into the log of the system, and bring the data to another one',
  };
  const usual = 'let the user that runs causeway own the directory';
  return new CausewayError('CW-WRITE', `${what}: ${message}`, fix[code ?? ''] ?? usual);
}
