import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { oneAtATime } from './one-at-a-time.ts';

test('what is asked for while it runs is done once afterwards, not at the same time', async () => {
  const ends: (() => void)[] = [];
  const ask = oneAtATime(() => new Promise<void>((resolve) => ends.push(resolve)));
  ask();
  ask();
  ask();
  assert.equal(ends.length, 1);
  ends[0]?.();
  await turn();
  assert.equal(ends.length, 2);
  ends[1]?.();
  await turn();
  assert.equal(ends.length, 2);
  ask();
  assert.equal(ends.length, 3);
});
