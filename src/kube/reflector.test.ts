import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../test/support/gateway/until.ts';
import { Reflector, type ReflectorOptions, type Timing } from './reflector.ts';
import { Store } from './store.ts';
import { FakeApiServer, type Thing, thingsPath } from './testing/fake-api-server.ts';

const fast: Partial<Timing> = { firstPauseMs: 5, longestPauseMs: 20 };

async function started(
  t: TestContext,
  {
    before = () => {},
    timing = {},
    ...options
  }: Partial<Omit<ReflectorOptions<Thing>, 'timing'>> & {
    before?: (server: FakeApiServer) => void;
    timing?: Partial<Timing>;
  } = {},
) {
  const server = await FakeApiServer.start(t);
  before(server);
  const store = new Store<Thing>();
  const told: string[] = [];
  store.handle({
    added: ({ metadata }) => void told.push(`+${metadata.name}`),
    updated: ({ metadata }) => void told.push(`~${metadata.name}`),
    deleted: ({ metadata }) => void told.push(`-${metadata.name}`),
  });
  const failures: string[] = [];
  const reflector = new Reflector<Thing>({
    ...{ client: server.client(t), path: thingsPath, store, timing: { ...fast, ...timing } },
    ...{ failed: ({ message }) => void failures.push(message), ...options },
  });
  const over = new AbortController();
  const ended = reflector.run(over.signal);
  t.after(async () => {
    over.abort();
    await ended;
  });
  return { server, store, told, reflector, failures, over, ended };
}

const lists = (server: FakeApiServer): number =>
  server.asked.filter((query) => query.get('watch') === null || query.has('sendInitialEvents')).length;
const last = (server: FakeApiServer): URLSearchParams => server.asked.at(-1) as URLSearchParams;

