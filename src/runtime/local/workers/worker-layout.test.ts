import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { workerLayout } from './worker-layout.ts';

function workersIn(t: TestContext): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'cw-workers-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

test('a worker has an address of its datacenter, and keeps it', async (t) => {
  const home = path.join(workersIn(t), 'shop');
  const { address } = await workerLayout(home, ['10.0.0.0/24', '127.91.7.0/24']);
  assert.match(address, /^127\.91\.7\.\d+$/);
  assert.equal((await workerLayout(home, ['127.92.0.0/24'])).address, address);
});

test('workers of a platform never share an address, even when all start at once', async (t) => {
  const directory = workersIn(t);
  const names = Array.from({ length: 40 }, (_, number) => path.join(directory, `c${number}`));
  const places = await Promise.all(names.map((home) => workerLayout(home, ['127.91.8.0/24'])));
  assert.equal(new Set(places.map(({ address }) => address)).size, names.length);
});

test('an address on which something listens is left to it', async (t) => {
  const directory = workersIn(t);
  const { address } = await workerLayout(path.join(directory, 'shop'), ['127.91.9.0/24']);
  const server = createServer();
  t.after(() => server.close());
  await new Promise<void>((resolve) => server.listen(10_250, address, resolve));
  rmSync(path.join(directory, 'shop'), { recursive: true });
  assert.notEqual((await workerLayout(path.join(directory, 'shop'), ['127.91.9.0/24'])).address, address);
});

test('a datacenter that is elsewhere is played on loopback', async (t) => {
  const { address } = await workerLayout(path.join(workersIn(t), 'shop'), ['10.20.0.0/24']);
  assert.match(address, /^127\./);
});
