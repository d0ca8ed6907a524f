// Loading: manifests of a directory, a file or standard input → model, allocations, findings with their places.
import { type FileCache, type Loaded, loadFiles } from './load-files.ts';
import { readTree } from './read-tree.ts';

export type { LoadedDocument } from './document.ts';
export {
  type FileCache,
  type Loaded,
  type LoadOptions,
  type Locate,
  loadFiles,
  type ManifestFile,
} from './load-files.ts';
export { formatLock } from './lock.ts';
export { type ReadTree, readTree } from './read-tree.ts';
export { withPositions } from './sort-findings.ts';

/** Loaded from disk; `root` is what the paths in positions are relative to. */
export interface LoadedTree extends Loaded {
  readonly root: string;
}

/**
 * Reads and parses `path`; `-` is standard input. Throws a CausewayError when `path` itself cannot be read; everything
 * else that is wrong is a finding.
 */
export async function load(path: string, cache?: FileCache): Promise<LoadedTree> {
  const { root, files, findings } = await readTree(path);
  return { ...loadFiles(files, { findings, cache }), root };
}
