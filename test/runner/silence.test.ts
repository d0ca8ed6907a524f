import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { onSilence } from './silence.ts';

async function* saying(words: string[], pause: number): AsyncGenerator<string> {
  for (const word of words) {
    await sleep(pause, undefined, { ref: false });
    yield word;
  }
}

const never = (): void => assert.fail('it was not silent');

test('everything is passed on, and nothing done, while something is said', async () => {
  assert.deepEqual(await Array.fromAsync(onSilence(saying(['a', 'b', 'c'], 5), 5000, never)), ['a', 'b', 'c']);
});

test('something is done when nothing is said any more, and what comes then is passed on', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  async function* woken(): AsyncGenerator<string> {
    yield await promise;
  }
  assert.deepEqual(await Array.fromAsync(onSilence(woken(), 20, () => resolve('woken'))), ['woken']);
});

test('where nothing can be done the waiting ends', async () => {
  const giveUp = (): void => {
    throw new Error('given up');
  };
  await assert.rejects(Array.fromAsync(onSilence(saying(['a'], 5000), 20, giveUp)), /given up/);
});
