import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Evictions } from './evictions.ts';

/** What one process writes, the next one reads. */
function kept(text?: string) {
  const texts = new Map<string, string>(text === undefined ? [] : [['evicted-nodes', text]]);
  return {
    read: (name: string) => texts.get(name),
    write: (name: string, value: string) => void texts.set(name, value),
  };
}
const second = 1000;
const now = Date.UTC(2026, 5, 1) + 250;

test('who was evicted stays so after a restart, in its cluster alone', () => {
  const state = kept();
  new Evictions(state).evict('shop', 'n1', now);
  const again = new Evictions(state);
  assert.deepEqual(again.of('shop'), [{ node: 'n1', evictedAt: now }]);
  assert.equal(again.isEvicted('shop', 'n1'), true);
  assert.equal(again.isEvicted('web', 'n1'), false);
  assert.deepEqual([again.snapshotOf('web'), again.of('constructor')], [{}, []]);
});

test('the gateway refuses all tokens of the node, and those without a node that were issued before', () => {
  const evictions = new Evictions(kept());
  evictions.evict('shop', 'n1', now);
  evictions.evict('shop', 'n2', now + 5 * second);
  assert.deepEqual(evictions.snapshotOf('shop'), {
    evictedNodes: [{ name: 'n1' }, { name: 'n2' }],
    unboundTokensFrom: Math.floor(now / second) + 6,
  });
});

test('let in again, the tokens that it had stay refused, and so do those without a node', () => {
  const evictions = new Evictions(kept());
  assert.equal(evictions.readmit('shop', 'n1', now), false);
  evictions.evict('shop', 'n1', now);
  assert.equal(evictions.readmit('shop', 'n1', now + 9 * second), true);
  assert.equal(evictions.readmit('shop', 'n1', now), false);
  assert.deepEqual(evictions.of('shop'), []);
  assert.equal(evictions.hasAny('shop'), true);
  assert.deepEqual(evictions.snapshotOf('shop'), {
    evictedNodes: [{ name: 'n1', issuedBefore: Math.floor(now / second) + 9 }],
    unboundTokensFrom: Math.floor(now / second) + 1,
  });
});

test('whatever is done in whatever order, a node is shut out exactly when that came last', () => {
  const step = fc.record({
    evict: fc.boolean(),
    node: fc.constantFrom('n1', 'n2'),
    cluster: fc.constantFrom('a', 'b'),
  });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const state = kept();
      for (const { evict, node, cluster } of steps)
        if (evict) new Evictions(state).evict(cluster, node, now);
        else new Evictions(state).readmit(cluster, node, now);
      for (const cluster of ['a', 'b'])
        for (const node of ['n1', 'n2']) {
          const last = steps.findLast((one) => one.node === node && one.cluster === cluster);
          const evictions = new Evictions(state);
          assert.equal(evictions.isEvicted(cluster, node), last?.evict ?? false);
          const entry = evictions.snapshotOf(cluster).evictedNodes?.find(({ name }) => name === node);
          assert.equal(entry !== undefined && entry.issuedBefore === undefined, last?.evict ?? false);
        }
    }),
  );
});

test('a cluster that is deleted takes its list along', () => {
  const state = kept();
  const evictions = new Evictions(state);
  evictions.evict('shop', 'n1', now);
  evictions.evict('web', 'n1', now);
  evictions.forget('shop');
  assert.deepEqual([evictions.hasAny('shop'), new Evictions(state).isEvicted('web', 'n1')], [false, true]);
});

test('a list that cannot be read lets nobody in: it is said, and not taken for an empty one', () => {
  for (const text of ['', '{', '[]', '{"shop":1}', '{"shop":[{"node":"n1"}]}', '{"shop":[null]}', 'null'])
    assert.throws(() => new Evictions(kept(text)), { code: 'CW-UP-EVICTIONS' }, text);
});

test('what could not be written down is not said to be done', () => {
  const evictions = new Evictions({
    read: () => undefined,
    write: () => {
      throw new Error('no space');
    },
  });
  assert.throws(() => evictions.evict('shop', 'n1', now), /no space/);
  assert.deepEqual(evictions.of('shop'), []);
});
