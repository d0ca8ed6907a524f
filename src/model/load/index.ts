// Loading: manifests of a directory, a file or standard input → model, allocations, findings with their places.
import { KnownFiles } from './known-files.ts';
import { type FileCache, type Loaded, loadFiles } from './load-files.ts';
import { readTree } from './read-tree.ts';

export type { LoadedDocument } from './document.ts';
export { KnownFiles } from './known-files.ts';
export {
  type FileCache,
  type Loaded,
  type LoadOptions,
  type Locate,
  loadFiles,
  type ManifestFile,
} from './load-files.ts';
export { formatLock } from './lock.ts';
export { manifestsAmong } from './manifests-among.ts';
export {
  ignoreFile,
  isRendered,
  isSkipped,
  type ReadTree,
  readTree,
  renderIndexFile,
  secretsDirectory,
} from './read-tree.ts';
export { withPositions } from './sort-findings.ts';

/** Loaded from disk; `root` is what the paths in positions are relative to. */
export interface LoadedTree extends Loaded {
  readonly root: string;
}

/** Of what was loaded before: unchanged files are neither read nor parsed again. */
export class LoadMemory {
  readonly known = new KnownFiles();
  readonly cache: FileCache = new Map();
}

/**
 * Reads and parses `path`; `-` is standard input. Throws a CausewayError when `path` itself cannot be read; everything
 * else that is wrong is a finding.
 */
export async function load(path: string, { known, cache }: Partial<LoadMemory> = {}): Promise<LoadedTree> {
  const { root, files, findings } = await readTree(path, known === undefined ? {} : { known });
  return { ...loadFiles(files, { findings, cache }), root };
}
export { decode } from './decode.ts';
export { splitDocuments, withUnixBreaks } from './split-documents.ts';
