// Manifests from disk: a directory with everything below it, one file, or standard input. The only I/O of loading.
// Files are read synchronously: for ten thousand small ones that is twice as fast, and nothing else is going on.
import { closeSync, type Dirent, openSync, readdirSync, readFileSync, readSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { byName } from '../../core/names.ts';
import { lockFile } from '../allocations.ts';
import type { Finding } from '../finding.ts';
import { decode } from './decode.ts';
import { type IgnoreRule, isIgnored, parseIgnoreFile } from './ignore-rules.ts';
import { KnownFiles, type ReadPart } from './known-files.ts';
import type { ManifestFile } from './load-files.ts';
import { noRegularFile, readTwice, refusedRoot, tooLargeFile, unreadable, unreadableRoot } from './read-errors.ts';

export const maxFileSize = 64 * 1024 * 1024;
export const ignoreFile = '.causewayignore';
/** The index that `render` keeps in its output directory: see docs/decisions/0005-render-owns-its-files.md. */
export const renderIndexFile = '.causeway-render.json';
export const stdinName = '<stdin>';
/** Secret files live there, beside the manifests; it is not searched for manifests. */
export const secretsDirectory = 'secrets';

export interface ReadTree {
  /** What `path` of the files is relative to; empty for standard input. */
  readonly root: string;
  /** Sorted by path; the lock of the root is among them under its name. */
  readonly files: readonly ManifestFile[];
  readonly findings: readonly Finding[];
}

export interface ReadOptions {
  /** @default that of this process */
  readonly input?: AsyncIterable<Uint8Array>;
  /** What was read before of the same directory. */
  readonly known?: KnownFiles;
}

/** `-` is standard input. Throws a CausewayError when `path` itself cannot be read. */
export async function readTree(path: string, options: ReadOptions = {}): Promise<ReadTree> {
  if (path === '-') return readStdin(options.input ?? process.stdin);
  const stats = rootStats(path);
  if (stats.isDirectory()) return readDirectory(path, options.known ?? new KnownFiles());
  if (!stats.isFile() && !stats.isFIFO()) {
    throw refusedRoot(path, 'is a device or socket', 'Name a directory or file, or - for standard input.');
  }
  return readSingle(path);
}

function rootStats(path: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    throw unreadableRoot(path, error);
  }
}

async function readStdin(input: AsyncIterable<Uint8Array>): Promise<ReadTree> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of input) {
    size += part.length;
    if (size > maxFileSize) throw refusedRoot('standard input', 'has more than 64 MiB', 'Split it.');
    parts.push(part);
  }
  return { root: '', ...decoded(stdinName, Buffer.concat(parts)) };
}

/** One file, with the lock that lies beside it. */
function readSingle(path: string): ReadTree {
  const [root, name] = [dirname(path), basename(path)];
  try {
    const own = readBytes(path, name);
    const lock = name === lockFile ? undefined : statSync(join(root, lockFile), { throwIfNoEntry: false });
    const beside = lock?.isFile() ? readBytes(join(root, lockFile), lockFile) : { files: [], findings: [] };
    return { root, files: [...own.files, ...beside.files], findings: [...own.findings, ...beside.findings] };
  } catch (error) {
    throw unreadableRoot(path, error);
  }
}

/** Everything that is collected while walking a directory. */
interface Walk {
  readonly root: string;
  readonly known: KnownFiles;
  readonly files: ManifestFile[];
  readonly findings: Finding[];
  /** Directories by device and inode: a second way to one of them is a loop, or reads it twice. */
  readonly seen: Map<string, string>;
}

function readDirectory(root: string, known: KnownFiles): ReadTree {
  const walk: Walk = { root, known, files: [], findings: [], seen: new Map() };
  try {
    readdirSync(root);
  } catch (error) {
    throw unreadableRoot(root, error);
  }
  walkDirectory(walk, '', []);
  return { root, files: walk.files, findings: walk.findings };
}

