// What happened, in SQLite beside the manifests: ids rise for ever, rows and their age are bounded.
import { chmodSync } from 'node:fs';
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
  const database = openDatabase(file);
  const statements = prepare(database);
  const tidy = (): void => {
    statements.forgetOld.run(now() - ageMs);
    statements.forgetMany.run(rows);
  };
  tidy();
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

function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
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
