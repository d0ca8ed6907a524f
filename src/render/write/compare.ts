// What is in the output directory against what should be: decided as a whole before anything is touched.
import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { RenderedFile } from '../artefact.ts';
import { RenderError } from '../errors.ts';
import { hashOf, type Manifest, type ManifestEntry, manifestName } from './manifest.ts';

export type DriftState = 'missing' | 'changed' | 'stale';
export interface Drift {
  readonly path: string;
  readonly state: DriftState;
}

export interface Comparison {
  readonly write: readonly RenderedFile[];
  readonly unchanged: readonly string[];
  readonly remove: readonly string[];
  readonly drift: readonly Drift[];
  /** Sentences, one per file that is not ours to touch. */
  readonly conflicts: readonly string[];
}

export interface CompareOptions {
  /** Files of other artefacts are left alone. @default all artefacts */
  readonly only?: readonly string[];
  readonly force?: boolean;
}

export async function compare(
  files: readonly RenderedFile[],
  outDir: string,
  manifest: Manifest,
  options: CompareOptions,
): Promise<Comparison> {
  assertPaths(files);
  const found = await Promise.all(files.map((file) => compareFile(file, outDir, manifest.get(file.path), options)));
  const wanted = new Set(files.map((file) => file.path));
  const old = [...manifest].filter(([name, entry]) => !wanted.has(name) && inScope(entry, options));
  const stale = await Promise.all(old.map(([name, entry]) => compareStale(name, outDir, entry, options)));
  const all = [...found, ...stale];
  return {
    write: found.flatMap((part) => part.write ?? []),
    unchanged: found.flatMap((part) => part.unchanged ?? []),
    remove: stale.flatMap((part) => part.remove ?? []),
    drift: all.flatMap((part) => part.drift ?? []),
    conflicts: all.flatMap((part) => part.conflict ?? []),
  };
}

interface Part {
  readonly write?: RenderedFile;
  readonly unchanged?: string;
  readonly remove?: string;
  readonly drift?: Drift;
  readonly conflict?: string;
}

const inScope = ({ artefact }: ManifestEntry, { only }: CompareOptions): boolean => only?.includes(artefact) ?? true;

async function compareFile(
  file: RenderedFile,
  outDir: string,
  known: ManifestEntry | undefined,
  { force = false }: CompareOptions,
): Promise<Part> {
  const there = await look(outDir, file.path);
  if (there === 'missing') return { write: file, drift: { path: file.path, state: 'missing' } };
  const drift: Drift = { path: file.path, state: 'changed' };
  if (typeof there === 'object') return { drift, conflict: there.obstacle };
  if (there === hashOf(file.text)) return { unchanged: file.path };
  if (known === undefined) return { drift, conflict: `${file.path} exists already and was not written by render` };
  if (force || isAsWritten(there, known)) return { write: file, drift };
  return { drift, conflict: `${file.path} was changed by hand since it was written` };
}

async function compareStale(
  name: string,
  outDir: string,
  known: ManifestEntry,
  options: CompareOptions,
): Promise<Part> {
  const there = await look(outDir, name);
  if (there === 'missing') return { remove: name };
  const drift: Drift = { path: name, state: 'stale' };
  if (typeof there === 'object') return { drift, conflict: there.obstacle };
  if (options.force || isAsWritten(there, known)) return { remove: name, drift };
  return { drift, conflict: `${name} is not needed any more, but was changed by hand since it was written` };
}

const isAsWritten = (hash: string, known: ManifestEntry): boolean => hash === known.sha256 || hash === known.previous;

/** The hash of a file, or why there is none. Links are not followed: they could lead out of the directory. */
async function look(outDir: string, name: string): Promise<string | 'missing' | { obstacle: string }> {
  const steps = name.split('/');
  for (let i = 1; i <= steps.length; i++) {
    const part = steps.slice(0, i).join('/');
    const stats = await lstat(path.join(outDir, part)).catch(ignoreMissing);
    if (stats === undefined) return 'missing';
    if (i < steps.length && !stats.isDirectory()) return { obstacle: `${part} is in the way: it is no directory` };
    if (i === steps.length && !stats.isFile()) return { obstacle: `${part} is in the way: it is no regular file` };
  }
  return hashOf(await readFile(path.join(outDir, name)));
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}

function assertPaths(files: readonly RenderedFile[]): void {
  const seen = new Set<string>();
  for (const { path: name } of files) {
    const inside =
      path.posix.normalize(name) === name && !name.startsWith('/') && !name.startsWith('..') && name !== '.';
    if (!inside || name === manifestName || seen.has(name)) {
      throw new RenderError(
        'bad-path',
        `The artefact file ${name} has no place in the output directory.`,
        'Please report it.',
      );
    }
    seen.add(name);
  }
}
