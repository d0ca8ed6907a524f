// Readers that stand still, through both ends of the tunnel.
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import v8 from 'node:v8';
import { runInNewContext } from 'node:vm';
import { streamWindow as h2Window, streamsPerSession } from '../../../net/tunnel/h2/index.ts';
import { createTransport, type Transport } from '../../../net/tunnel/index.ts';
import { streamWindow as trunkWindow } from '../../../net/tunnel/trunk/index.ts';
import { silentSink, type Wire } from '../../../net/wire/index.ts';
import { plainDialer } from './testing/dialers.ts';
import { authorityOf, echoServer, tunnelFixture } from './testing/tunnel-fixture.ts';

const stalled = 100;
const soak = process.env.CAUSEWAY_SOAK === '1';
const limit = { timeout: soak ? 300_000 : 180_000 };
const megabytes = soak ? 160 : 40;
const block = Buffer.alloc(64 * 1024, 1);

/** Blocks that backends have written. */
let written = 0;
/** Sends without end to 'endless', and so many megabytes to everybody else. */
function serveBytes(socket: Socket): void {
  socket.once('data', (word: Buffer) => {
    let left = word.toString() === 'endless' ? Number.POSITIVE_INFINITY : megabytes * 16;
    const fill = (): void => {
      while (left > 0 && socket.writable) {
        left -= 1;
        written += 1;
        if (!socket.write(block)) return;
      }
      socket.end();
    };
    socket.on('drain', fill);
    fill();
  });
}

const opened = (by: Transport): Promise<Wire> =>
  new Promise((resolve, reject) =>
    by.open(authorityOf('one'), (error, wire) => (wire ? resolve(wire) : reject(error))),
  );

async function stall(by: Transport): Promise<Wire> {
  const wire = await opened(by);
  wire.pause();
  wire.read(silentSink);
  wire.write(Buffer.from('endless'), 0);
  return wire;
}
/** Milliseconds for one connection to get its megabytes. */
async function timed(by: Transport): Promise<number> {
  const wire = await opened(by);
  const from = performance.now();
  let received = 0;
  await new Promise<void>((resolve, reject) => {
    const data = (chunk: Buffer): boolean => {
      received += chunk.length;
      return false;
    };
    wire.read({
      data,
      end: () => wire.end(),
      drained: () => {},
      closed: (error) => (error ? reject(error) : resolve()),
    });
    wire.write(Buffer.from('some'), 0);
  });
  assert.equal(received, megabytes * 16 * block.length);
  return performance.now() - from;
}
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] as number;

/** The promise, and what is asserted where other work goes on beside the test. */
const mostSlower = soak ? 1.1 : 1.5;
const pairs = soak ? 15 : 5;
/** Somebody else's work can still weigh on one kind more: what is slower each time is slower. */
const attempts = 3;

/** Beside its window, a stalled reader costs what the gateway's end has read at once, and some objects at both ends. */
const beside = (256 + 64) * 1024;

async function amongStalled<T>(by: Transport, work: () => Promise<T>): Promise<T> {
  const readers = await Promise.all(Array.from({ length: stalled }, () => stall(by)));
  await settled();
  const result = await work();
  for (const reader of readers) reader.destroy(true);
  await settled();
  return result;
}

/** Rounds of both kinds by turns, so that what else the machine does meets both. */
async function compare(by: Transport): Promise<{ alone: number; among: number }> {
  const alone: number[] = [];
  const among: number[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    const [first, second] = pair % 2 === 0 ? [alone, among] : [among, alone];
    for (const times of [first, second])
      times.push(times === alone ? await timed(by) : await amongStalled(by, () => timed(by)));
  }
  return { alone: median(alone), among: median(among) };
}

v8.setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
function held(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
/** Once it stands still: what connections of before had is given back later, on a busy machine much later. */
async function memory(): Promise<number> {
  for (let before = held(); ; ) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const now = held();
    if (Math.abs(now - before) < 256 * 1024) return now;
    before = now;
  }
}
/** Until nothing has moved for a while; what is left over is gone too, so that no round pays for another one. */
async function settled(): Promise<void> {
  for (let quiet = 0, seen = -1; quiet < 4; quiet = written === seen ? quiet + 1 : 0) {
    seen = written;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  collectGarbage();
}

async function transportTo(t: TestContext, protocol: 'trunk' | 'h2'): Promise<Transport> {
  const { port } = await tunnelFixture(t, { backend: await echoServer(t, serveBytes) });
  const own = createTransport({ gateways: [{ host: '127.0.0.1', port }], dialer: plainDialer, protocol });
  t.after(() => own.close());
  return own;
}

for (const [protocol, window] of [
  ['trunk', trunkWindow],
  ['h2', h2Window],
] as const) {
  test(`${protocol}: ${stalled} stalled readers take at most a tenth of the speed of others`, limit, async (t) => {
    const own = await transportTo(t, protocol);
    await amongStalled(own, () => timed(own));
    const ratios: number[] = [];
    while (ratios.length < attempts && !ratios.some((ratio) => ratio <= mostSlower)) {
      const { alone, among } = await compare(own);
      ratios.push(among / alone);
      t.diagnostic(`${alone.toFixed(0)} ms alone, ${among.toFixed(0)} ms among: ${(among / alone).toFixed(3)}`);
    }
    assert.ok(Math.min(...ratios) <= mostSlower, `so many times as long: ${ratios}`);
  });

  test(`${protocol}: a stalled reader costs a window`, limit, async (t) => {
    const own = await transportTo(t, protocol);
    await timed(own);
    const before = await memory();
    const each = await amongStalled(own, async () => ((await memory()) - before) / stalled);
    t.diagnostic(`${Math.round(each / 1024)} KiB for each stalled reader`);
    // Less than half: they do not stand still, and nothing was tested.
    assert.ok(each > window / 2 && each <= window + beside, `${each} bytes for each stalled reader`);
  });
}

test('an HTTP/2 session carries as many streams as may stall at a time', () => {
  assert.ok(streamsPerSession >= stalled);
});
