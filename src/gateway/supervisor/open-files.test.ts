// A gateway with few open files and ten times as many clients of one cluster, as a process with a real limit.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { backend, clientHello, connectBySni } from './testing/backend.ts';
import { TestGateway } from './testing/gateway-process.ts';
import { clusterTo, snapshotOf } from './testing/snapshots.ts';

const openFiles = 256;
const clients = 10 * openFiles;

/** Resolves with whether it was carried, when it was answered or closed. */
const wasCarried = (t: TestContext, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write(clientHello('noisy.example')));
    t.after(() => socket.destroy());
    socket.on('error', () => {}).once('close', () => resolve(false));
    socket.once('data', (chunk) => resolve(chunk.toString('latin1').startsWith('noisy')));
  });

/** Some were refused before their cluster was known. */
function refusedBy(metrics: string): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [, reason = '', count] of metrics.matchAll(
    /^causeway_gateway_refusals_total\{reason="([^"]+)".*\} (\d+)$/gm,
  ))
    sums[reason] = (sums[reason] ?? 0) + Number(count);
  return sums;
}

test(`a gateway with ${openFiles} open files and ${clients} clients of one cluster carries another cluster, and says why it refuses`, {
  timeout: 120_000,
}, async (t) => {
  const [noisy, quiet] = [await backend(t, 'noisy'), await backend(t, 'quiet')];
  const gateway = new TestGateway(t);
  const clusters = { noisy: clusterTo('noisy', noisy.address), quiet: clusterTo('quiet', quiet.address) };
  gateway.write(snapshotOf('1', clusters));
  gateway.spawn(['--workers', '1'], openFiles);
  await gateway.until('its worker is ready', async () => (await gateway.ready()).length === 1);
  const port = await gateway.port();
  const [before] = await gateway.workers();
  const outcomes = await Promise.all(Array.from({ length: clients }, () => wasCarried(t, port)));
  const carried = outcomes.filter(Boolean).length;
  const { greeting } = await connectBySni(port, 'quiet.example');
  assert.equal(greeting, 'quiet');
  assert.ok(carried >= openFiles / 8, `${carried} carried`);
  const { text } = await gateway.get('/metrics');
  assert.deepEqual(refusedBy(text), { 'no-descriptors': clients - carried });
  assert.doesNotMatch(text, /failed_accepts_total\{/);
  const [after] = await gateway.workers();
  assert.equal(after?.pid, before?.pid);
});
