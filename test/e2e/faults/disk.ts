// A disk that fails. Loaded before anything else it stands between Node and the file system, counts every operation that
// changes something below one directory, and lets a chosen one fail: the process is killed before it or in its middle, or
// it is told that the disk is full or broken. What other programs and SQLite write is not seen.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';

export type FaultKind = 'kill' | 'ENOSPC' | 'EIO';

export interface Fault {
  readonly kind: FaultKind;
  /** The number of the operation, from 0. */
  readonly at: number;
  /** By the signal; else nothing changes any more from there on, and whoever tries is stopped. @default false */
  readonly really?: boolean;
}

export interface Outcome {
  /** All that were begun, in words: which, and which file. */
  readonly operations: readonly string[];
  /** What the work ended with, where it was not killed. */
  readonly error: unknown;
  readonly killed: boolean;
}

/** Stops what would go on in a process that is dead. */
class Killed extends Error {}

interface Watch {
  readonly root: string;
  readonly fault: Fault | undefined;
  readonly operations: string[];
  dead: boolean;
  full: boolean;
}

let watched: Watch | undefined;
/** Open for writing, below the directory. */
const handles = new Map<number, string>();

/** The disk is whole again afterwards. */
export async function onDisk(root: string, fault: Fault | undefined, work: () => Promise<unknown>): Promise<Outcome> {
  const watch: Watch = { root: path.resolve(root), fault, operations: [], dead: false, full: false };
  watched = watch;
  let error: unknown;
  try {
    await work();
  } catch (thrown) {
    error = thrown;
  } finally {
    watched = undefined;
    handles.clear();
  }
  return { operations: watch.operations, error: watch.dead ? undefined : error, killed: watch.dead };
}

type Half = () => unknown;

/** Before an operation, and again in its middle, where it has one. */
function begin(name: string, file: unknown, allocates: boolean, half?: Half): void {
  const watch = watched;
  if (watch === undefined || typeof file !== 'string' || !isBelow(watch.root, file)) return;
  if (watch.dead) throw new Killed();
  if (watch.full && allocates) throw failed('ENOSPC', name, file);
  const words = `${name} ${path.relative(watch.root, path.resolve(file))}`;
  strike(watch, words, name, file);
  if (half !== undefined) strike(watch, `half of ${words}`, name, file, half);
}

const isBelow = (root: string, file: string): boolean => `${path.resolve(file)}/`.startsWith(`${root}/`);

function strike(watch: Watch, words: string, name: string, file: string, half: Half = () => {}): void {
  const number = watch.operations.push(words) - 1;
  const { fault } = watch;
  if (fault === undefined || fault.at !== number) return;
  watched = undefined;
  try {
    half();
  } finally {
    watched = watch;
  }
  if (fault.kind !== 'kill') {
    watch.full = fault.kind === 'ENOSPC';
    throw failed(fault.kind, name, file);
  }
  watch.dead = true;
  if (fault.really) for (process.kill(process.pid, 'SIGKILL'); ; );
  throw new Killed();
}

const words: Readonly<Record<string, string>> = { ENOSPC: 'no space left on device', EIO: 'i/o error' };
const failed = (code: string, syscall: string, file: string): Error =>
  Object.assign(new Error(`${code}: ${words[code]}, ${syscall} '${file}'`), { code, syscall, path: file });

type Call = (...args: never[]) => unknown;
type Functions = Record<string, Call>;
/** What a half of it does to the disk. */
type Middle = (...args: unknown[]) => Half | undefined;

const real = { ...fs } as unknown as Record<string, (...args: unknown[]) => unknown>;
const isWriting = (flags: unknown): boolean =>
  typeof flags === 'number' ? (flags & 3) !== 0 : /[wa+]/.test(String(flags ?? 'r'));
const halfText: Middle = (file, data, options) => () =>
  real.writeFileSync?.(
    file,
    Buffer.from(data as string).subarray(0, Buffer.byteLength(data as string) >> 1),
    withoutFlush(options),
  );
