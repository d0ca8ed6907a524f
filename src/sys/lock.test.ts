import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { scratch } from '../../test/support/cli.ts';
import { withLock } from './lock.ts';

test('one works at a time, and everybody gets a turn', async (t) => {
  const lock = path.join(scratch(t), 'lock');
  let inside = 0;
  const work = async (): Promise<number> => {
    assert.equal(++inside, 1);
    await sleep(5);
    inside--;
    return 1;
  };
  const turns = await Promise.all(Array.from({ length: 10 }, () => withLock(lock, work, { every: 2 })));
  assert.equal(turns.length, 10);
  assert.ok(!existsSync(lock), 'nothing is left behind');
});

test('a failure gives the lock back', async (t) => {
  const lock = path.join(scratch(t), 'lock');
  await assert.rejects(
    withLock(lock, () => Promise.reject(new Error('broken'))),
    /broken/,
  );
  assert.equal(await withLock(lock, async () => 'mine'), 'mine');
});

test('the owner of the lock is told to those who wait for it', async (t) => {
  const lock = path.join(scratch(t), 'lock');
  const told = new Set<string>();
  const [taken, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = withLock(lock, () => {
    taken.resolve();
    return release.promise;
  });
  await taken.promise;
  const waiting = (owner: string): void => {
    told.add(owner);
    release.resolve();
  };
  await withLock(lock, async () => {}, { every: 5, waiting });
  await first;
  assert.deepEqual([...told], [`process ${process.pid}`]);
});

test('the lock of a killed process is taken over', async (t) => {
  const root = scratch(t);
  const lock = path.join(root, 'lock');
  const module = new URL('./lock.ts', import.meta.url).href;
  const code = `import { withLock } from '${module}';
    await withLock('${lock}', () => new Promise(() => { console.log('taken'); setInterval(() => {}, 1000); }));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.equal(readdirSync(lock).length, 1);
  const takers = Array.from({ length: 5 }, () => withLock(lock, async () => 'mine', { every: 2 }));
  assert.deepEqual(await Promise.all(takers), Array(5).fill('mine'));
});

test('a lock of another machine counts as long as its owner shows signs of life', async (t) => {
  const lock = path.join(scratch(t), 'lock');
  mkdirSync(lock);
  const owner = path.join(lock, '1-elsewhere');
  writeFileSync(owner, 'another-machine');
  let waited = 0;
  const taken = withLock(lock, async () => waited, { every: 5, silence: 60_000, waiting: () => waited++ });
  await sleep(50);
  utimesSync(owner, 0, 0);
  assert.ok((await taken) > 0);
});
