import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { memo, memoAll, memoInside, memoLast, newCache, newDerived, noCache, slot } from './cache.ts';

describe('memo', () => {
  it('computes once for one object and cache, also when there is nothing to keep', () => {
    let calls = 0;
    const compute = memo((_: object) => {
      calls += 1;
    });
    const [cache, a, b] = [newCache(), {}, {}];
    for (const input of [a, a, b]) compute(cache, input);
    assert.equal(calls, 2);
    compute(newCache(), a);
    assert.equal(calls, 3);
    compute(noCache, a);
    compute(noCache, a);
    assert.equal(calls, 5);
  });
});

describe('memoAll', () => {
  it('keeps results apart that differ in any of the objects', () => {
    const pair = memoAll((_, a: { n: number }, b: { n: number }) => ({ sum: a.n + b.n }));
    const [cache, one, two] = [newCache(), { n: 1 }, { n: 2 }];
    assert.equal(pair(cache, one, two), pair(cache, one, two));
    assert.notEqual(pair(cache, two, one), pair(cache, one, two));
    assert.deepEqual(pair(cache, two, two), { sum: 4 });
    assert.notEqual(pair(noCache, one, two), pair(noCache, one, two));
  });
});

describe('memoLast', () => {
  const counting = (cache = newCache()) => {
    let calls = 0;
    const last = memoLast<object, number>();
    return (anchor: object, parts: readonly unknown[]) => last(cache, anchor, parts, () => ++calls);
  };

  it('computes again when a part is another one, was added or is gone', () => {
    const [call, anchor] = [counting(), {}];
    const asked = [['a', 'b'], ['a', 'b'], ['a', 'c'], ['a', 'c', 'd'], ['a']];
    assert.deepEqual(
      asked.map((parts) => call(anchor, parts)),
      [1, 1, 2, 3, 4],
    );
  });

  it('keeps anchors apart, and keeps nothing without a cache', () => {
    const call = counting();
    assert.deepEqual([call({}, []), call({}, [])], [1, 2]);
    const [uncached, anchor] = [counting(noCache), {}];
    assert.deepEqual([uncached(anchor, []), uncached(anchor, [])], [1, 2]);
  });
});

it('a slot holds what was put there last, in that cache', () => {
  const [kept, cache, key] = [slot<object, string>(), newCache(), {}];
  kept.set(cache, key, 'a');
  kept.set(noCache, key, 'b');
  assert.deepEqual(
    [kept.get(cache, key), kept.get(newCache(), key), kept.get(noCache, key)],
    ['a', undefined, undefined],
  );
});

it('what is derived from an object is kept in it by name, if there is a cache', () => {
  const calls: string[] = [];
  const derive = (name: 'endpoint' | 'path') =>
    memoInside(name, (of: { id: number; derived: unknown[] | undefined }) => {
      calls.push(`${name} ${of.id}`);
      return { name };
    });
  const [endpoint, path] = [derive('endpoint'), derive('path')];
  const [cached, uncached] = [newCache(), noCache].map((cache, id) => ({ id, derived: newDerived(cache) }));
  assert.ok(cached !== undefined && uncached !== undefined);
  assert.equal(endpoint(cached), endpoint(cached));
  assert.deepEqual(path(cached), { name: 'path' });
  assert.notEqual(path(uncached), path(uncached));
  assert.deepEqual(calls, ['endpoint 0', 'path 0', 'path 1', 'path 1']);
});
