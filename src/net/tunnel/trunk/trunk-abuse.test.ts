// What a peer does that wants to cost more than it may.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { localDial } from '../../wire/dial.ts';
import { listen } from '../../wire/listen.ts';
import type { Sink, Wire } from '../../wire/wire.ts';
import { frameTypes, headerBytes, trunkPreface, writeHeader } from './frame.ts';
import { framesPerTurn } from './frame-reader.ts';
import { TrunkClient } from './trunk-client.ts';
import { TrunkServer } from './trunk-server.ts';
import type { TrunkWire } from './trunk-wire.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const limit = { timeout: 30_000 };
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function server(
  t: TestContext,
): Promise<{ port: number; streams: TrunkWire[]; lost: Promise<Error | undefined> }> {
  const [streams, trunks]: [TrunkWire[], TrunkServer[]] = [[], []];
  const { promise: lost, resolve: lose } = Promise.withResolvers<Error | undefined>();
  const listener = await listen('127.0.0.1', 0, (wire) => {
    const trunk = new TrunkServer(wire, {
      greeted: (one) => one.greet(),
      open: (one, stream) => {
        one.accept(stream);
        streams.push(stream);
      },
      freed: () => {},
      lost: (_trunk, error) => lose(error),
    });
    trunks.push(trunk);
    trunk.start(Buffer.alloc(0));
  });
  t.after(() => {
    listener.close();
    for (const trunk of trunks) trunk.close();
  });
  return { port: listener.local.port, streams, lost };
}

test('whoever asks and does not read the answers is shown out', limit, async (t) => {
  const { port, lost } = await server(t);
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  t.after(() => socket.destroy());
  socket.pause().write(trunkPreface);
  const pings = Buffer.alloc(headerBytes * 8192);
  for (let at = 0; at < pings.length; at += headerBytes) writeHeader(pings, at, frameTypes.ping, 0, 0);
  const drain = (): Promise<void> => new Promise((resolve) => socket.once('drain', resolve));
  let ended = false;
  void lost.then(() => {
    ended = true;
  });
  // By what the kernel takes, not by turns of the event loop: on a busy machine the other end reads much later.
  while (!ended) if (!socket.write(pings)) await Promise.race([drain(), lost]);
  assert.match(String((await lost)?.message), /does not read/);
});

test(
  'many small frames are read in turns: others are served in between, and every byte arrives in order',
  limit,
  async (t) => {
    const { port, streams } = await server(t);
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    t.after(() => socket.destroy());
    const opens = 400;
    const bytes = 3000;
    const flood = Buffer.alloc(opens * (headerBytes + 2) + bytes * (headerBytes + 1));
    for (let id = 1; id <= opens; id += 1) writeHeader(flood, (id - 1) * (headerBytes + 2), frameTypes.open, 2, id);
    for (let count = 0; count < bytes; count += 1) {
      const at = opens * (headerBytes + 2) + count * (headerBytes + 1);
      writeHeader(flood, at, frameTypes.data, 1, 1);
      flood[at + headerBytes] = count % 251;
    }
    let mostInOneTurn = 0;
    let seen = 0;
    const received: number[] = [];
    const look = (): void => {
      mostInOneTurn = Math.max(mostInOneTurn, streams.length - seen);
      seen = streams.length;
      streams[0]?.read({ ...keeping, data: (chunk) => received.push(...chunk) < 0 });
    };
    socket.write(Buffer.concat([trunkPreface, flood]));
    while (received.length < bytes) {
      await soon();
      look();
    }
    assert.equal(streams.length, opens);
    assert.ok(mostInOneTurn <= 2 * (framesPerTurn / 8), `${mostInOneTurn} requests in one turn`);
    assert.deepEqual(
      received,
      Array.from({ length: bytes }, (_, count) => count % 251),
    );
  },
);

/** Keeps the first chunk for good, like a connection that is blocked. */
const keeping: Sink = { data: () => true, end: () => {}, drained: () => {}, closed: () => {} };

test('memory that a connection held is free when it is gone', limit, async (t) => {
  const { port, streams } = await server(t);
  const wire = await new Promise<Wire>((resolve, reject) => {
    localDial('127.0.0.1', port, 5000, (error, made) => (made === undefined ? reject(error) : resolve(made)));
  });
  const client = new TrunkClient(wire, undefined, {
    greeted: () => {},
    room: () => {},
    pong: () => {},
    lost: () => {},
  });
  t.after(() => client.close());
  const chunk = Buffer.alloc(400_000, 7);
  const before = process.memoryUsage().arrayBuffers;
  for (let round = 0; round < 150; round += 1) {
    const near = client.open('blocked', undefined);
    near.read(keeping);
    while (streams.length <= round) await soon();
    const far = streams[round] as TrunkWire;
    far.read(keeping);
    far.write(chunk, 0);
    for (let turn = 0; turn < 20; turn += 1) await soon();
    near.destroy();
  }
  for (let round = 0; round < 5; round += 1) {
    collectGarbage();
    await soon();
  }
  const grown = process.memoryUsage().arrayBuffers - before;
  assert.ok(grown < 25_000_000, `${grown} bytes are still held`);
});
