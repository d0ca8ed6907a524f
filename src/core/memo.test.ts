import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { memo, memoLast } from './memo.ts';

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
