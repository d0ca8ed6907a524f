// A change of one document, as a change of the file that holds it. Pure.

import { chmodSync, existsSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { CausewayError } from '../../core/errors.ts';
import {
  decode,
  ignoreFile,
  type LoadedDocument,
  type ManifestFile,
  manifestsAmong,
  renderIndexFile,
  splitDocuments,
  withUnixBreaks,
} from '../../model/load/index.ts';
import type { Kind } from '../../model/schema/index.ts';
import { writeAtomically } from '../../sys/write-atomically.ts';
import { ApiError } from '../problems.ts';
import { mergeYaml, newYaml } from './merge-yaml.ts';

export interface DocumentId {
  readonly kind: Kind;
  readonly name: string;
}
export const resourceOf = ({ kind, name }: DocumentId): string => `${kind}/${name}`;

export interface FileChange {
  /** Below the directory of the manifests. */
  readonly path: string;
  /** Undefined: the file goes. */
  readonly text: string | undefined;
}

const directories: Readonly<Record<Kind, string>> = {
  Platform: '',
  Seed: 'seeds/',
  Datacenter: 'datacenters/',
  Cluster: 'clusters/',
  AddressPool: 'pools/',
};

export function applied(
  files: readonly ManifestFile[],
  id: DocumentId,
  value: unknown,
  document: LoadedDocument | undefined,
): FileChange {
  if (document === undefined) return added(files, id, value);
  return changedChunk(fileOf(files, document), document, (text) => mergeYaml(text, value));
}

/** A file of its own, which editors know the schema of where they know that of its neighbours. */
function added(files: readonly ManifestFile[], { kind, name }: DocumentId, value: unknown): FileChange {
  const directory = directories[kind];
  const path = kind === 'Platform' ? 'platform.yaml' : `${directory}${name}.yaml`;
  const there = files.find((file) => file.path === path);
  if (there !== undefined) return { path, text: `${withEnd(there.text)}---\n${newYaml(value)}` };
  const neighbour = files.find(
    (file) => file.path.startsWith(directory) && !file.path.slice(directory.length).includes('/'),
  );
  return { path, text: `${modelines(neighbour?.text ?? '')}${newYaml(value)}` };
}

export function removed(files: readonly ManifestFile[], document: LoadedDocument): FileChange {
  const change = changedChunk(fileOf(files, document), document, modelines);
  const isEmpty = /^(?:\s|#.*|---|\.\.\.)*$/.test(change.text ?? '');
  return isEmpty ? { path: change.path, text: undefined } : change;
}

/** What tells editors about the file stays when its first document goes. */
const modelines = (text: string): string => /^(?:# yaml-language-server:.*\n)*/.exec(withUnixBreaks(text))?.[0] ?? '';

const fileOf = (files: readonly ManifestFile[], { file }: LoadedDocument): ManifestFile =>
  files.find(({ path }) => path === file) as ManifestFile;

function changedChunk(
  { path, text }: ManifestFile,
  { linesBefore }: LoadedDocument,
  change: (chunk: string) => string,
): FileChange {
  const chunks = splitDocuments(text).map((chunk) =>
    chunk.linesBefore === linesBefore ? change(chunk.text) : chunk.text,
  );
  const joined = chunks
    .map((chunk, at) => (at === chunks.length - 1 || chunk === '' ? chunk : withEnd(chunk)))
    .join('');
  return { path, text: text.includes('\r\n') ? joined.replaceAll('\n', '\r\n') : joined };
}

const withEnd = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

// Writes a change to its file, if that is still what the change was made from: editors and git write there too.

/** `before` is its text as it was read; undefined: nobody has read it. */
export function writeChange(directory: string, { path: name, text }: FileChange, before: string | undefined): void {
  const file = insideOf(directory, name);
  assertStill(file, name, before);
  if (before === undefined && !isRead(directory, name)) throw wouldNotBeRead(name);
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

/** A file that is new there. */
function isRead(directory: string, name: string): boolean {
  const above = name.split('/').map((_, depth, steps) => steps.slice(0, depth).join('/'));
  const marks = above
    .flatMap((place) => [ignoreFile, renderIndexFile].map((mark) => path.posix.join(place, mark)))
    .filter((mark) => existsSync(path.join(directory, mark)));
  return manifestsAmong([...marks, name], (mark) => readFileSync(path.join(directory, mark), 'utf8')).includes(name);
}

const wouldNotBeRead = (name: string): CausewayError =>
  new CausewayError(
    'CW-API-WRITE',
    `${name} would not be read as a manifest: ${ignoreFile} names it, or its directory has output of render`,
    `take it out of ${ignoreFile}, or have the output somewhere else`,
  );

const notRead = (name: string): CausewayError =>
  new CausewayError(
    'CW-API-WRITE',
    `${name} is there already, and is none of the manifests that are read`,
    'see whether .causewayignore names it; take it away, or read it again',
  );
