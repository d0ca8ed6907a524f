import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { isRunning } from '../../../test/support/child-process.ts';
import { hasNative } from '../../net/wire/native.ts';
import { backend, connectBySni } from './testing/backend.ts';
import { steadyClients } from './testing/clients.ts';
import { ended, signal, TestGateway } from './testing/gateway-process.ts';
import { clusterTo, snapshotOf } from './testing/snapshots.ts';

const soak = process.env.CAUSEWAY_SOAK === '1';
const perSecond = soak ? 500 : 100;
const withoutHandles = hasNative() ? false : 'connections that wait to be accepted are reset';
const restarts = soak ? 10 : 2;

async function gatewayWithOneCluster(t: TestContext, options: readonly string[] = []) {
  const a = await backend(t, 'a');
  const gateway = new TestGateway(t);
  gateway.write(snapshotOf('1', { a: clusterTo('a', a.address) }));
  const child = await gateway.start(options);
  return { gateway, child, a, port: await gateway.port() };
}

async function echoes(socket: Awaited<ReturnType<typeof connectBySni>>['socket'], text: string): Promise<void> {
  const came = new Promise<Buffer>((resolve, reject) => socket.once('data', resolve).once('close', reject));
  socket.write(text);
  assert.equal((await came).toString(), text);
}

test('a killed worker is replaced, only its connections end, and counters never go back', async (t) => {
  const { gateway, port } = await gatewayWithOneCluster(t);
  const clients = await Promise.all(Array.from({ length: 12 }, () => connectBySni(port, 'a.example')));
  for (const { socket } of clients) t.after(() => socket.on('error', () => {}).destroy());
  const total = 'causeway_gateway_connections_total{cluster="a",service="apiServer"}';
  assert.equal(await gateway.metric(total), 12);
  const [victim, other] = (await gateway.ready()).sort((a, b) => a.slot - b.slot);
  assert.ok(victim !== undefined && other !== undefined);
  signal(victim.pid, 'SIGKILL');
  await gateway.until('the worker was replaced', async () => {
    const pids = (await gateway.ready()).map(({ pid }) => pid);
    return pids.length === 2 && !pids.includes(victim.pid) && pids.includes(other.pid);
  });
  const alive = clients.filter(({ socket }) => !socket.closed);
  assert.equal(alive.length, other.open);
  for (const { socket } of alive) await echoes(socket, 'still here');
  assert.equal(await gateway.metric(total), 12);
  assert.equal(await gateway.metric('causeway_gateway_worker_restarts_total'), 1);
  const { socket } = await connectBySni(port, 'a.example');
  socket.destroy();
  assert.equal(await gateway.metric(total), 13);
});

test('rolling restarts reset and refuse nobody', { skip: withoutHandles }, async (t) => {
  const { gateway, child, port } = await gatewayWithOneCluster(t);
  const before = (await gateway.ready()).map(({ pid }) => pid);
  const clients = steadyClients(port, 'a', perSecond);
  for (let round = 0; round < restarts; round += 1) assert.equal((await gateway.get('/restart', 'POST')).status, 200);
  const { good, bad } = await clients.stop();
  assert.deepEqual(bad, []);
  assert.ok(good > 0);
  t.diagnostic(`${good} connections during ${restarts} rolling restarts, none failed`);
  const after = (await gateway.ready()).map(({ pid }) => pid);
  assert.equal(after.filter((pid) => before.includes(pid)).length, 0);
  assert.equal(child.exitCode, null);
});

test('a connection stays open through a restart until it ends by itself', async (t) => {
  const { gateway, child, port } = await gatewayWithOneCluster(t);
  const { socket } = await connectBySni(port, 'a.example');
  t.after(() => socket.on('error', () => {}).destroy());
  signal(child.pid ?? 0, 'SIGHUP');
  await gateway.until('a worker drains', async () =>
    (await gateway.workers()).some(({ state }) => state === 'draining'),
  );
  await gateway.until('all workers are new', () => gateway.log().includes('all workers are new'));
  await echoes(socket, 'after the restart');
  socket.destroy();
  await gateway.until('the old worker has ended', async () => (await gateway.workers()).length === 2);
});

test('an upgrade hands the sockets to a new process, and no connection fails', { skip: withoutHandles }, async (t) => {
  const { gateway, child, port } = await gatewayWithOneCluster(t);
  const { socket } = await connectBySni(port, 'a.example');
  t.after(() => socket.on('error', () => {}).destroy());
  const clients = steadyClients(port, 'a', perSecond);
  const before = (await gateway.ready()).map(({ pid }) => pid);
  assert.equal((await gateway.get('/upgrade', 'POST')).status, 200);
  await gateway.until('others answer', async () => !(await gateway.ready()).some(({ pid }) => before.includes(pid)));
  const { good, bad } = await clients.stop();
  assert.deepEqual(bad, []);
  t.diagnostic(`${good} connections during an upgrade, none failed`);
  await echoes(socket, 'carried by the old process');
  socket.destroy();
  assert.equal(await ended(child), 0);
  assert.equal(await gateway.port(), port);
  const next = await connectBySni(port, 'a.example');
  next.socket.destroy();
  await gateway.get('/drain', 'POST');
  await gateway.until('the new process has ended', async () =>
    gateway.get('/healthz').then(
      () => false,
      () => true,
    ),
  );
});

