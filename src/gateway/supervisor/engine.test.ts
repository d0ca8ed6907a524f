import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { EngineOptions, RunningGateway } from '../engine.ts';
import { builtInEngine } from '../index.ts';
import { backend, connectBySni } from './testing/backend.ts';
import { clusterTo, snapshotOf } from './testing/snapshots.ts';

async function start(t: TestContext, options: Partial<EngineOptions> & Pick<EngineOptions, 'snapshot'>) {
  const gateway = await builtInEngine.start({ addresses: ['127.0.0.1'], workers: 2, ...options });
  t.after(() => gateway.stop(0));
  return gateway;
}

const sniPort = (gateway: RunningGateway): number =>
  gateway.listening().find(({ kind }) => kind === 'sni')?.port ?? assert.fail('no SNI listener');

async function greeted(port: number, name: string): Promise<string> {
  const { socket, greeting } = await connectBySni(port, name);
  socket.destroy();
  return greeting;
}

test('workers route by SNI, and by a new snapshot as soon as apply has resolved', async (t) => {
  const [a, b] = await Promise.all([backend(t, 'a'), backend(t, 'b')]);
  const one = { a: clusterTo('a', a.address) };
  const gateway = await start(t, { snapshot: snapshotOf('1', one) });
  const port = sniPort(gateway);
  assert.equal(await greeted(port, 'a.example'), 'a');
  await gateway.apply(snapshotOf('2', { ...one, b: clusterTo('b', b.address) }));
  const answers = await Promise.all(Array.from({ length: 10 }, () => greeted(port, 'b.example')));
  assert.deepEqual(new Set(answers), new Set(['b']));
  assert.equal(sniPort(gateway), port);
});

test('a port that is in use is refused with its fix, and nothing else changes', async (t) => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  t.after(() => other.close());
  const { port: taken } = other.address() as { port: number };
  const a = await backend(t, 'a');
  const good = snapshotOf('1', { a: clusterTo('a', a.address) });
  const bad = { ...good, version: '2', clusters: {}, listeners: { ...good.listeners, single: taken } };
  await assert.rejects(start(t, { snapshot: bad }), { code: 'CW-GATEWAY-LISTEN', message: /another program/ });
  const gateway = await start(t, { snapshot: good });
  await assert.rejects(gateway.apply(bad), { code: 'CW-GATEWAY-LISTEN' });
  assert.equal(await greeted(sniPort(gateway), 'a.example'), 'a');
});

test('a port that another gateway shares is not shared with it', async (t) => {
  const a = await backend(t, 'a');
  const first = await start(t, { snapshot: snapshotOf('1', { a: clusterTo('a', a.address) }) });
  const { listeners } = snapshotOf('', {});
  const snapshot = snapshotOf('1', {}, { listeners: { ...listeners, sni: sniPort(first) } });
  const named = new RegExp(`127\\.0\\.0\\.1:${sniPort(first)}: another program`);
  await assert.rejects(start(t, { snapshot }), { code: 'CW-GATEWAY-LISTEN', message: named, fix: /--admin/ });
  const greetings = await Promise.all(Array.from({ length: 10 }, () => greeted(sniPort(first), 'a.example')));
  assert.deepEqual(new Set(greetings), new Set(['a']));
});

test('a port may change its kind, for its own workers are no others', async (t) => {
  const a = await backend(t, 'a');
  const clusters = { a: clusterTo('a', a.address) };
  const { nodePortRange } = snapshotOf('', {}).listeners;
  const port = await freePort();
  const gateway = await start(t, { snapshot: snapshotOf('1', clusters, { listeners: { nodePortRange, sni: port } }) });
  await gateway.apply(snapshotOf('2', clusters, { listeners: { nodePortRange, single: port } }));
  assert.deepEqual(
    gateway.listening().map(({ kind }) => kind),
    ['single'],
  );
  assert.equal(await greeted(port, 'a.example'), 'a');
});

