import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { byLabel, byNamespace, compareVersions, keyOf, Store, type Stored, type StoreHandler } from './store.ts';

const item = (name: string, resourceVersion: string, more: Partial<Stored['metadata']> = {}): Stored => ({
  metadata: { name, namespace: 'default', uid: `uid of ${name}`, resourceVersion, ...more },
});

function recorded(): { handler: StoreHandler<Stored>; told: string[] } {
  const told: string[] = [];
  const handler: StoreHandler<Stored> = {
    added: ({ metadata }, initial) => void told.push(`${initial ? 'initial' : 'added'} ${metadata.name}`),
    updated: ({ metadata }, before) =>
      void told.push(`updated ${metadata.name} from ${before.metadata.resourceVersion} to ${metadata.resourceVersion}`),
    deleted: ({ metadata }) => void told.push(`deleted ${metadata.name}`),
  };
  return { handler, told };
}

test('a handler is told each change once, and a new list only by what is different in it', () => {
  const store = new Store<Stored>();
  const { handler, told } = recorded();
  store.handle(handler);
  store.replace([item('a', '1'), item('b', '2')], '2');
  store.put(item('a', '3'), '3');
  store.replace([item('a', '3'), item('c', '4')], '5');
  assert.deepEqual(told, ['initial a', 'initial b', 'updated a from 1 to 3', 'deleted b', 'initial c']);
});

test('a handler that comes later is told what is there', () => {
  const store = new Store<Stored>();
  store.replace([item('a', '1')], '1');
  const { handler, told } = recorded();
  const end = store.handle(handler);
  end();
  store.put(item('b', '2'), '2');
  assert.deepEqual(told, ['initial a']);
});

test('an object that was deleted and made again meanwhile is another object', () => {
  const store = new Store<Stored>();
  const { handler, told } = recorded();
  store.replace([item('a', '1', { uid: 'first' })], '1');
  store.handle(handler);
  store.replace([item('a', '9', { uid: 'second' })], '9');
  assert.deepEqual(told, ['initial a', 'deleted a', 'initial a']);
});

test('a handler that throws keeps neither the store nor the other handlers from a change', () => {
  const failed: string[] = [];
  const store = new Store<Stored>({ handlerFailed: ({ message }) => void failed.push(message) });
  const { handler, told } = recorded();
  store.handle({
    added: () => {
      throw new Error('a bug');
    },
  });
  store.handle(handler);
  store.put(item('a', '1'), '1');
  assert.deepEqual([failed, told, store.size], [['a bug'], ['added a'], 1]);
});

test('finds objects by namespace, by label and by a key of one’s own, after any changes', () => {
  const owners = (one: Stored): string[] => [one.metadata.name.slice(0, 1)];
  const arbitrary = fc.record({
    name: fc.constantFrom('a1', 'a2', 'b1', 'b2'),
    namespace: fc.constantFrom('x', 'y'),
    label: fc.option(fc.constantFrom('red', 'blue')),
    gone: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(arbitrary), (changes) => {
      const indexes = { namespace: byNamespace, colour: byLabel('colour'), owner: owners };
      const store = new Store<Stored>({ indexes });
      changes.forEach(({ name, namespace, label, gone }, index) => {
        const labels: Record<string, string> = label === null ? {} : { colour: label };
        const one = item(name, String(index), { namespace, labels, uid: 'same' });
        if (gone) store.remove(one, String(index));
        else store.put(one, String(index));
      });
      const by = (values: (one: Stored) => readonly string[], value: string): string[] =>
        store
          .list()
          .filter((one) => values(one).includes(value))
          .map(keyOf)
          .sort();
      for (const [name, value] of [
        ...['x', 'y'].map((one) => ['namespace', one] as const),
        ...['red', 'blue'].map((one) => ['colour', one] as const),
        ...['a', 'b'].map((one) => ['owner', one] as const),
      ])
        assert.deepEqual(store.byIndex(name, value).map(keyOf).sort(), by(indexes[name], value));
    }),
  );
});

test('versions are compared as numbers of any length', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 70n }), fc.bigInt({ min: 0n, max: 2n ** 70n }), (a, b) => {
      assert.equal(Math.sign(compareVersions(String(a), String(b))), a < b ? -1 : a > b ? 1 : 0);
    }),
  );
});

test('waits until a version is seen, by an object or by a bookmark, and says when it does not come', async () => {
  const store = new Store<Stored>();
  store.replace([], '9');
  await store.waitFor('8');
  const [byObject, byBookmark] = [store.waitFor('10'), store.waitFor('12')];
  store.put(item('a', '10'), '10');
  await byObject;
  store.bookmark('15');
  await byBookmark;
  await assert.rejects(store.waitFor('16', { timeoutMs: 5 }), { code: 'CW-KUBE-STALE', message: /it shows 15/ });
});
