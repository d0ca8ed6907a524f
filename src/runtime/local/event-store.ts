// What happened, in SQLite beside the manifests: ids rise for ever, rows and their age are bounded.
import { chmodSync, existsSync, renameSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { EventStore, PlatformEvent } from '../platform-runtime.ts';

export interface EventStoreBounds {
  /** @default 20 000 */
  readonly rows?: number;
  /** @default 30 days */
  readonly ageMs?: number;
  readonly now?: () => number;
}

/** Looking for what is too old costs more than writing a row, so it is done now and then. */
const tidyEvery = 200;
const month = 30 * 24 * 3_600_000;

export function openEventStore(
  file: string,
  { rows = 20_000, ageMs = month, now = Date.now }: EventStoreBounds = {},
): EventStore {
  const { database, broken } = openOrReplace(file, now());
  const statements = prepare(database);
  const tidy = (): void => {
    statements.forgetOld.run(now() - ageMs);
    statements.forgetMany.run(rows);
  };
  tidy();
  if (broken !== undefined) {
    const message = `the events before this could not be read (${broken.why}); they are in ${broken.aside}`;
    statements.add.run(now(), 'platform', 'warn', 'platform', message);
  }
  let added = 0;
  return {
    add({ kind, level, subject, message }) {
      const at = now();
      const { lastInsertRowid } = statements.add.run(at, kind, level, subject, message);
      if (++added % Math.min(tidyEvery, rows) === 0) tidy();
      return { id: Number(lastInsertRowid), at, kind, level, subject, message };
    },
    read({ after, limit }) {
      if (after !== undefined) return statements.after.all(after, limit) as unknown as PlatformEvent[];
      return (statements.newest.all(limit) as unknown as PlatformEvent[]).reverse();
    },
    close: () => database.close(),
  };
}

interface Opened {
  readonly database: DatabaseSync;
  readonly broken?: { readonly why: string; readonly aside: string };
}

/** What cannot be read is put aside, and a new one begun: a platform does not stay away for want of its history. */
function openOrReplace(file: string, now: number): Opened {
  try {
    return { database: openDatabase(file) };
  } catch (error) {
    if (!isBroken(error)) throw error;
    const aside = `${file}.broken-${new Date(now).toISOString().replaceAll(':', '-')}`;
    for (const part of ['', '-wal', '-shm']) if (existsSync(file + part)) renameSync(file + part, aside + part);
    const database = openDatabase(file);
    // Whoever remembers an id of before must not miss what comes: none was as high as this.
    database.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('events', ?)").run(Math.floor(now / 1000));
    return { database, broken: { why: (error as Error).message, aside } };
  }
}

/** SQLITE_CORRUPT and SQLITE_NOTADB; a full disk or a missing permission is something else. */
const isBroken = (error: unknown): boolean => {
  const { errcode = 0 } = error as { errcode?: number };
  return error instanceof BrokenDatabase || [11, 26].includes(errcode & 0xff);
};

class BrokenDatabase extends Error {}

function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  try {
    return prepareDatabase(database, file);
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepareDatabase(database: DatabaseSync, file: string): DatabaseSync {
  chmodSync(file, 0o600);
  // AUTOINCREMENT: an id that was given once is never given again, also when its row is gone.
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS events (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      kind TEXT NOT NULL,
      level TEXT NOT NULL,
      subject TEXT NOT NULL,
      message TEXT NOT NULL
    );
    CREATE INDEX IF NOT EXISTS events_at ON events (at);
  `);
  // Pages that were damaged are found now, and not by whoever asks for them.
  const { quick_check: found } = database.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
  if (found !== 'ok') throw new BrokenDatabase(found.split('\n').at(-1) ?? found);
  return database;
}

function prepare(
  database: DatabaseSync,
): Record<'add' | 'after' | 'newest' | 'forgetOld' | 'forgetMany', StatementSync> {
  const fields = 'id, at, kind, level, subject, message';
  return {
    add: database.prepare('INSERT INTO events (at, kind, level, subject, message) VALUES (?, ?, ?, ?, ?)'),
    after: database.prepare(`SELECT ${fields} FROM events WHERE id > ? ORDER BY id LIMIT ?`),
    newest: database.prepare(`SELECT ${fields} FROM events ORDER BY id DESC LIMIT ?`),
    forgetOld: database.prepare('DELETE FROM events WHERE at < ?'),
    forgetMany: database.prepare('DELETE FROM events WHERE id <= (SELECT max(id) FROM events) - ?'),
  };
}
