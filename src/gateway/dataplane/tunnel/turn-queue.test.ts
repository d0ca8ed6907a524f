import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TurnQueue } from './turn-queue.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('starts so many in each turn, in order, and the first ones at once', async () => {
  const started: number[] = [];
  const queue = new TurnQueue<number>(2, (item) => started.push(item));
  for (let item = 1; item <= 5; item += 1) queue.add(item);
  assert.deepEqual(started, [1, 2]);
  await turn();
  assert.deepEqual(started, [1, 2, 3, 4]);
  await turn();
  assert.deepEqual(started, [1, 2, 3, 4, 5]);
  await turn();
  queue.add(6);
  assert.deepEqual(started, [1, 2, 3, 4, 5, 6]);
});

test('forgets what waits', async () => {
  const started: number[] = [];
  const queue = new TurnQueue<number>(1, (item) => started.push(item));
  for (let item = 1; item <= 3; item += 1) queue.add(item);
  queue.clear();
  await turn();
  await turn();
  assert.deepEqual(started, [1]);
});
