// Writes a change to its file, if that is still what the change was made from: editors and git write there too.
import { chmodSync, existsSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { CausewayError } from '../../core/errors.ts';
import { decode } from '../../model/load/decode.ts';
import { writeAtomically } from '../../render/write/write-atomically.ts';
import { ApiError } from '../problems.ts';
import type { FileChange } from './change-files.ts';

/** `before` is its text as it was read; undefined: nobody has read it. */
export function writeChange(directory: string, { path: name, text }: FileChange, before: string | undefined): void {
  const file = insideOf(directory, name);
  assertStill(file, name, before);
  if (text === undefined) rmSync(file);
  else replaceFile(file, text);
}

/** A link is followed, but not out of the directory. */
function insideOf(directory: string, name: string): string {
  const [root, real] = [realpathSync(directory), realPath(path.join(directory, name))];
  if (real.startsWith(`${root}${path.sep}`)) return real;
  throw new CausewayError('CW-API-WRITE', `${name} leads to ${real}, outside of the manifests`, 'change it there');
}

/** Of something that need not be there yet. */
const realPath = (file: string): string =>
  existsSync(file) ? realpathSync(file) : path.join(realPath(path.dirname(file)), path.basename(file));

function assertStill(file: string, name: string, before: string | undefined): void {
  const bytes = existsSync(file) ? readFileSync(file) : undefined;
  const now = bytes && decode(name, bytes);
  if (before === undefined && now !== undefined) throw notRead(name);
  if (before !== undefined && !(now && 'text' in now && now.text === before)) throw changedMeanwhile;
}

function replaceFile(file: string, text: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  const mode = stats && stats.mode & 0o777;
  writeAtomically(file, text, mode);
  if (mode !== undefined) chmodSync(file, mode);
}

export const changedMeanwhile = new ApiError(
  412,
  'CW-API-CHANGED',
  'it has changed since it was read',
  'read it again, and change what you find then',
);

const notRead = (name: string): CausewayError =>
  new CausewayError(
    'CW-API-WRITE',
    `${name} is there already, and is none of the manifests that are read`,
    'see whether .causewayignore names it; take it away, or read it again',
  );
