import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { memo, memoInside, memoLast } from './memo.ts';

describe('memo', () => {
  it('computes once for one object, also when there is nothing to remember', () => {
    let calls = 0;
    const compute = memo((_: object) => {
      calls += 1;
      return undefined;
    });
    const [a, b] = [{}, {}];
    compute(a);
    compute(a);
    assert.equal(calls, 1);
    compute(b);
    assert.equal(calls, 2);
  });
});

describe('memoInside', () => {
  it('computes once for one object, and keeps two computations apart', () => {
    const calls: string[] = [];
    const make = (name: string) =>
      memoInside((of: { id: number; memory: unknown[] }) => {
        calls.push(`${name}${of.id}`);
        return { name, id: of.id };
      });
    const [first, second] = [make('first'), make('second')];
    const [a, b] = [1, 2].map((id) => ({ id, memory: [] }));
    assert.ok(a !== undefined && b !== undefined);
    assert.deepEqual(second(a), { name: 'second', id: 1 });
    assert.deepEqual(first(a), { name: 'first', id: 1 });
    assert.equal(first(a), first(a));
    assert.deepEqual(first(b), { name: 'first', id: 2 });
    assert.deepEqual(calls, ['second1', 'first1', 'first2']);
  });
});

describe('memoLast', () => {
  const counting = () => {
    let calls = 0;
    const remembered = memoLast<object, number>();
    return (anchor: object, parts: readonly unknown[]) => remembered(anchor, parts, () => ++calls);
  };

  it('computes again when a part is another one, was added or is gone', () => {
    const [call, anchor] = [counting(), {}];
    assert.equal(call(anchor, ['a', 'b']), 1);
    assert.equal(call(anchor, ['a', 'b']), 1);
    assert.equal(call(anchor, ['a', 'c']), 2);
    assert.equal(call(anchor, ['a', 'c', 'd']), 3);
    assert.equal(call(anchor, ['a']), 4);
  });

  it('keeps anchors apart', () => {
    const call = counting();
    assert.equal(call({}, []), 1);
    assert.equal(call({}, []), 2);
  });
});
