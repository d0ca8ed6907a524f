import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import type { EventStore, NewEvent } from '../platform-runtime.ts';
import { openEventStore } from './event-store.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'causeway-history-'));
after(() => rmSync(scratch, { recursive: true }));
let files = 0;
const newFile = (): string => path.join(scratch, `${files++}.db`);

const event = (message: string): NewEvent => ({ kind: 'cluster', level: 'info', subject: 'Cluster/shop', message });
const messages = (store: EventStore, options = {}): string[] =>
  store.read({ limit: 100, ...options }).map(({ message }) => message);

describe('the history', () => {
  it('gives ids that go on rising after a restart, also when all rows are gone', () => {
    const file = newFile();
    const first = openEventStore(file, { now: () => 1000 });
    assert.equal(first.add(event('one')).id, 1);
    first.close();
    const second = openEventStore(file, { now: () => 1_000_000, ageMs: 10 });
    assert.deepEqual(messages(second), []);
    assert.equal(second.add(event('two')).id, 2);
    second.close();
  });

  it('tells what came after an id, and the newest ones oldest first', () => {
    const store = openEventStore(newFile());
    for (const word of ['a', 'b', 'c', 'd']) store.add(event(word));
    assert.deepEqual(messages(store, { after: 2 }), ['c', 'd']);
    assert.deepEqual(messages(store, { limit: 2 }), ['c', 'd']);
    assert.deepEqual(messages(store, { after: 0, limit: 2 }), ['a', 'b']);
    store.close();
  });

  it('never keeps many more rows than it may', () => {
    const store = openEventStore(newFile(), { rows: 10 });
    for (let i = 0; i < 95; i++) store.add(event(`${i}`));
    const kept = messages(store);
    assert.equal(kept.at(-1), '94');
    assert.ok(kept.length < 20, `${kept.length} rows`);
    store.close();
  });

  for (const [damage, harm] of [
    ['is no database any more', (file: string) => writeFileSync(file, 'x'.repeat(8192))],
    ['lost a page', (file: string) => writeFileSync(file, readFileSync(file).fill(0xff, 4096, 12_288))],
    ['was cut off', (file: string) => truncateSync(file, 5000)],
  ] as const)
    it(`is put aside where it ${damage}, says so, and goes on with higher ids`, () => {
      const file = newFile();
      const first = openEventStore(file);
      let last = 0;
      for (let i = 0; i < 500; i++) last = first.add(event(`before ${i} ${'.'.repeat(100)}`)).id;
      first.close();
      harm(file);
      const second = openEventStore(file);
      const [said, ...rest] = second.read({ limit: 10 });
      assert.deepEqual([said?.kind, said?.level, rest], ['platform', 'warn', []]);
      const aside = /they are in (.*)$/.exec(said?.message ?? '')?.[1] ?? '';
      assert.equal(path.dirname(aside), scratch);
      assert.ok(existsSync(aside), said?.message);
      assert.ok(second.add(event('after')).id > last);
      second.close();
      const third = openEventStore(file);
      assert.deepEqual(messages(third).slice(1), ['after']);
      third.close();
    });

  it('is a file for its owner alone', () => {
    const file = newFile();
    openEventStore(file).close();
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });
});
