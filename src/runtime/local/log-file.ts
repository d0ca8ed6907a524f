// What a component says. It writes into the file itself, so that its words are kept when we end suddenly; when the file
// has grown, the component stands still for the moment in which its lines are moved away, so that none is lost.
import { closeSync, copyFileSync, openSync, readSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { makeDirectory } from '../../sys/make-directory.ts';

interface LogOptions {
  /** @default 10 MiB */
  readonly rotateBytes?: number;
  /** The newest included. @default 3 */
  readonly files?: number;
}

type Listener = (line: string) => void;
const followMs = 150;
/** As much of a log as is looked through for a reason. */
const explainingBytes = 16 * 1024;

export class LogFile {
  readonly path: string;
  readonly #rotateBytes: number;
  readonly #older: readonly string[];
  readonly #listeners = new Set<Listener>();
  #follower: { timer: NodeJS.Timeout; offset: number; decoder: StringDecoder; rest: string } | undefined;

  constructor(file: string, { rotateBytes = 10 * 1024 * 1024, files = 3 }: LogOptions = {}) {
    this.path = file;
    this.#rotateBytes = rotateBytes;
    this.#older = Array.from({ length: files - 1 }, (_, index) => `${file}.${index + 1}`);
  }

  /** To be written to; whoever gets it closes it. */
  open(): number {
    makeDirectory(path.dirname(this.path), 0o700);
    return openSync(this.path, 'a', 0o600);
  }

  get size(): number {
    return sizeOf(this.path);
  }

  get isLarge(): boolean {
    return this.size > this.#rotateBytes;
  }

  /** Only while nobody writes. Whoever ends in the middle of it leaves lines twice, never none. */
  rotate(): void {
    this.#read();
    const [newest = '', ...others] = this.#older;
    const aside = `${newest}.tmp`;
    try {
      copyFileSync(this.path, aside);
      for (const [index, to] of [...others.entries()].reverse()) renameIfThere(this.#older[index] as string, to);
      renameSync(aside, newest);
      truncateSync(this.path);
    } finally {
      rmSync(aside, { force: true });
    }
    if (this.#follower) this.#follower.offset = 0;
  }

  async tail(lines: number): Promise<readonly string[]> {
    let found: string[] = [];
    for (const file of [this.path, ...this.#older]) {
      if (found.length >= lines) break;
      found = [...(await lastLines(file, lines - found.length)), ...found];
    }
    return found;
  }

  /** What was said since the file had this size; only the end of it. */
  said(since: number): readonly string[] {
    const { size } = this;
    const from = since > size ? 0 : since;
    return readFrom(this.path, Math.max(from, size - explainingBytes))
      .toString('utf8')
      .trimEnd()
      .split('\n');
  }

  follow(listener: Listener): () => void {
    // Each gets an entry of its own, even if it is the same function.
    const entry: Listener = (line) => listener(line);
    this.#listeners.add(entry);
    this.#follower ??= {
      timer: setInterval(() => this.#read(), followMs).unref(),
      offset: this.size,
      decoder: new StringDecoder('utf8'),
      rest: '',
    };
    return () => {
      this.#listeners.delete(entry);
      if (this.#listeners.size === 0) this.#stopFollowing();
    };
  }

  #stopFollowing(): void {
    clearInterval(this.#follower?.timer);
    this.#follower = undefined;
  }

  /** Hands on what was added since the last time. */
  #read(): void {
    const follower = this.#follower;
    if (follower === undefined) return;
    // Somebody else has emptied it.
    if (this.size < follower.offset) follower.offset = 0;
    const fresh = readFrom(this.path, follower.offset);
    follower.offset += fresh.length;
    const lines = (follower.rest + follower.decoder.write(fresh)).split('\n');
    follower.rest = lines.pop() ?? '';
    for (const line of lines) for (const listener of this.#listeners) listener(line);
  }
}

function renameIfThere(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false })) renameSync(from, to);
}

/** Nobody stops looking after a component because its log cannot be read: that counts as nothing said. */
function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}

function readFrom(file: string, offset: number): Buffer {
  const buffer = Buffer.alloc(Math.max(0, sizeOf(file) - offset));
  if (buffer.length === 0) return buffer;
  try {
    const open = openSync(file, 'r');
    try {
      return buffer.subarray(0, readSync(open, buffer, 0, buffer.length, offset));
    } finally {
      closeSync(open);
    }
  } catch {
    return Buffer.alloc(0);
  }
}

const firstBytes = 64 * 1024;

/** Oldest first; nothing where there is no file. Reads only as much of its end as it must. */
async function lastLines(file: string, lines: number): Promise<string[]> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file);
    const { size } = await handle.stat();
    for (let bytes = firstBytes; ; bytes *= 4) {
      const text = await endOf(handle, size, bytes);
      const found = text.replace(/\n$/, '').split('\n');
      // The first of these may have lost its beginning.
      if (bytes >= size) return size === 0 ? [] : found.slice(-lines);
      if (found.length > lines) return found.slice(-lines);
    }
  } catch {
    return [];
  } finally {
    await handle?.close();
  }
}

async function endOf(handle: FileHandle, size: number, bytes: number): Promise<string> {
  const length = Math.min(size, bytes);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
  return buffer.toString('utf8', 0, bytesRead);
}
