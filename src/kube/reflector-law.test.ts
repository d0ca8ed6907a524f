// Whatever happens to connections, the store ends as the server is, and handlers could build the same from what they are told.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { createUndoList } from '../../test/support/gateway/undo.ts';
import { until } from '../../test/support/gateway/until.ts';
import { Reflector } from './reflector.ts';
import { Store, type StoreHandler } from './store.ts';
import { FakeApiServer, type Thing, thingsPath } from './testing/fake-api-server.ts';

const name = fc.constantFrom('a', 'b', 'c', 'd');
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('put' as const), name }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('remove' as const), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cutWithin' as const), name }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('cut', 'compact', 'endWatches', 'bookmark', 'advance', 'expire', 'fail', 'pause'),
    }),
  },
);
type Step = { readonly do: string; readonly name?: string };

async function take(server: FakeApiServer, { do: what, name: of = '' }: Step): Promise<void> {
  if (what === 'put') server.put(of, `${server.version}`);
  else if (what === 'remove') server.remove(of);
  else if (what === 'cutWithin') await server.cutWithin(of);
  else if (what === 'expire') server.error(410, 'expired');
  else if (what === 'fail') server.error(500, 'failed');
  else if (what === 'pause') await sleep(3);
  else server[what as 'cut' | 'compact' | 'endWatches' | 'bookmark' | 'advance']();
}

/** Builds the collection from what it is told, and refuses what cannot be. */
function replayed(): { handler: StoreHandler<Thing>; things: Map<string, string> } {
  const things = new Map<string, string>();
  const set = ({ metadata }: Thing, isKnown: boolean): void => {
    assert.equal(things.has(metadata.name), isKnown, `${metadata.name} is ${isKnown ? 'not known' : 'known'} yet`);
    things.set(metadata.name, metadata.resourceVersion);
  };
  const handler: StoreHandler<Thing> = {
    added: (thing) => set(thing, false),
    updated: (thing, before) => {
      assert.notEqual(thing.metadata.resourceVersion, before.metadata.resourceVersion);
      set(thing, true);
    },
    deleted: ({ metadata }) => assert.ok(things.delete(metadata.name)),
  };
  return { handler, things };
}

const versions = (things: Iterable<Thing>): [string, string][] =>
  Array.from(things, ({ metadata }): [string, string] => [metadata.name, metadata.resourceVersion]).sort();

test('any changes seen through any cuts are the server’s state in the end', { timeout: 60_000 }, async () => {
  const watchList = fc.constantFrom('offered' as const, 'refused' as const, 'ignored' as const);
  await fc.assert(
    fc.asyncProperty(watchList, fc.array(step, { maxLength: 25 }), async (offer, steps) => {
      const undo = createUndoList();
      try {
        const server = await FakeApiServer.start(undo);
        server.watchList = offer;
        const wrong: Error[] = [];
        const store = new Store<Thing>({ handlerFailed: (error) => void wrong.push(error) });
        const { handler, things } = replayed();
        store.handle(handler);
        const timing = { firstPauseMs: 1, longestPauseMs: 4 };
        const over = new AbortController();
        const running = new Reflector<Thing>({ client: server.client(undo), path: thingsPath, store, timing }).run(
          over.signal,
        );
        undo.after(() => {
          over.abort();
          return running;
        });
        for (const one of steps) await take(server, one);
        server.put('last');
        await until(() => store.version === server.version, 5_000);
        assert.deepEqual(wrong, []);
        assert.deepEqual(versions(store.list()), versions(server.things.values()));
        assert.deepEqual([...things].sort(), versions(server.things.values()));
      } finally {
        await undo.run();
      }
    }),
    { numRuns: 60 },
  );
});
