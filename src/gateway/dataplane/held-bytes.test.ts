// Clients that ask for much and read nothing, by name: what a worker holds for them.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { tcp } from '../../../test/support/gateway/clients.ts';
import { type ByteHolder, HeldBytes, type HoldingConnection } from './held-bytes.ts';
import { cluster, createFixture } from './testing/dataplane-fixture.ts';

const limit = { timeout: 60_000 };
const mebibyte = 1024 * 1024;
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Answers 'all' without end, and everything else with the same. */
async function endless(t: TestContext): Promise<string> {
  const block = Buffer.alloc(64 * 1024, 1);
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    socket.on('data', (said) => {
      const fill = (): void => {
        while (socket.writable && socket.write(block));
      };
      if (said.toString() !== 'all') socket.write(said);
      else {
        socket.on('drain', fill);
        fill();
      }
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test(
  'clients that read nothing are reset when their cluster holds too much for them, and another cluster goes on',
  limit,
  async (t) => {
    const backend = await endless(t);
    const heldLimit = 2 * mebibyte;
    const fixture = createFixture(t, { heldLimit });
    const reached = (nodePort: number) => ({ apiServer: { nodePort, backends: [backend] } });
    fixture.apply({
      noisy: cluster('noisy', [backend], reached(30_000)),
      quiet: cluster('quiet', [backend], reached(30_001)),
    });
    const { port } = await fixture.listener('nodePort', 30_000);
    const quiet = await tcp(await fixture.listener('nodePort', 30_001));
    quiet.send('hello');
    assert.equal((await quiet.exactly(5)).toString(), 'hello');
    for (let i = 0; i < 60; i++) {
      const socket = connect({ host: '127.0.0.1', port }, () => socket.write('all'));
      socket.on('error', () => {}).pause();
      t.after(() => socket.destroy());
    }
    const shed = (): number => fixture.dataplane.counters().clusters.noisy?.apiServer.refusals['too-much-unread'] ?? 0;
    for (; shed() === 0; await soon()) t.signal.throwIfAborted();
    quiet.send('again');
    assert.equal((await quiet.exactly(5)).toString(), 'again');
    assert.deepEqual(fixture.dataplane.counters().clusters.quiet?.apiServer.refusals, {});
  },
);

test('the cluster that holds most gives way, longest quiet first, down to three quarters of what it may hold', async () => {
  const order: string[] = [];
  const connections: HoldingConnection[] = [];
  let now = 1000;
  const held = new HeldBytes(
    () => [...connections],
    () => now,
    800,
  );
  const hold = (name: string, by: ByteHolder, heldBytes: number, quietSince: number): void => {
    const connection = {
      ...{ cluster: by, heldBytes, quietSince },
      shed: () => {
        order.push(name);
        connections.splice(connections.indexOf(connection), 1);
        held.change(by, -heldBytes);
      },
    };
    connections.push(connection);
    held.change(by, heldBytes);
  };
  const [noisy, quiet] = [{ heldBytes: 0 }, { heldBytes: 0 }];
  hold('quiet', quiet, 100, 0);
  hold('third', noisy, 150, 9);
  hold('first', noisy, 150, 1);
  assert.deepEqual(order, []);
  hold('second', noisy, 150, 5);
  await soon();
  assert.deepEqual(order, [], 'none of them stands still yet');
  now = 2008;
  held.shed();
  assert.deepEqual(order, ['first']);
  assert.deepEqual([noisy.heldBytes, quiet.heldBytes, held.total], [300, 100, 400]);
  // Twice as much: nobody waits to see which of them stand still.
  for (let i = 0; i < 4; i++) hold(`new ${i}`, noisy, 150, 2000);
  await soon();
  assert.deepEqual(order.slice(0, 3), ['first', 'second', 'third']);
  assert.deepEqual(noisy.heldBytes, 300);
});

test('nothing is counted as held when all connections have ended', limit, async (t) => {
  const backend = await endless(t);
  const fixture = createFixture(t, { heldLimit: mebibyte });
  fixture.apply({ noisy: cluster('noisy', [backend], { apiServer: { nodePort: 30_000, backends: [backend] } }) });
  const { port } = await fixture.listener('nodePort', 30_000);
  const refusals = (): number =>
    fixture.dataplane.counters().clusters.noisy?.apiServer.refusals['too-much-unread'] ?? 0;
  const round = async (): Promise<void> => {
    const sockets = Array.from({ length: 30 }, () => connect({ host: '127.0.0.1', port }));
    for (const socket of sockets)
      socket
        .on('error', () => {})
        .pause()
        .write('all');
    const before = refusals();
    for (; refusals() === before; await soon()) t.signal.throwIfAborted();
    for (const socket of sockets) socket.destroy();
    for (; fixture.dataplane.counters().open > 0; await soon()) t.signal.throwIfAborted();
    assert.equal(fixture.dataplane.counters().held, 0);
  };
  await round();
  await round();
});
