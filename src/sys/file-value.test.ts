import assert from 'node:assert/strict';
import { renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { scratch } from '../../test/support/cli.ts';
import { CausewayError } from '../core/errors.ts';
import { type FileLog, FileValue } from './file-value.ts';

const silentLog: FileLog = { info: () => {}, warn: () => {} };

const clock = (): { now: () => number; pass: (ms: number) => void } => {
  let at = 0;
  return {
    now: () => at,
    pass: (ms) => {
      at += ms;
    },
  };
};
const trimmed = (text: string): string => {
  if (text.trim() === '') throw new Error('it is empty');
  return text.trim();
};

test('reads a file again when it has changed, also when a link was swapped, and not more than once a second', (t) => {
  const dir = scratch(t);
  const { now, pass } = clock();
  const link = path.join(dir, 'link');
  for (const name of ['one', 'two']) writeFileSync(path.join(dir, name), `${name}\n`);
  symlinkSync('one', link);
  const value = new FileValue(link, trimmed, { log: silentLog, now });
  assert.equal(value.get(), 'one');
  symlinkSync('two', `${link}.new`);
  renameSync(`${link}.new`, link);
  assert.equal(value.get(), 'one');
  pass(1_000);
  assert.equal(value.get(), 'two');
});

test('notices a file that was written over in place with as many bytes', (t) => {
  const { now, pass } = clock();
  const file = path.join(scratch(t), 'token');
  writeFileSync(file, 'one');
  utimesSync(file, 1, 1);
  const value = new FileValue(file, trimmed, { log: silentLog, now });
  assert.equal(value.get(), 'one');
  const { ino, size } = statSync(file);
  writeFileSync(file, 'two');
  assert.deepEqual([statSync(file).ino, statSync(file).size], [ino, size], 'only its time tells');
  pass(1_000);
  assert.equal(value.get(), 'two');
});

test('keeps the last good value when the file goes or is bad, and says so once', (t) => {
  const said: string[] = [];
  const log: FileLog = { ...silentLog, warn: (message) => void said.push(message) };
  const { now, pass } = clock();
  const file = path.join(scratch(t), 'token');
  writeFileSync(file, 'good');
  const value = new FileValue(file, trimmed, { log, now });
  value.get();
  rmSync(file);
  for (let i = 0; i < 3; i++) {
    pass(1_000);
    assert.equal(value.get(), 'good');
  }
  writeFileSync(file, '  ');
  pass(1_000);
  assert.equal(value.get(), 'good');
  assert.equal(said.length, 2);
  writeFileSync(file, 'better');
  pass(1_000);
  assert.equal(value.get(), 'better');
});

test('refuses to start without the file, and tries again at the next use', (t) => {
  const file = path.join(scratch(t), 'token');
  const value = new FileValue(file, trimmed, { log: silentLog });
  assert.throws(
    () => value.get(),
    (error: unknown) => error instanceof CausewayError && error.code === 'CW-AGENT-FILE',
  );
  writeFileSync(file, 'here');
  assert.equal(value.get(), 'here');
});
