import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { until } from '../../../test/support/gateway/until.ts';
import { LogFile } from './log-file.ts';
import { Child, startChild } from './process.ts';
import { component, observed, scratch, supervisorIn, untilHealthy } from './testing/supervisor.ts';

const numbers = (lines: readonly string[]): number[] => lines.map((line) => Number(/^line (\d+)/.exec(line)?.[1]));
const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

test('no line is lost when the log of a component that goes on speaking is moved away', async (t) => {
  const file = path.join(scratch(t), 'logs', 'etcd.log');
  const log = new LogFile(file, { rotateBytes: 200_000, files: 90 });
  const followed: string[] = [];
  t.after(log.follow((line) => followed.push(line)));
  const output = log.open();
  const count = 60_000;
  const { args } = await component('etcd', { lines: count });
  const child = await startChild({ file: process.execPath, args, env: {}, directory: path.dirname(file), output });
  t.after(() => child.end(1000));
  let moved = 0;
  const done = async (): Promise<boolean> => numbers(await log.tail(1))[0] === count;
  while (!(await done())) {
    if (!log.isLarge || !(await child.pause(200))) continue;
    log.rotate();
    child.resume();
    moved += 1;
  }
  assert.ok(moved > 0, 'it was never moved');
  assert.deepEqual(numbers(await log.tail(count + 1)), upTo(count), 'kept');
  await until(() => followed.length === count);
  assert.deepEqual(numbers(followed), upTo(count), 'followed');
});

test('a log keeps its newest files only, for its owner only', (t) => {
  const file = path.join(scratch(t), 'logs', 'etcd.log');
  const log = new LogFile(file, { rotateBytes: 10 });
  log.open();
  for (const text of ['first line\n', 'second line\n', 'third line\n', 'fourth\n']) {
    if (log.isLarge) log.rotate();
    appendFileSync(file, text);
  }
  const texts = [file, `${file}.1`, `${file}.2`].map((name) => readFileSync(name, 'utf8').trim());
  assert.deepEqual(texts, ['fourth', 'third line', 'second line']);
  assert.ok(!existsSync(`${file}.3`));
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(statSync(path.dirname(file)).mode & 0o777, 0o700);
});

test('the last lines are found across files and however long they are', async (t) => {
  const file = path.join(scratch(t), 'etcd.log');
  const log = new LogFile(file);
  assert.deepEqual(await log.tail(5), []);
  writeFileSync(`${file}.1`, 'one\ntwo\n');
  writeFileSync(file, `${'x'.repeat(100_000)}\nfour\n`);
  assert.deepEqual(
    (await log.tail(3)).map((line) => line.slice(0, 4)),
    ['two', 'xxxx', 'four'],
  );
  assert.equal((await log.tail(2))[0]?.length, 100_000);
});

test('a supervisor tells the last lines and new ones, also of what does not run any more', async (t) => {
  const directory = scratch(t);
  const supervisor = supervisorIn(t, directory);
  const id = { scope: 'cluster/shop', name: 'etcd' } as const;
  const followed: string[] = [];
  supervisor.apply('cluster/shop', [await component('etcd', { lines: 3 })]);
  t.after(supervisor.follow(id, (line) => followed.push(line)));
  await untilHealthy(supervisor, 'etcd');
  assert.equal(observed(supervisor, 'etcd').logFile, path.join(directory, 'clusters/shop/logs/etcd.log'));
  await until(() => followed.length === 3);
  await supervisor.remove('cluster/shop');
  assert.deepEqual(numbers(await supervisor.tail(id, 2)), [2, 3]);
});

test('a component goes on when its log cannot be read, and so does whoever follows it', async (t) => {
  const directory = scratch(t);
  const supervisor = supervisorIn(t, directory);
  const [id, spec] = [{ scope: 'cluster/shop', name: 'etcd' } as const, await component('etcd')];
  supervisor.apply('cluster/shop', [spec]);
  await untilHealthy(supervisor, 'etcd');
  const { pid, logFile } = observed(supervisor, 'etcd');
  const followed: string[] = [];
  t.after(supervisor.follow(id, (line) => followed.push(line)));
  rmSync(logFile);
  symlinkSync(logFile, logFile);
  // Several looks later.
  const cpu = observed(supervisor, 'etcd').cpuSeconds;
  await until(
    () => observed(supervisor, 'etcd').cpuSeconds !== cpu || observed(supervisor, 'etcd').pid !== pid,
    30_000,
  );
  assert.deepEqual([observed(supervisor, 'etcd').pid, observed(supervisor, 'etcd').restarts], [pid, 0]);
  rmSync(logFile);
  writeFileSync(logFile, 'again\n');
  await until(() => followed.includes('again'));
});

test('a process that does not stand still in time goes on', async () => {
  const child = new Child(process.pid, 0, new Promise(() => {}));
  child.signal = () => {};
  assert.equal(await child.pause(5), false);
});
