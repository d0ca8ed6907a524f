// Readers that stand still, and how much of what is sent to them a process holds.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { listen } from '../../wire/listen.ts';
import { silentSink, type Wire } from '../../wire/wire.ts';
import { ReceiveBudget, TrunkBudget } from './receive-budget.ts';
import { dialled, limit, soon } from './testing/trunk-pair.ts';
import { TrunkClient } from './trunk-client.ts';
import { TrunkServer } from './trunk-server.ts';
import { streamWindow, type TrunkWire } from './trunk-wire.ts';

const mebibyte = 1024 * 1024;
/** What may be read at once before anybody looks. */
const oneRead = 256 * 1024;

interface Ends {
  readonly port: number;
  readonly budget: ReceiveBudget;
  readonly shed: TrunkWire[];
  most(): number;
}

/** The far end of 'echo' answers; nobody reads the others. */
async function gateway(t: TestContext, budget: ReceiveBudget): Promise<Ends> {
  const trunks: TrunkServer[] = [];
  const shed: TrunkWire[] = [];
  const open = (trunk: TrunkServer, stream: TrunkWire, authority: string): void => {
    trunk.accept(stream);
    if (authority === 'echo')
      stream.read({ ...silentSink, data: (chunk) => !stream.write(Buffer.from(chunk), 0) && false });
  };
  const events = { greeted: (one: TrunkServer) => one.greet(), open, freed: () => {}, lost: () => {} };
  const listener = await listen('127.0.0.1', 0, (wire) => {
    const trunk = new TrunkServer(wire, { ...events, shed: (_trunk, stream) => shed.push(stream) }, budget);
    trunks.push(trunk);
    trunk.start(Buffer.alloc(0));
  });
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, budget.held);
  }, 1);
  t.after(() => {
    clearInterval(timer);
    listener.close();
    for (const trunk of trunks) trunk.close();
  });
  return { port: listener.local.port, budget, shed, most: () => most };
}

async function agent(t: TestContext, port: number): Promise<TrunkClient> {
  const { promise: greeted, resolve } = Promise.withResolvers<void>();
  const events = { greeted: () => resolve(), room: () => {}, pong: () => {}, lost: () => {} };
  const client = new TrunkClient(await dialled(port), undefined, events);
  t.after(() => client.close());
  await greeted;
  return client;
}

/** Sends a whole window that nobody reads. Resolves with how it ended. */
const unread = (by: TrunkClient): Promise<Error | undefined> =>
  new Promise((resolve) => {
    const wire = by.open('nobody', undefined);
    wire.read({ ...silentSink, closed: resolve });
    wire.write(Buffer.alloc(streamWindow, 1), 0);
  });

/** Milliseconds until a byte comes back. */
const roundTrip = (wire: Wire): Promise<number> =>
  new Promise((resolve) => {
    const sent = performance.now();
    const data = (): boolean => {
      resolve(performance.now() - sent);
      return false;
    };
    wire.read({ ...silentSink, data });
    wire.write(Buffer.from('x'), 0);
  });

test(
  'one trunk holds no more than it may unread; connections that stand still are reset, others go on',
  limit,
  async (t) => {
    const ends = await gateway(t, new ReceiveBudget(100 * mebibyte, 4 * mebibyte));
    const client = await agent(t, ends.port);
    const good = client.open('echo', undefined);
    await roundTrip(good);
    const ended = Array.from({ length: 40 }, () => unread(client));
    assert.equal((await Promise.race(ended))?.message.includes('reset'), true);
    await roundTrip(good);
    assert.ok(ends.most() > 3 * mebibyte, `${ends.most()} bytes`);
    assert.ok(ends.most() <= 4 * mebibyte + oneRead, `${ends.most()} bytes`);
    assert.ok(ends.shed.length >= 1);
    client.close();
    while (ends.budget.held > 0) await soon();
  },
);

test('all trunks together hold no more than they may, and one that holds little is not slowed', limit, async (t) => {
  const ends = await gateway(t, new ReceiveBudget(6 * mebibyte, 64 * mebibyte));
  const quiet = (await agent(t, ends.port)).open('echo', undefined);
  await roundTrip(quiet);
  const flooders = await Promise.all(Array.from({ length: 3 }, () => agent(t, ends.port)));
  const ended = flooders.flatMap((client) => Array.from({ length: 20 }, () => unread(client)));
  while (ends.budget.held < 6 * mebibyte) await soon();
  assert.ok((await roundTrip(quiet)) < 1000);
  await Promise.race(ended);
  // One read of each, and what an innocent one may still have.
  assert.ok(ends.most() <= 6 * mebibyte + 3 * (oneRead + mebibyte), `${ends.most()} bytes`);
});

test('windows stop growing at half of what may be held', () => {
  const budget = new ReceiveBudget(100, 40);
  const trunk = new TrunkBudget({ readingChanged: () => {}, shed: () => {} }, budget);
  trunk.add(20);
  assert.equal(trunk.pressed, false);
  trunk.add(1);
  assert.equal(trunk.pressed, true);
  trunk.remove(21);
  assert.deepEqual([trunk.pressed, budget.held], [false, 0]);
});

test('a trunk is read again as soon as its readers have taken a quarter', () => {
  let changes = 0;
  const trunk = new TrunkBudget({ readingChanged: () => (changes += 1), shed: () => {} }, new ReceiveBudget(1000, 40));
  trunk.add(41);
  assert.deepEqual([trunk.exceeded, changes], [true, 1]);
  trunk.remove(10);
  assert.deepEqual([trunk.exceeded, changes], [true, 1]);
  trunk.remove(1);
  assert.deepEqual([trunk.exceeded, changes], [false, 2]);
});