describe('a reflector', { timeout: 20_000 }, () => {
  for (const watchList of ['offered', 'refused', 'ignored'] as const)
    it(`reads the collection and follows it where initial events are ${watchList}`, async (t) => {
      const before = (server: FakeApiServer): void => {
        server.watchList = watchList;
        for (let number = 0; number < 1100; number++) server.put(`t${number}`);
      };
      const { server, store, told, reflector } = await started(t, { before });
      assert.equal(reflector.hasSynced(), false);
      await reflector.synced;
      assert.deepEqual([store.size, reflector.hasSynced()], [1100, true]);
      server.put('later');
      server.remove('t7');
      await until(() => told.at(-1) === '-t7');
      assert.equal(store.get('default/later')?.metadata.name, 'later');
      const pages = server.asked.filter((query) => query.get('watch') === null);
      assert.equal(pages.length, watchList === 'offered' ? 0 : 3);
      assert.ok(pages.every((query) => query.get('limit') === '500'));
    });

  it('keeps no managedFields, and of the rest what it is told to keep', async (t) => {
    const transform = ({ text: _, ...rest }: Thing): Thing => ({ ...rest, text: 'short' });
    const before = (server: FakeApiServer): void => void server.put('a', 'long');
    const { server, store, reflector } = await started(t, { before, transform });
    await reflector.synced;
    server.put('b', 'long');
    await until(() => store.size === 2);
    for (const one of store.list()) assert.deepEqual([one.text, 'managedFields' in one.metadata], ['short', false]);
  });

  it('goes on where it was after a connection broke in the middle of an event', async (t) => {
    const { server, store, told, failures } = await started(t, { before: (one) => void one.put('a') });
    await until(() => store.size === 1 && server.openWatches === 1);
    await server.cutWithin('a');
    server.put('b');
    await until(() => told.at(-1) === '+b');
    assert.deepEqual([told, lists(server), failures.length], [['+a', '+b'], 1, 1]);
  });

  it('asks for bookmarks, and goes on from the last one', async (t) => {
    const { server, store, reflector } = await started(t);
    await reflector.synced;
    server.advance(50);
    server.bookmark();
    await until(() => store.version === server.version);
    server.compact();
    server.cut();
    await until(() => server.openWatches === 1 && last(server).get('resourceVersion') === server.version);
    assert.equal(last(server).get('allowWatchBookmarks'), 'true');
    assert.equal(lists(server), 1);
  });

  it('reads again when its version was compacted, and tells what was deleted meanwhile', async (t) => {
    const before = (server: FakeApiServer): void => ['a', 'b', 'c'].forEach((name) => void server.put(name));
    const { server, store, told, reflector, failures } = await started(t, { before });
    await reflector.synced;
    server.refuse = { status: 503 };
    server.cut();
    server.remove('b');
    server.put('c', 'new');
    server.put('d');
    server.compact();
    server.refuse = undefined;
    await until(() => store.size === 3 && store.get('default/d') !== undefined);
    assert.deepEqual(told.slice(3), ['-b', '~c', '+d']);
    assert.equal(lists(server), 2);
    assert.doesNotMatch(failures.join(), /too old/, 'nobody has to know');
  });

  it('reads again when the server tells 410 within a stream', async (t) => {
    const { server, reflector, store } = await started(t);
    await reflector.synced;
    server.error(410, 'expired');
    server.put('a');
    await until(() => store.size === 1 && lists(server) === 2);
  });

  it('keeps its version when the server tells another error within a stream', async (t) => {
    const { server, reflector, store } = await started(t);
    await reflector.synced;
    server.error(500, 'etcd is away');
    server.put('a');
    await until(() => store.size === 1);
    assert.equal(lists(server), 1);
  });

  it('reads again when the server counts from an earlier version, as after a restore', async (t) => {
    const before = (server: FakeApiServer): void => {
      server.advance(1000);
      server.put('lost');
    };
    const { server, reflector, store, told } = await started(t, { before });
    await reflector.synced;
    server.things.clear();
    server.goBackTo(500);
    server.put('restored');
    await until(() => store.version === '501');
    assert.deepEqual(told, ['+lost', '-lost', '+restored']);
  });

  it('reads all at once when history was compacted between two pages', async (t) => {
    const before = (server: FakeApiServer): void => {
      server.watchList = 'refused';
      for (let number = 0; number < 600; number++) server.put(`t${number}`);
      server.onPage = () => {
        server.advance();
        server.compact();
      };
    };
    const { server, reflector, store } = await started(t, { before });
    await reflector.synced;
    const pages = server.asked.filter((query) => query.get('watch') === null);
    assert.deepEqual(
      pages.map((query) => [query.get('limit'), query.has('continue')]),
      [
        ['500', false],
        ['500', true],
        [null, false],
      ],
    );
    assert.equal(store.size, 600);
  });

  it('opens a new connection after silence, and none while bytes come', async (t) => {
    const { server, reflector, failures, store } = await started(t, { timing: { silenceMs: 300 } });
    await reflector.synced;
    for (let turn = 0; turn < 6; turn++) {
      await sleep(100);
      server.bookmark();
    }
    assert.deepEqual([failures, server.asked.length], [[], 1]);
    await until(() => server.asked.length === 2);
    assert.match(failures[0] ?? '', /has sent nothing on a watch/);
    server.put('a');
    await until(() => store.size === 1);
    assert.equal(lists(server), 1);
  });

  it('reads again when there is only silence from its version on', async (t) => {
    const { server, reflector } = await started(t, { timing: { silenceMs: 50 } });
    await reflector.synced;
    await until(() => lists(server) > 1);
    assert.ok(server.asked.length >= 3);
  });

  it('does not take a handler that was slow for silence', async (t) => {
    const { server, store, failures, reflector } = await started(t, { timing: { silenceMs: 100 } });
    await reflector.synced;
    store.handle({
      added: () => {
        // Meanwhile the next event arrives.
        server.put('b');
        const end = performance.now() + 250;
        while (performance.now() < end);
      },
    });
    server.put('a');
    await until(() => store.size === 2);
    assert.deepEqual(failures, []);
  });

  it('takes objects of many megabytes, in pieces, with every letter', async (t) => {
    const { server, store, reflector } = await started(t);
    await reflector.synced;
    const text = 'ä€😀 '.repeat(1_000_000);
    server.put('large', text);
    await until(() => store.size === 1);
    assert.equal(store.get('default/large')?.text, text);
  });

  it('tells that it cannot read, and that it can again, although nothing changed', async (t) => {
    let recovered = 0;
    const count = (): void => {
      recovered += 1;
    };
    const { server, failures, reflector } = await started(t, { recovered: count });
    await reflector.synced;
    server.refuse = { status: 503 };
    server.cut();
    await until(() => failures.length > 2);
    assert.equal(recovered, 0);
    server.refuse = undefined;
    await until(() => recovered === 1);
    assert.equal(lists(server), 1);
  });

  it('does not tell that it can read again before the collection is there', async (t) => {
    const store = new Store<Thing>();
    const sizes: number[] = [];
    const before = (server: FakeApiServer): void => {
      server.put('a');
      server.refuse = { status: 503 };
    };
    const recovered = (): void => void sizes.push(store.size);
    const { server, failures, reflector } = await started(t, { before, store, recovered });
    await until(() => failures.length > 1);
    server.refuse = undefined;
    await reflector.synced;
    await until(() => server.openWatches === 1);
    assert.deepEqual(sizes, [1]);
  });

  it('waits longer from attempt to attempt', async (t) => {
    const timing = { firstPauseMs: 40, longestPauseMs: 10_000 };
    const { server, reflector } = await started(t, { timing, random: () => 1 });
    await reflector.synced;
    server.refuse = { status: 503 };
    const from = server.asked.length;
    server.cut();
    // 40, 80, 160, 320: the fifth attempt is after 600 ms.
    await sleep(500);
    const attempts = server.asked.length - from;
    assert.ok(attempts >= 2 && attempts <= 4, `${attempts} attempts`);
  });

  it('waits as long as the server asks for', async (t) => {
    const { server, reflector } = await started(t);
    await reflector.synced;
    server.refuse = { status: 429, headers: { 'retry-after': '1' } };
    const from = server.asked.length;
    server.cut();
    await until(() => server.asked.length > from + 1);
    // By the server's own time: on a busy machine this test looks late.
    const [refused = 0, again = 0] = server.askedAt.slice(from);
    assert.ok(again - refused > 900, `${again - refused} ms`);
  });

  it('does not ask again and again when the server ends watches at once', async (t) => {
    const { server, reflector } = await started(t, { timing: { firstPauseMs: 100, longestPauseMs: 400 } });
    await reflector.synced;
    const ending = setInterval(() => server.endWatches(), 1);
    await sleep(500);
    clearInterval(ending);
    assert.ok(server.asked.length < 8, `${server.asked.length} requests`);
  });

  it('changes nothing any more when it was told to stop, although an answer is on its way', async (t) => {
    const before = (one: FakeApiServer): void => {
      one.silent = true;
    };
    const { server, store, over, ended } = await started(t, { before });
    await until(() => server.asked.length === 1);
    over.abort();
    await ended;
    assert.equal(store.version, undefined);
  });
});
