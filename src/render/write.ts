// Writes artefacts to a directory that it owns file by file: see docs/decisions/0005-render-owns-its-files.md.
import { randomBytes } from 'node:crypto';
import type { RenderedFile } from './artefact.ts';
import { RenderError } from './errors.ts';
import { commit, discard, removeFiles, type Staged, stage } from './write/apply.ts';
import { type CompareOptions, type Comparison, compare, type Drift } from './write/compare.ts';
import {
  hashOf,
  type Manifest,
  type ManifestEntry,
  manifestName,
  manifestText,
  readManifest,
} from './write/manifest.ts';

export type { Drift, DriftState } from './write/compare.ts';

export interface WriteOptions extends CompareOptions {
  /** Writes nothing; `drift` tells what would change. */
  readonly check?: boolean;
}

export interface WriteResult {
  readonly written: readonly string[];
  readonly unchanged: readonly string[];
  readonly removed: readonly string[];
  readonly drift: readonly Drift[];
}

/**
 * Brings `outDir` to exactly these files. Only files that an earlier run wrote are replaced or removed; one that is
 * foreign, or was edited since, is an error that names it, and then nothing is written.
 */
export async function writeArtefacts(
  files: readonly RenderedFile[],
  outDir: string,
  options: WriteOptions = {},
): Promise<WriteResult> {
  try {
    const manifest = await readManifest(outDir);
    const comparison = await compare(files, outDir, manifest, options);
    if (options.check) return { written: [], unchanged: comparison.unchanged, removed: [], drift: comparison.drift };
    refuseConflicts(comparison, outDir);
    await apply(files, outDir, manifest, comparison);
    return {
      written: comparison.write.map((file) => file.path),
      unchanged: comparison.unchanged,
      removed: comparison.remove,
      drift: [],
    };
  } catch (error) {
    throw error instanceof RenderError ? error : unwritable(outDir, error as NodeJS.ErrnoException);
  }
}

function refuseConflicts({ conflicts }: Comparison, outDir: string): void {
  if (conflicts.length === 0) return;
  const message = `Nothing was written to ${outDir}: ${conflicts.join('; ')}.`;
  const fix = 'Move these files away or choose another directory; --force overwrites what was changed by hand.';
  throw new RenderError('conflict', message, fix);
}

/**
 * First the manifest learns both the old and the new content of every file, then the files change, then it forgets the
 * old. Whenever the machine stops, the next run still knows which files are ours.
 */
async function apply(
  files: readonly RenderedFile[],
  outDir: string,
  before: Manifest,
  { write, remove }: Comparison,
): Promise<void> {
  const after = manifestAfter(files, before, remove);
  if (write.length + remove.length === 0 && manifestText(after) === manifestText(before)) return;
  const mark = randomBytes(4).toString('hex');
  const staged = await stage(
    outDir,
    [{ path: manifestName, text: manifestText(transition(before, after)) }, ...write],
    mark,
  );
  await rename(staged);
  await removeFiles(outDir, remove);
  await rename(await stage(outDir, [{ path: manifestName, text: manifestText(after) }], mark));
}

async function rename(staged: readonly Staged[]): Promise<void> {
  try {
    await commit(staged);
  } catch (error) {
    await discard(staged);
    throw error;
  }
}

function manifestAfter(files: readonly RenderedFile[], before: Manifest, remove: readonly string[]): Manifest {
  const after = new Map<string, ManifestEntry>(
    [...before].map(([name, { artefact, sha256 }]) => [name, { artefact, sha256 }]),
  );
  for (const name of remove) after.delete(name);
  for (const { path, artefact, text } of files) after.set(path, { artefact, sha256: hashOf(text) });
  return after;
}

const transition = (before: Manifest, after: Manifest): Manifest =>
  new Map([
    ...before,
    ...[...after].map(([name, entry]) => {
      const previous = before.get(name)?.sha256;
      return [name, previous === undefined || previous === entry.sha256 ? entry : { ...entry, previous }] as const;
    }),
  ]);

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'it is on a read-only file system',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a file is in the way',
};

function unwritable(outDir: string, error: NodeJS.ErrnoException): RenderError {
  const reason = reasons[error.code ?? ''] ?? error.message;
  const where = error.path === undefined ? outDir : `${outDir} (${error.path})`;
  const fix = 'Make the directory writable, or choose another one with --out.';
  return new RenderError('unwritable', `The artefacts could not be written to ${where}: ${reason}.`, fix, error);
}
