// Files with certificates and keys in one directory: never overwritten, keys readable for their owner only.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CausewayError } from '../core/errors.ts';
import { makeDirectory } from '../render/write/make-directory.ts';

export interface KeyFiles {
  /** Both or none; one alone is refused. */
  has(certificate: string, key: string): boolean;
  read(file: string): string;
  write(file: string, text: string): void;
  writeSecret(file: string, text: string): void;
  readonly written: readonly string[];
}

export function keyFilesIn(directory: string): KeyFiles {
  const written: string[] = [];
  const at = (file: string): string => path.join(directory, file);
  const write = (file: string, text: string, mode: number): void => {
    create(directory, at(file), text, mode);
    written.push(file);
  };
  return {
    written,
    has(certificate, key) {
      const found = [certificate, key].filter((file) => existsSync(at(file)));
      if (found.length === 1) throw halfPair(directory, found[0] === key ? certificate : key, found[0] ?? '');
      return found.length === 2;
    },
    read: (file) => readFileSync(at(file), 'utf8'),
    write: (file, text) => write(file, text, 0o644),
    writeSecret: (file, text) => write(file, text, 0o600),
  };
}

/** Only a file that was not there, whatever somebody else does at the same time. */
function create(directory: string, file: string, text: string, mode: number): void {
  try {
    makeDirectory(directory);
    writeFileSync(file, text, { flag: 'wx', mode, flush: true });
  } catch (error) {
    throw new CausewayError(
      'CW-WRITE',
      `cannot write ${file}: ${(error as Error).message}`,
      'make the directory writable, or choose another one',
    );
  }
}

const halfPair = (directory: string, missing: string, found: string): CausewayError =>
  new CausewayError(
    'CW-GATEWAY-PKI-PAIR',
    `${directory} has ${found}, but not ${missing}`,
    `bring ${missing} back, or move ${found} away to make both anew`,
  );
