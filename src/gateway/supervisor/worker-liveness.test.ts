import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRunning } from '../../../test/support/child-process.ts';
import { hasNative } from '../../net/wire/native.ts';
import { backend, connectBySni } from './testing/backend.ts';
import { signal, TestGateway } from './testing/gateway-process.ts';
import { clusterTo, snapshotOf } from './testing/snapshots.ts';
import { WorkerLiveness } from './worker-pool.ts';
import type { WorkerProcess, WorkerState } from './worker-process.ts';

const fake = (state: WorkerState): WorkerProcess => ({ state, heard: true }) as unknown as WorkerProcess;

/** How often one must look until somebody is given up. */
function looksUntilGivenUp(worker: WorkerProcess, most: number): number {
  const silence = new WorkerLiveness();
  for (let looks = 1; looks <= most; looks += 1) if (silence.look([worker]).length > 0) return looks;
  return Number.POSITIVE_INFINITY;
}

test('a worker is given up after ten looks without a word, also while it drains', () => {
  assert.equal(looksUntilGivenUp(fake('ready'), 20), 11);
  assert.equal(looksUntilGivenUp(fake('draining'), 20), 11);
  assert.equal(looksUntilGivenUp(fake('starting'), 20), Number.POSITIVE_INFINITY);
});

test('a single word is enough, however late it comes', () => {
  const silence = new WorkerLiveness();
  const worker = fake('ready');
  for (let look = 0; look < 100; look += 1) {
    worker.heard = look % 10 === 0;
    assert.deepEqual(silence.look([worker]), []);
  }
});

const withoutHandles = hasNative() ? false : 'connections that wait to be accepted are reset';

test('a worker that hangs is replaced, and whoever waited for it is served', { skip: withoutHandles }, async (t) => {
  const a = await backend(t, 'a');
  const gateway = new TestGateway(t);
  gateway.write(snapshotOf('1', { a: clusterTo('a', a.address) }));
  await gateway.start();
  const port = await gateway.port();
  const [hung] = await gateway.ready();
  assert.ok(hung !== undefined);
  signal(hung.pid, 'SIGSTOP');
  const waiting = Array.from({ length: 12 }, () => connectBySni(port, 'a.example'));
  const seen = JSON.parse((await gateway.get('/connections')).text) as { silentWorkers: number[] };
  assert.deepEqual(seen.silentWorkers, [hung.pid]);
  await gateway.until('it is gone', () => !isRunning(hung.pid));
  for (const { greeting, socket } of await Promise.all(waiting)) {
    socket.on('error', () => {}).destroy();
    assert.equal(greeting, 'a');
  }
  await gateway.until('two are ready', async () => (await gateway.ready()).length === 2);
  assert.equal(await gateway.metric('causeway_gateway_worker_restarts_total'), 1);
  assert.match(gateway.log(), /it hung: it said nothing for 10 s/);
});
