// The bcrypt hash of a password, and nothing else on standard output, so that it can be put into a variable or a file.
import { text as textOf } from 'node:stream/consumers';
import { hash, truncates } from 'bcryptjs';
import { CausewayError } from '../../core/errors.ts';

/** As many as for a user who does not exist: from the time of a refusal nobody learns who does. */
const rounds = 10;

export async function runPasswordHash(): Promise<number> {
  const given = process.stdin.isTTY ? await ask() : (await textOf(process.stdin)).replace(/\r?\n$/, '');
  if (given === '') throw wrongPassword('the password is empty', 'write one');
  if (truncates(given)) throw wrongPassword('bcrypt reads no more than 72 bytes of a password', 'take a shorter one');
  process.stdout.write(`${await hash(given, rounds)}\n`);
  return 0;
}

/** Where nothing of it is shown, and on the other output, because this one is for the hash. */
async function ask(): Promise<string> {
  const { isCancel, password } = await import('@clack/prompts');
  const options = { output: process.stderr };
  const first = await password({ ...options, message: 'Password' });
  const second = isCancel(first) ? first : await password({ ...options, message: 'The same once more' });
  if (isCancel(first) || isCancel(second)) throw new CausewayError('CW-CLI-CANCELLED', 'no hash was made', 'try again');
  if (first !== second) throw wrongPassword('they are not the same', 'try again');
  return first ?? '';
}

const wrongPassword = (message: string, fix: string): CausewayError =>
  new CausewayError('CW-CLI-PASSWORD', message, fix);
