import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askedByCommand } from './probe.ts';

const ask = (script: string, timeoutMs = 5_000) =>
  askedByCommand({ kind: 'command', file: 'sh', args: ['-c', script] }, timeoutMs);

test('a command that ends well found it healthy', async () => {
  assert.deepEqual(await ask('exit 0'), { healthy: true });
});

test('a command that ends with 1 was told no, and why', async () => {
  assert.deepEqual(await ask('echo "it answers 503"; exit 1'), {
    healthy: false,
    answered: true,
    why: 'it answers 503',
  });
});

test('any other end, and none in time, is silence', async () => {
  for (const script of ['echo noise; exit 2', 'sleep 10'])
    assert.deepEqual(await ask(script, 500), { healthy: false, answered: false, why: 'it does not answer' });
  const missing = askedByCommand({ kind: 'command', file: '/nowhere', args: [] }, 500);
  assert.equal((await missing).healthy, false);
});
