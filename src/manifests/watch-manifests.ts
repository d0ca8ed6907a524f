// Tells when manifests may have changed. Only directories with manifests are watched: what runs writes all the time
// beside them. Where the system cannot tell of changes, and now and then in any case, names, sizes and times are looked at.
import { type Dirent, type FSWatcher, readdirSync, type Stats, statSync, watch } from 'node:fs';
import path from 'node:path';
import { ignoreFile, isRendered, isSkipped } from '../model/load/index.ts';

export interface Watching {
  close(): void;
}

export interface WatchOptions {
  /** Editors write a file in several steps. @default 80 */
  readonly quietMs?: number;
  /** @default 400 */
  readonly pollMs?: number;
  /** How often it is looked although nothing was told. @default 5000 */
  readonly doubtMs?: number;
  /** For tests: as where the system has no watches left. */
  readonly watch?: typeof watch;
}

export function watchManifests(root: string, changed: () => void, options: WatchOptions = {}): Watching {
  const watcher = new ManifestWatcher(root, changed, options);
  watcher.start();
  return watcher;
}

class ManifestWatcher implements Watching {
  readonly #root: string;
  readonly #changed: () => void;
  readonly #options: WatchOptions;
  readonly #watchers = new Map<string, FSWatcher>();
  /** The system tells of changes in every directory. */
  #told = true;
  #seen = '';
  /** Where there are many, it is looked less often. */
  #files = 0;
  #quiet: NodeJS.Timeout | undefined;
  #next: NodeJS.Timeout | undefined;

  constructor(root: string, changed: () => void, options: WatchOptions) {
    this.#root = root;
    this.#changed = changed;
    this.#options = options;
  }

  start(): void {
    const { directories, signature, files } = manifestTree(this.#root);
    this.#files = files;
    this.#seen = signature;
    this.#follow(directories);
    this.#lookLater();
  }

  close(): void {
    clearTimeout(this.#quiet);
    clearTimeout(this.#next);
    for (const watcher of this.#watchers.values()) watcher.close();
  }

  #lookLater(): void {
    const { pollMs = 400, doubtMs = 5000 } = this.#options;
    const look = (): void => {
      this.#look();
      this.#lookLater();
    };
    const [everyMs, eachMs] = this.#told ? [doubtMs, 2] : [pollMs, 0.1];
    this.#next = setTimeout(look, everyMs + this.#files * eachMs);
  }

  #look(): void {
    const { directories, signature, files } = manifestTree(this.#root);
    this.#files = files;
    this.#follow(directories);
    if (signature === this.#seen) return;
    this.#seen = signature;
    this.#changed();
  }

  #follow(directories: ReadonlySet<string>): void {
    for (const directory of this.#watchers.keys()) if (!directories.has(directory)) this.#unwatch(directory);
    for (const directory of directories) if (!this.#watchers.has(directory)) this.#watch(directory);
  }

  #watch(directory: string): void {
    const soon = (): void => {
      clearTimeout(this.#quiet);
      this.#quiet = setTimeout(() => this.#look(), this.#options.quietMs ?? 80);
    };
    try {
      const watcher = (this.#options.watch ?? watch)(directory, { persistent: false }, soon);
      watcher.on('error', () => {
        this.#unwatch(directory);
        soon();
      });
      this.#watchers.set(directory, watcher);
    } catch {
      this.#told = false;
    }
  }

  #unwatch(directory: string): void {
    this.#watchers.get(directory)?.close();
    this.#watchers.delete(directory);
  }
}

interface Tree {
  readonly directories: ReadonlySet<string>;
  readonly signature: string;
  readonly files: number;
}

/** A directory that links lead back to is looked at once. */
function manifestTree(root: string): Tree {
  const directories = new Map<string, string>();
  const lines: string[] = [];
  const walk = (directory: string, { dev, ino }: Stats): void => {
    if (directories.has(`${dev}:${ino}`)) return;
    directories.set(`${dev}:${ino}`, directory);
    for (const entry of entriesOf(directory, root)) {
      const at = path.join(directory, entry.name);
      const stats = isInteresting(entry) ? tried(() => statSync(at)) : undefined;
      if (stats?.isDirectory()) walk(at, stats);
      else if (stats !== undefined) lines.push(`${at} ${stats.ino} ${stats.size} ${stats.mtimeMs}`);
    }
  };
  const stats = tried(() => statSync(root));
  if (stats !== undefined) walk(root, stats);
  return { directories: new Set(directories.values()), signature: lines.join('\n'), files: lines.length };
}

/** A directory that render wrote has none that matter; it is watched, because its index may be removed. */
function entriesOf(directory: string, root: string): readonly Dirent[] {
  const entries = tried(() => readdirSync(directory, { withFileTypes: true })) ?? [];
  return directory !== root && isRendered(entries) ? [] : entries;
}

/** Something may vanish while one looks, or be nobody's to read: whoever reads the manifests says so. */
function tried<Answer>(look: () => Answer): Answer | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

const isInteresting = (entry: Dirent): boolean => entry.name === ignoreFile || !isSkipped(entry);
