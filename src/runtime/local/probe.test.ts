import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { askedByCommand, createProber } from './probe.ts';

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

test('what answers at a unix socket is asked there, and is not there before its socket is', async (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'cw-probe-'));
  const socketPath = path.join(directory, 'agent.sock');
  const prober = createProber({ kind: 'http', url: 'http://worker/readyz', socketPath });
  const server = createServer(({ url }, response) => response.writeHead(url === '/readyz' ? 200 : 404).end());
  t.after(() => {
    prober.close();
    server.close();
    rmSync(directory, { recursive: true });
  });
  assert.deepEqual(await prober.ask(0), { healthy: false, why: 'its socket is not there yet', refused: true });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  assert.deepEqual(await prober.ask(0), { healthy: true });
});
