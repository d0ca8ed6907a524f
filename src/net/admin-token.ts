// The bearer token of an admin address with a port: from a file, so that it is in no argument, and read again when it changes.
import { hash, timingSafeEqual } from 'node:crypto';
import { statSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { CausewayError } from '../core/errors.ts';
import { type FileLog, FileValue } from '../sys/file-value.ts';

/** Whoever can guess it owns the program. */
const fewestLetters = 24;

/** Whether a request carries the token of the file. */
export function tokenGuard(file: string, log: FileLog): (request: IncomingMessage) => boolean {
  const digest = new FileValue(file, (text) => digestOf(readToken(text, file)), { log, code: 'CW-ADMIN-TOKEN' });
  digest.get();
  return ({ headers }) => {
    const [, given] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
    // Digests are of one length, and tell nothing about how far two tokens are the same.
    return given !== undefined && timingSafeEqual(digestOf(given), digest.get());
  };
}

const digestOf = (token: string): Buffer => hash('sha256', token, 'buffer');

function readToken(text: string, file: string): string {
  if ((statSync(file).mode & 0o007) !== 0)
    throw new CausewayError(
      'CW-ADMIN-TOKEN',
      `every user of this machine can use the token in ${file}`,
      `make another one, and close the file: (umask 077; openssl rand -hex 32 > '${file}')`,
    );
  const token = text.trim();
  if (token.length >= fewestLetters && /^[\x21-\x7e]+$/.test(token)) return token;
  throw new CausewayError(
    'CW-ADMIN-TOKEN',
    `${file} holds no token: it has one line of at least ${fewestLetters} letters and no spaces`,
    `openssl rand -hex 32 > '${file}'`,
  );
}