/** `path` is relative to the root, with a trailing slash or empty. */
function walkDirectory(walk: Walk, path: string, above: readonly IgnoreRule[]): void {
  const directory = join(walk.root, path);
  const id = identityOf(directory);
  const other = walk.seen.get(id);
  if (other !== undefined) {
    walk.findings.push(readTwice(path.slice(0, -1), other));
    return;
  }
  walk.seen.set(id, path.slice(0, -1));
  const entries = readdirSync(directory, { withFileTypes: true }).sort((a, b) => byName(a.name, b.name));
  if (path !== '' && isRendered(entries)) return;
  const hasRules = entries.some(({ name }) => name === ignoreFile);
  const rules = hasRules ? [...above, ...readRules(walk, path)] : above;
  for (const entry of entries) {
    if (path + entry.name === secretsDirectory) continue;
    if (!isSkipped(entry)) guarded(walk, path + entry.name, () => visit(walk, path, entry, rules));
  }
}

function identityOf(directory: string): string {
  const { dev, ino } = statSync(directory, { bigint: true });
  return `${dev}:${ino}`;
}

/** Hidden entries belong to tools (.git, .github, editor locks), node_modules to nobody; other files are no manifests. */
export const isSkippedName = (name: string, isFile: boolean): boolean =>
  name.startsWith('.') || name === 'node_modules' || (isFile && !isManifest(name));
export const isSkipped = (entry: Dirent): boolean => isSkippedName(entry.name, entry.isFile());
/** Output of `render`: its YAML is for other programs. The root is exempt, because it was named. */
export const isRendered = (entries: readonly Dirent[]): boolean => entries.some(({ name }) => name === renderIndexFile);
const isManifest = (name: string): boolean => /\.ya?ml$/i.test(name);

function visit(walk: Walk, directory: string, entry: Dirent, rules: readonly IgnoreRule[]): void {
  const path = directory + entry.name;
  // An ignored entry is not even looked at, so that what cannot be read can be ignored.
  if (isIgnored(rules, path, entry.isDirectory())) return;
  const stats = statSync(join(walk.root, path), { throwIfNoEntry: isManifest(path) });
  if (stats === undefined) return; // A broken link that nobody would have read.
  if (stats.isDirectory()) {
    if (!isIgnored(rules, path, true)) walkDirectory(walk, `${path}/`, rules);
  } else if (isManifest(path)) collect(walk, path, stats);
}

function collect(walk: Walk, path: string, stats: Stats): void {
  if (!stats.isFile()) walk.findings.push(noRegularFile(path));
  else if (stats.size > maxFileSize) walk.findings.push(tooLargeFile(path, stats.size));
  else
    add(
      walk,
      walk.known.read(path, stats, () => decoded(path, readFileSync(join(walk.root, path)))),
    );
}

function readRules(walk: Walk, path: string): IgnoreRule[] {
  let rules: IgnoreRule[] = [];
  guarded(walk, path + ignoreFile, () => {
    const { files, findings } = decoded(path + ignoreFile, readFileSync(join(walk.root, path, ignoreFile)));
    walk.findings.push(...findings);
    rules = parseIgnoreFile(files[0]?.text ?? '', path);
  });
  return rules;
}

function guarded(walk: Walk, path: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    walk.findings.push(unreadable(path, error));
  }
}

function add(walk: Walk, { files, findings }: ReadPart): void {
  walk.files.push(...files);
  walk.findings.push(...findings);
}

function decoded(path: string, bytes: Uint8Array): ReadPart {
  const result = decode(path, bytes);
  return 'text' in result
    ? { files: [{ path, text: result.text }], findings: [] }
    : { files: [], findings: [result.finding] };
}

/** Bounded also for pipes, which do not tell their size. */
function readBytes(path: string, name: string): ReadPart {
  const descriptor = openSync(path, 'r');
  try {
    const parts: Uint8Array[] = [];
    for (let size = 0; size <= maxFileSize; ) {
      const buffer = Buffer.allocUnsafe(1024 * 1024);
      const count = readSync(descriptor, buffer);
      if (count === 0) return decoded(name, Buffer.concat(parts));
      parts.push(buffer.subarray(0, count));
      size += count;
    }
    return { files: [], findings: [tooLargeFile(name, maxFileSize + 1)] };
  } finally {
    closeSync(descriptor);
  }
}
