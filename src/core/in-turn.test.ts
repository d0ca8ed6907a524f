import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as later } from 'node:timers/promises';
import { inTurn } from './in-turn.ts';

test('each waits for the one before, also for one that fails, and gets its own answer', async () => {
  const turn = inTurn();
  const diary: string[] = [];
  const work = (name: string) => async (): Promise<string> => {
    diary.push(`${name} begins`);
    await later();
    diary.push(`${name} ends`);
    if (name === 'bad') throw new Error(name);
    return name;
  };
  const [first, bad, last] = [turn(work('first')), turn(work('bad')), turn(work('last'))];
  await assert.rejects(bad, { message: 'bad' });
  assert.deepEqual([await first, await last], ['first', 'last']);
  assert.deepEqual(diary, ['first begins', 'first ends', 'bad begins', 'bad ends', 'last begins', 'last ends']);
});
