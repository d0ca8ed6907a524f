// Keeps a supervisor at the content of a file: what is good is applied, what is bad is told and otherwise ignored.

import { type FSWatcher, readFileSync, renameSync, statSync, watch } from 'node:fs';
import path from 'node:path';
import { CausewayError } from '../../core/errors.ts';
import { sameJson } from '../../core/same-json.ts';
import type { Log } from '../../sys/log.ts';
import { createMutex } from '../../sys/mutex.ts';
import { type Snapshot, snapshotWarnings } from '../snapshot/index.ts';
import { readSnapshot, refusedSnapshot, type SnapshotReading } from '../snapshot/read-snapshot.ts';
import type { Rejection } from './admin-routes.ts';
import type { Supervisor } from './supervisor.ts';

/** The snapshot in a file, or all that is wrong with it. What is as it was `before` is not checked again. */
async function loadSnapshot(file: string, before: Snapshot | undefined): Promise<Snapshot> {
  const reading = await readSettled(file, before);
  if (reading === undefined)
    throw new CausewayError(
      'CW-GATEWAY-SNAPSHOT',
      `the snapshot ${file} cannot be read`,
      'name a file that exists and that this user may read; examples/gateway/snapshot.json is one to begin with',
    );
  if (reading.snapshot === undefined) throw refusedSnapshot(reading.problems);
  return reading.snapshot;
}

export class SnapshotSource {
  /** Why the newest content is not in force. */
  rejection: Rejection | undefined;
  readonly #supervisor: Supervisor;
  readonly #file: string;
  readonly #log: Log;
  #watched: WatchedFile[] = [];
  #certificateKey = '';
  #known: string | undefined;
  /** Nothing older is applied after what came later. */
  readonly #mutex = createMutex();
  #reading: Promise<void> | undefined;
  #again = false;

  constructor(supervisor: Supervisor, file: string, log: Log) {
    this.#supervisor = supervisor;
    this.#file = file;
    this.#log = log;
  }

  /** The content now; `watch` goes on from here. */
  load(): Promise<Snapshot> {
    this.#known = signature(this.#file);
    return loadSnapshot(this.#file, this.#supervisor.snapshot);
  }

  watch(): void {
    this.close();
    this.#watched = [watchFile(this.#file, () => void this.reload(), this.#known)];
    this.#watchCertificate();
  }

  close(): void {
    for (const file of this.#watched) file.close();
    this.#watched = [];
    this.#certificateKey = '';
  }

  /** One reading at a time; a change meanwhile is read after it. Resolves when it was applied, or refused. */
  reload(): Promise<void> {
    this.#again = this.#reading !== undefined;
    this.#reading ??= this.#mutex(() => this.#reload()).finally(() => {
      this.#reading = undefined;
      if (this.#again) void this.reload();
    });
    return this.#reading;
  }

  /**
   * What lies beside the file, with ".next" at the end of its name, is applied and becomes the file: the file is then
   * always one that was in force. When it is refused, nothing changes.
   */
  applyNext(): Promise<void> {
    return this.#mutex(async () => {
      const next = `${this.#file}.next`;
      await this.#take(await loadSnapshot(next, this.#supervisor.snapshot));
      renameSync(next, this.#file);
    });
  }

  /** What is in the file, or why it is not in force. */
  async #reload(): Promise<void> {
    try {
      await this.#take(await this.load());
    } catch (error) {
      this.#reject(error as Error);
    }
  }

  async #take(snapshot: Snapshot): Promise<void> {
    // Events come in groups, and editors save what is unchanged.
    if (sameJson(snapshot, this.#supervisor.snapshot)) return this.#inOrder(snapshot);
    await this.#supervisor.apply(snapshot);
    this.rejection = undefined;
    this.#log.info('snapshot in force', {
      version: snapshot.version,
      clusters: Object.keys(snapshot.clusters).length,
    });
    for (const warning of snapshotWarnings(snapshot)) this.#log.warn(warning);
    this.#watchCertificate();
  }

  #inOrder({ version }: Snapshot): void {
    if (this.rejection !== undefined)
      this.#log.info('the snapshot is in order again: it is the one in force', { version });
    this.rejection = undefined;
  }

  #reject(error: Error): void {
    this.rejection = { at: new Date(), problem: error.message };
    const fix = error instanceof CausewayError ? error.fix : undefined;
    const inForce = this.#supervisor.snapshot?.version;
    const then = inForce === undefined ? 'there is none in force' : 'the snapshot before it stays in force';
    this.#log.error(`${error.message}\n${then}`, { inForce, fix });
  }

  /** The names are in the snapshot, so the files may be others each time. */
  #watchCertificate(): void {
    const files = this.#supervisor.certificateFiles();
    const key = JSON.stringify(files ?? '');
    if (key === this.#certificateKey || this.#watched.length === 0) return;
    this.#certificateKey = key;
    for (const file of this.#watched.splice(1)) file.close();
    for (const file of Object.values(files ?? {})) this.#watched.push(watchFile(file, () => this.#renew()));
  }

  /** Two files are replaced one after the other: between the two they do not fit, and the second one tells again. */
  #renew(): void {
    this.#supervisor.reloadCertificate().then(
      () => this.#log.info('the tunnel has a new certificate'),
      (error: Error) => this.#log.warn(`${error.message}; the certificate before it stays in use`),
    );
  }
}

// A file that is watched: written in place or replaced, on any file system, by an editor or by a symbolic link's swap.

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
  let thereAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const now = signature(file);
    if (now !== undefined) thereAt = performance.now();
    else if (performance.now() - thereAt < absentMs) return;
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
  const until = performance.now() + settleTimeoutMs;
  for (;;) {
    const text = readText(file);
    const reading = text === undefined ? undefined : readSnapshot(text, before);
    if (reading?.snapshot !== undefined || performance.now() > until) return reading;
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
