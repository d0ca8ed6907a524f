// Files that were read before: one that has not changed since is not read again.
import { type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../finding.ts';
import type { ManifestFile } from './load-files.ts';

export interface ReadPart {
  readonly files: readonly ManifestFile[];
  readonly findings: readonly Finding[];
}

type Stamp = Pick<Stats, 'ino' | 'size' | 'mtimeMs' | 'ctimeMs'>;

/** Clocks of file systems are coarse: what changed a moment ago may change again without its time telling. */
const settledMs = 1000;

export class KnownFiles {
  readonly #known = new Map<string, Stamp & { readonly part: ReadPart }>();

  read(path: string, stats: Stats, readNow: () => ReadPart): ReadPart {
    const known = this.#known.get(path);
    if (known !== undefined && isSame(known, stats)) return known.part;
    const { ino, size, mtimeMs, ctimeMs } = stats;
    const part = readNow();
    if (Date.now() - ctimeMs > settledMs) this.#known.set(path, { ino, size, mtimeMs, ctimeMs, part });
    else this.#known.delete(path);
    return part;
  }

  /** It is on disk as it was read. */
  isCurrent(root: string, path: string): boolean {
    const known = this.#known.get(path);
    const stats = statSync(join(root, path), { throwIfNoEntry: false });
    return known !== undefined && stats !== undefined && isSame(known, stats);
  }
}

const isSame = (a: Stamp, b: Stamp): boolean =>
  a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;
