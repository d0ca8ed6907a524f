import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as later } from 'node:timers/promises';
import { createMutex } from './mutex.ts';

test('runs one at a time in order, also after a failure, and answers each caller', async () => {
  const mutex = createMutex();
  const events: string[] = [];
  const work = (name: string) => async (): Promise<string> => {
    events.push(`${name} begins`);
    await later();
    events.push(`${name} ends`);
    if (name === 'bad') throw new Error(name);
    return name;
  };
  const [first, bad, last] = [mutex(work('first')), mutex(work('bad')), mutex(work('last'))];
  await assert.rejects(bad, { message: 'bad' });
  assert.deepEqual([await first, await last], ['first', 'last']);
  assert.deepEqual(events, ['first begins', 'first ends', 'bad begins', 'bad ends', 'last begins', 'last ends']);
});
