// The audit log: who did what, and how it ended. A file that is only added to, beside the event log and not part of it, so
// that nothing displaces an entry. Each entry carries the hash of the one before: whoever changes, drops or adds one
// in between is found out (`causeway audit verify`). Full files are put aside under the number of their first entry.
import { hash } from 'node:crypto';
import {
  closeSync,
  fdatasync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { platformHome } from '../runtime/local/home.ts';
import { privateDirectory } from '../sys/private-files.ts';

export interface AuditEvent {
  /** Who: the name that the API knows them by; empty: nobody was signed in. */
  readonly who: string;
  /** Id of the session or token. */
  readonly credential?: string;
  /** Address; absent at the control socket. */
  readonly from?: string;
  /** By the API, by a command at the control socket, or by the log itself. */
  readonly via: 'api' | 'control' | 'log';
  readonly what: string;
  /** Of the answer. */
  readonly status: number;
  /** What was given away: the id of a kubeconfig. */
  readonly issued?: string;
}

export interface AuditEntry extends AuditEvent {
  /** From 1, without gaps. */
  readonly seq: number;
  /** ISO 8601. */
  readonly at: string;
  /** Hash of the entry before. */
  readonly prev: string;
  readonly hash: string;
}

export interface AuditLog {
  /** Never throws: what was done is done, and `failed` says that it is not written. */
  write(event: AuditEvent): void;
  close(): void;
}

export interface AuditLogOptions {
  readonly now?: () => number;
  /** Of one file. @default 16 MiB */
  readonly mostBytes?: number;
  /** Files that are kept, with the newest. @default 64 */
  readonly mostFiles?: number;
  failed?(error: Error): void;
}

/** Of a platform, by the directory of its manifests. */
export const auditDirectory = (manifests: string): string => path.join(platformHome(manifests).state, 'audit');

const current = 'audit.log';
const mebibyte = 1024 * 1024;
/** Of the entry before the first. */
const noHash = '0'.repeat(64);

export function openAuditLog(directory: string, options: AuditLogOptions = {}): AuditLog {
  const { now = Date.now, mostBytes = 16 * mebibyte, mostFiles = 64, failed = () => {} } = options;
  privateDirectory(directory);
  const file = path.join(directory, current);
  let { seq, hash: last, torn, entries: inFile } = tailOf(directory);
  let descriptor = openSync(file, 'a', 0o600);
  let size = statSync(file).size;
  const append = (line: string): void => {
    writeSync(descriptor, line);
    size += Buffer.byteLength(line);
    // A crash of this process loses nothing; when the power goes, the last moment.
    fdatasync(descriptor, () => {});
  };
  const add = (event: AuditEvent): void => {
    if (size >= mostBytes) rotate();
    const entry = sealed({ seq: seq + 1, at: new Date(now()).toISOString(), ...event, prev: last });
    append(`${JSON.stringify(entry)}\n`);
    [seq, last, inFile] = [entry.seq, entry.hash, inFile + 1];
  };
  const rotate = (): void => {
    closeSync(descriptor);
    renameSync(file, path.join(directory, asideName(seq - inFile + 1)));
    for (const old of asideFiles(directory).slice(0, -(mostFiles - 1))) rmSync(path.join(directory, old));
    descriptor = openSync(file, 'a', 0o600);
    [size, inFile] = [0, 0];
  };
  const mend = (): void => {
    append('\n');
    torn = false;
    add({ who: '', via: 'log', what: tornLine, status: 0 });
  };
  return {
    write(event) {
      try {
        if (torn) mend();
        add(event);
      } catch (error) {
        // Part of the line may be there, as on a full disk.
        torn = true;
        failed(error as Error);
      }
    },
    close: () => closeSync(descriptor),
  };
}

/** Said after a line that a crash cut off. */
const tornLine = 'the line before was cut off';

/** By the number of its first entry, so that names are in order. */
const asideName = (first: number): string => `audit-${String(first).padStart(12, '0')}.log`;
const asideFiles = (directory: string): string[] =>
  readdirSync(directory)
    .filter((name) => /^audit-\d{12}\.log$/.test(name))
    .sort();

const sealed = (entry: Omit<AuditEntry, 'hash'>): AuditEntry => ({ ...entry, hash: hashOf(entry) });
/** Of all its fields, in their order; `prev` is one of them. */
const hashOf = (entry: Omit<AuditEntry, 'hash'>): string => hash('sha256', JSON.stringify(entry));

interface Tail {
  readonly seq: number;
  readonly hash: string;
  /** The last line was cut off. */
  readonly torn: boolean;
  /** In the file that is written to. */
  readonly entries: number;
}

function tailOf(directory: string): Tail {
  const lines = linesOf(path.join(directory, current));
  const entries = lines.flatMap((line) => parsed(line) ?? []);
  const torn = lines.length > 0 && lines.at(-1) !== '';
  const before = asideFiles(directory).at(-1);
  const last =
    entries.at(-1) ??
    (before &&
      linesOf(path.join(directory, before))
        .flatMap((l) => parsed(l) ?? [])
        .at(-1));
  return { seq: last ? last.seq : 0, hash: last ? last.hash : noHash, torn, entries: entries.length };
}

/** The last one is empty, unless it was cut off. */
const linesOf = (file: string): string[] =>
  statSync(file, { throwIfNoEntry: false }) === undefined ? [] : readFileSync(file, 'utf8').split('\n');

function parsed(line: string): AuditEntry | undefined {
  try {
    return JSON.parse(line) as AuditEntry;
  } catch {
    return undefined;
  }
}

/** Oldest first, of all files. */
export const readAudit = (directory: string): AuditEntry[] =>
  filesOf(directory).flatMap((name) => linesOf(path.join(directory, name)).flatMap((line) => parsed(line) ?? []));

const filesOf = (directory: string): string[] => [...asideFiles(directory), current];

export interface AuditVerdict {
  readonly entries: number;
  /** Numbers of the first and the last one. */
  readonly first: number;
  readonly last: number;
  /** Hash of the last one: whoever keeps it elsewhere sees later that nothing before it was changed. */
  readonly head: string;
  /** What is wrong, with its place. */
  readonly problems: readonly string[];
}

/** That no entry was changed, dropped or added; the oldest files may be gone. */
export function verifyAudit(directory: string): AuditVerdict {
  const lines = filesOf(directory).flatMap((name) =>
    linesOf(path.join(directory, name)).map((line, at) => ({ place: `${name}:${at + 1}`, line, entry: parsed(line) })),
  );
  const problems: string[] = [];
  const entries: AuditEntry[] = [];
  const written = lines.filter(({ line }) => line !== '');
  for (const [at, { place, entry }] of written.entries()) {
    if (entry === undefined) {
      if (written[at + 1]?.entry?.what !== tornLine) problems.push(`${place} is no entry`);
      continue;
    }
    problems.push(...problemsOf(entry, entries.at(-1)).map((problem) => `${place} ${problem}`));
    entries.push(entry);
  }
  const last = entries.at(-1);
  return {
    entries: entries.length,
    first: entries[0]?.seq ?? 0,
    last: last?.seq ?? 0,
    head: last?.hash ?? noHash,
    problems,
  };
}

function problemsOf({ hash: own, ...entry }: AuditEntry, before: AuditEntry | undefined): string[] {
  const problems: string[] = [];
  if (own !== hashOf(entry)) problems.push(`entry ${entry.seq} was changed`);
  if (before === undefined) return problems;
  if (entry.seq !== before.seq + 1) problems.push(`entry ${entry.seq} follows ${before.seq}`);
  if (entry.prev !== before.hash) problems.push(`entry ${entry.seq} does not follow the one before it`);
  return problems;
}