test('a new process that does not start changes nothing, and the reason is told', async (t) => {
  const { gateway, child, port } = await gatewayWithOneCluster(t);
  gateway.write('{"version": 2}');
  await gateway.until('it is rejected', async () => (await gateway.metric('causeway_gateway_snapshot_rejected')) === 1);
  const answer = await gateway.get('/upgrade', 'POST');
  assert.equal(answer.status, 500);
  assert.match(answer.text, /snapshot is refused/);
  assert.equal((await gateway.get('/readyz')).status, 200);
  const { greeting, socket } = await connectBySni(port, 'a.example');
  socket.destroy();
  assert.deepEqual([greeting, child.exitCode], ['a', null]);
});

test('workers of a killed supervisor go on, and leave when another one is there', async (t) => {
  const { gateway, child, a } = await gatewayWithOneCluster(t, []);
  const port = await gateway.port();
  const orphans = (await gateway.ready()).map(({ pid }) => pid);
  const { socket } = await connectBySni(port, 'a.example');
  t.after(() => socket.on('error', () => {}).destroy());
  child.kill('SIGKILL');
  await ended(child);
  const { greeting } = await connectBySni(port, 'a.example').then((client) => {
    client.socket.destroy();
    return client;
  });
  assert.equal(greeting, 'a');
  // The port that the system chose is now asked for by number: it is shared with the workers that are still there.
  const { listeners } = snapshotOf('', {});
  gateway.write(snapshotOf('2', { a: clusterTo('a', a.address) }, { listeners: { ...listeners, sni: port } }));
  await gateway.start();
  await echoes(socket, 'carried by an orphan');
  socket.destroy();
  await gateway.until('the orphans have left', () => !orphans.some(isRunning));
  const next = await connectBySni(port, 'a.example');
  next.socket.destroy();
  assert.equal(next.greeting, 'a');
});

test('a second gateway with another admin address is kept out of the ports', async (t) => {
  const { port } = await gatewayWithOneCluster(t);
  const second = new TestGateway(t);
  const { listeners } = snapshotOf('', {});
  second.write(snapshotOf('1', {}, { listeners: { ...listeners, sni: port } }));
  assert.equal(await ended(second.spawn()), 2);
  assert.match(second.log(), new RegExp(`127.0.0.1:${port}.*CW-GATEWAY-LISTEN[^]*ss -ltnp.*same --admin`));
  const answers = await Promise.all(Array.from({ length: 10 }, () => connectBySni(port, 'a.example')));
  for (const { socket } of answers) socket.destroy();
  assert.deepEqual(new Set(answers.map(({ greeting }) => greeting)), new Set(['a']));
});

test('SIGTERM waits for connections, refuses new ones, and ends with 0', async (t) => {
  const { gateway, child, port } = await gatewayWithOneCluster(t);
  const { socket } = await connectBySni(port, 'a.example');
  child.kill('SIGTERM');
  await gateway.until('it is not ready', async () => (await gateway.get('/readyz')).status === 503);
  await gateway.until('nobody listens', async () => {
    const refused = await connectBySni(port, 'a.example').then(
      ({ socket: late }) => late.destroy(),
      (error: Error) => error.message,
    );
    return typeof refused === 'string' && refused.includes('ECONNREFUSED');
  });
  await echoes(socket, 'still carried');
  socket.destroy();
  assert.equal(await ended(child), 0);
});

test('a second signal does not wait', async (t) => {
  const { gateway, child, port } = await gatewayWithOneCluster(t);
  const { socket } = await connectBySni(port, 'a.example');
  t.after(() => socket.on('error', () => {}).destroy());
  socket.on('error', () => {});
  child.kill('SIGINT');
  await gateway.until('it is not ready', async () => (await gateway.get('/readyz')).status === 503);
  child.kill('SIGINT');
  assert.equal(await ended(child), 130);
});

test('the end comes after the grace time, even if a connection does not', async (t) => {
  const { child, port } = await gatewayWithOneCluster(t, ['--grace', '300ms']);
  const { socket } = await connectBySni(port, 'a.example');
  socket.on('error', () => {});
  child.kill('SIGTERM');
  assert.equal(await ended(child), 0);
  t.after(() => socket.destroy());
});
