// What the operating system refuses, in plain words.
import { CausewayError } from '../../core/errors.ts';
import type { Finding } from '../finding.ts';
import { findingOf } from './document.ts';

const reasons: Record<string, readonly [what: string, fix: string]> = {
  ENOENT: ['does not exist', 'Check the name.'],
  EACCES: ['may not be read by this user', 'Give the user the right to read it.'],
  EPERM: ['may not be read by this user', 'Give the user the right to read it.'],
  ELOOP: ['is a symbolic link that leads in a circle', 'Remove the link, or point it at a file.'],
  ENOTDIR: ['lies below something that is not a directory', 'Check the name.'],
  ENAMETOOLONG: ['has a name that is too long', 'Use a shorter name.'],
  EISDIR: ['is a directory', 'Name a file.'],
};

function reasonOf(error: unknown): readonly [what: string, fix: string] {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return reasons[code] ?? [`cannot be read (${code === '' ? String(error) : code})`, 'Make it readable.'];
}

/** What was named on the command line cannot be read: there is nothing to report on. */
export function unreadableRoot(path: string, error: unknown): CausewayError {
  const [what, fix] = reasonOf(error);
  return new CausewayError('CW-INPUT-UNREADABLE', `${path} ${what}`, fix);
}

export const refusedRoot = (path: string, what: string, fix: string): CausewayError =>
  new CausewayError('CW-INPUT-UNREADABLE', `${path} ${what}`, fix);

const start = (file: string): Finding['position'] => ({ file, line: 1, column: 1 });

export function unreadable(file: string, error: unknown): Finding {
  const [what, fix] = reasonOf(error);
  const broken = (error as NodeJS.ErrnoException).code === 'ENOENT';
  const message = broken ? `${file} is a link to something that does not exist` : `${file} ${what}`;
  const hint = broken ? 'Correct or remove the link.' : fix;
  return findingOf('CW-FILE-UNREADABLE', {
    message,
    fix: `${hint} Or list it in .causewayignore.`,
    position: start(file),
  });
}

export const noRegularFile = (file: string): Finding =>
  findingOf('CW-FILE-UNREADABLE', {
    message: `${file} is a device, socket or pipe, not a file`,
    fix: 'Remove it, or list it in .causewayignore.',
    position: start(file),
  });

export const readTwice = (file: string, other: string): Finding =>
  findingOf('CW-FILE-LOOP', {
    message: `${file} leads to the same directory as ${other === '' ? 'the one that is read' : other}, which is read already`,
    fix: 'Remove the link, or list it in .causewayignore.',
    position: start(file),
  });

export const tooLargeFile = (file: string, size: number): Finding =>
  findingOf('CW-FILE-TOO-LARGE', {
    message: `${file} has ${Math.ceil(size / 1024 / 1024)} MiB; 64 MiB are allowed`,
    fix: 'Split it, or list it in .causewayignore if it is no manifest.',
    position: start(file),
  });