test('a snapshot that is wrong is refused as a whole', async (t) => {
  const a = await backend(t, 'a');
  const good = snapshotOf('1', { a: clusterTo('a', a.address) });
  const gateway = await start(t, { snapshot: good });
  const bad = snapshotOf('2', { b: clusterTo('b', 'nonsense') });
  await assert.rejects(gateway.apply(bad), { code: 'CW-GATEWAY-SNAPSHOT', message: /nonsense/ });
  assert.equal(await greeted(sniPort(gateway), 'a.example'), 'a');
});

test('listeners of node ports come and go with the snapshot, connections of the others never notice', async (t) => {
  const a = await backend(t, 'a');
  const first = { a: clusterTo('a', a.address) };
  const gateway = await start(t, { snapshot: snapshotOf('1', first) });
  const { socket } = await connectBySni(sniPort(gateway), 'a.example');
  t.after(() => socket.destroy());
  const nodePort = await freePort();
  const routed = { apiServer: { nodePort, backends: [a.address] }, konnectivity: { backends: [a.address] } };
  await gateway.apply(snapshotOf('2', { ...first, n: clusterTo('n', a.address, routed) }));
  assert.equal(await greeted(nodePort, 'whatever'), 'a');
  await gateway.apply(snapshotOf('3', first));
  await assert.rejects(greeted(nodePort, 'whatever'), /ECONNREFUSED/);
  socket.write('still here');
  const [chunk] = (await new Promise<Buffer[]>((resolve) => socket.once('data', (data) => resolve([data])))) as [
    Buffer,
  ];
  assert.equal(chunk.toString(), 'still here');
});

test('an engine tells status, counters and connections, and an upgrade replaces workers without ending a connection', async (t) => {
  const a = await backend(t, 'a');
  const snapshot = snapshotOf('1', { a: clusterTo('a', a.address) });
  const gateway = await start(t, { snapshot, graceMs: 20_000 });
  const before = gateway.status();
  assert.deepEqual([before.ready, before.draining, before.snapshot, before.workerRestarts], [true, false, snapshot, 0]);
  const pids = before.workers.map(({ pid }) => pid);
  assert.equal(new Set(pids).size, 2);
  const { socket } = await connectBySni(sniPort(gateway), 'a.example');
  t.after(() => socket.destroy());
  await gateway.refreshCounters();
  assert.equal(gateway.counters().get('connections a apiServer'), 1);
  const views = await gateway.connections({ cluster: 'a', most: 10 });
  assert.deepEqual(
    views.map(({ cluster, listener, name }) => [cluster, listener, name]),
    [['a', 'sni', 'a.example']],
  );
  assert.deepEqual(await gateway.connections({ cluster: 'other', most: 10 }), []);

  await gateway.upgrade();
  const ready = gateway.status().workers.filter(({ state }) => state === 'ready');
  assert.equal(ready.filter(({ pid }) => !pids.includes(pid)).length, 2);
  socket.write('still here');
  const chunk = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
  assert.equal(chunk.toString(), 'still here');
  assert.equal(await greeted(sniPort(gateway), 'a.example'), 'a');
  await gateway.stop(0);
  assert.deepEqual([gateway.status().ready, gateway.status().draining], [false, true]);
});

test('as a library it writes nothing, whatever its workers refuse', async () => {
  const engine = new URL('../index.ts', import.meta.url).href;
  const snapshot = JSON.stringify(snapshotOf('1', {}));
  const program = `
    const { builtInEngine } = await import('${engine}');
    const { connect } = await import('node:net');
    const gateway = await builtInEngine.start({ addresses: ['127.0.0.1'], workers: 1, snapshot: ${snapshot} });
    const socket = connect(gateway.listening()[0].port, '127.0.0.1');
    socket.end('neither TLS nor anything else');
    await new Promise((resolve) => socket.resume().once('close', resolve));
    await gateway.stop(0);
    console.log('ended');`;
  const { CAUSEWAY_DEBUG: _, ...env } = process.env;
  const said = await new Promise((resolve) =>
    execFile(process.execPath, ['--input-type=module', '-e', program], { env }, (_error, out, err) =>
      resolve([out, err]),
    ),
  );
  assert.deepEqual(said, ['ended\n', '']);
});

async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    if (port > 20_000 && port < 60_000) return port;
  }
}
