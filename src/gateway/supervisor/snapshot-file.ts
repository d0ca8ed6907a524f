// A file that is watched: written in place or replaced, on any file system, by an editor or by a symbolic link's swap.
import { type FSWatcher, readFileSync, statSync, watch } from 'node:fs';
import path from 'node:path';
import { readSnapshot, type SnapshotReading } from '../snapshot/read-snapshot.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** Events come in groups: this long nothing must have happened, */
const quietMs = 5;
/** and the file is looked at this often where events do not come at all (network file systems). */
const pollMs = 1000;

/** Who replaces a file may take it away first; after this long nobody does. */
const absentMs = 3000;

export interface WatchedFile {
  close(): void;
}

/**
 * Calls whenever the file is another one than `known`, its content changed, or it has been missing for a while; the
 * caller reads it. Who has read the file before passes what `signature` said before that, so that nothing is missed in
 * between.
 */
export function watchFile(file: string, changed: () => void, known = signature(file)): WatchedFile {
  let before = known;
  let thereAt = Date.now();
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const now = signature(file);
    if (now !== undefined) thereAt = Date.now();
    else if (Date.now() - thereAt < absentMs) return;
    if (now === before) return;
    before = now;
    changed();
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(look, quietMs);
  };
  const watcher = watchDirectory(path.dirname(file), soon);
  const poll = setInterval(look, pollMs).unref();
  soon();
  return {
    close: () => {
      clearTimeout(timer);
      clearInterval(poll);
      watcher?.close();
    },
  };
}

/** The directory, because a file that is replaced takes its watcher along. */
function watchDirectory(directory: string, changed: () => void): FSWatcher | undefined {
  try {
    return watch(directory, { persistent: false }, changed).on('error', () => {});
  } catch {
    return undefined;
  }
}

/** Tells contents of a file apart without reading it. */
export function signature(file: string): string | undefined {
  try {
    const { ino, size, mtimeNs } = statSync(file, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch {
    return undefined;
  }
}

/** Who writes in place has not finished when the text is no JSON; that is not worth a word until it stays so. */
const settleTimeoutMs = 1000;
const againMs = 20;

/** Undefined when the file is not there. A text that is no JSON is read again for a while. */
export async function readSettled(file: string, before?: Snapshot): Promise<SnapshotReading | undefined> {
  const until = Date.now() + settleTimeoutMs;
  for (;;) {
    const text = readText(file);
    const reading = text === undefined ? undefined : readSnapshot(text, before);
    if (reading?.snapshot !== undefined || Date.now() > until) return reading;
    if (text !== undefined && isJson(text)) return reading;
    await new Promise((resolve) => setTimeout(resolve, againMs));
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