const withoutFlush = (options: unknown): unknown =>
  typeof options === 'object' && options !== null ? { ...options, flush: false } : options;
const halfCopy: Middle = (from, to) => () => {
  const bytes = fs.readFileSync(from as string);
  real.writeFileSync?.(to, bytes.subarray(0, bytes.length >> 1));
};
/** Of a directory, one of its entries is gone. */
const halfRemoval: Middle = (file) => {
  if (!fs.statSync(file as string, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const [first] = fs.readdirSync(file as string);
  return first === undefined ? undefined : () => real.rmSync?.(path.join(file as string, first), { recursive: true });
};

interface Kind {
  readonly name: string;
  /** Which argument is changed. */
  readonly changed?: number;
  readonly allocates?: boolean;
  readonly middle?: Middle;
}

const kinds: readonly Kind[] = [
  { name: 'writeFile', allocates: true, middle: halfText },
  { name: 'appendFile', allocates: true },
  { name: 'copyFile', changed: 1, allocates: true, middle: halfCopy },
  { name: 'mkdir', allocates: true },
  { name: 'symlink', changed: 1, allocates: true },
  { name: 'link', changed: 1, allocates: true },
  { name: 'rename', changed: 1 },
  { name: 'rm', middle: halfRemoval },
  ...['unlink', 'rmdir', 'chmod', 'truncate', 'utimes'].map((name) => ({ name })),
];

function beginKind({ name, changed = 0, allocates = false, middle }: Kind, args: unknown[]): void {
  // What is not there is not removed.
  if (name === 'rm' && !fs.existsSync(args[0] as string)) return;
  begin(name, String(args[changed]), allocates, middle?.(...args));
}

function wrapKinds(functions: Functions, suffix: '' | 'Sync'): void {
  for (const kind of kinds) {
    const name = `${kind.name}${suffix}`;
    const call = functions[name] as (...args: unknown[]) => unknown;
    functions[name] = (
      suffix === 'Sync'
        ? (...args: unknown[]) => {
            beginKind(kind, args);
            return call(...args);
          }
        : async (...args: unknown[]) => {
            beginKind(kind, args);
            return call(...args);
          }
    ) as Call;
  }
}

/** Files that are written through a handle. */
function wrapHandles(): void {
  const { openSync, writeSync, fsyncSync, ftruncateSync } = real as Record<string, (...args: unknown[]) => unknown>;
  const functions = fs as unknown as Record<string, unknown>;
  functions.openSync = (file: string, flags: unknown, mode: unknown) => {
    if (isWriting(flags)) begin('open', file, true);
    const handle = openSync?.(file, flags, mode) as number;
    if (watched !== undefined && isWriting(flags) && isBelow(watched.root, file)) handles.set(handle, file);
    return handle;
  };
  for (const [name, call] of Object.entries({ writeSync, fsyncSync, ftruncateSync }))
    functions[name] = (handle: number, ...args: unknown[]) => {
      begin(name, handles.get(handle), name === 'writeSync');
      return call?.(handle, ...args);
    };
  const { open } = fs.promises;
  fs.promises.open = async (file, flags, mode) => {
    if (isWriting(flags)) begin('open', String(file), /[wa]/.test(String(flags)));
    const handle = await open(file, flags, mode);
    if (isWriting(flags)) wrapHandle(handle as unknown as Functions, String(file));
    return handle;
  };
}

function wrapHandle(handle: Functions, file: string): void {
  for (const name of ['write', 'writeFile', 'appendFile', 'sync', 'chmod', 'truncate']) {
    const call = (handle[name] as (...args: unknown[]) => unknown).bind(handle);
    handle[name] = (async (...args: unknown[]) => {
      begin(name, file, /write|append/.test(name));
      return call(...args);
    }) as Call;
  }
}

wrapKinds(fs as unknown as Functions, 'Sync');
wrapKinds(fs.promises as unknown as Functions, '');
wrapHandles();
syncBuiltinESMExports();
