// Where manifests come from, and where what was given out for them is kept: a directory with its lock file.
import path from 'node:path';
import { type Allocations, lockFile } from '../model/index.ts';
import { formatLock, type Loaded, type LoadMemory, load } from '../model/load/index.ts';
import { writeAtomically } from '../sys/write-atomically.ts';
import { type Watching, watchManifests } from './watch-manifests.ts';

export interface ManifestSource {
  /** For people. */
  readonly place: string;
  /** With what was kept last. What has not changed since is not read and parsed again. */
  load(memory: LoadMemory): Promise<Loaded>;
  keep(allocations: Allocations): Promise<void>;
  /** Tells when another load may give something else. */
  watch(changed: () => void): Watching;
}

/** The path is absolute. */
export const manifestDirectory = (directory: string): ManifestSource => ({
  place: directory,
  load: (memory) => load(directory, memory),
  keep: async (allocations) => writeAtomically(path.join(directory, lockFile), formatLock(allocations)),
  watch: (changed) => watchManifests(directory, changed),
});
