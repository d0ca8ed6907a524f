import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { countBlocks, drawFrom, type Interval, intersect, intervalSet, isDisjoint, subtract } from './intervals.ts';

// Small numbers, so that a plain set of numbers can be the judge.
const interval = fc
  .tuple(fc.nat(60), fc.nat(8))
  .map(([first, length]): Interval => ({ first: BigInt(first), last: BigInt(first + length) }));
const intervals = fc.array(interval, { maxLength: 8 });

const numbersOf = (list: readonly Interval[]): Set<number> =>
  new Set(
    list.flatMap(({ first, last }) => Array.from({ length: Number(last - first) + 1 }, (_, i) => Number(first) + i)),
  );

describe('interval sets', () => {
  it('hold the same numbers as the intervals they were made from, sorted and with a gap between any two', () => {
    fc.assert(
      fc.property(intervals, (list) => {
        const set = intervalSet(list);
        assert.deepEqual(numbersOf(set), new Set([...numbersOf(list)].sort((a, b) => a - b)));
        for (let i = 1; i < set.length; i++) assert.ok((set[i] as Interval).first > (set[i - 1] as Interval).last + 1n);
      }),
    );
  });

  it('subtract and intersect like sets of numbers', () => {
    fc.assert(
      fc.property(intervals, intervals, (a, b) => {
        const [left, right] = [intervalSet(a), intervalSet(b)];
        assert.deepEqual(numbersOf(subtract(left, right)), numbersOf(left).difference(numbersOf(right)));
        assert.deepEqual(numbersOf(intersect(left, right)), numbersOf(left).intersection(numbersOf(right)));
      }),
    );
  });

  it('know whether they touch a span', () => {
    fc.assert(
      fc.property(intervals, interval, (list, span) => {
        assert.equal(isDisjoint(intervalSet(list), span), numbersOf(list).isDisjointFrom(numbersOf([span])));
      }),
    );
  });

  it('take no longer for an IPv6 network than for an address', () => {
    const huge = intervalSet([{ first: 0n, last: (1n << 128n) - 1n }]);
    assert.deepEqual(subtract(huge, [{ first: 5n, last: 5n }]).length, 2);
    assert.equal(countBlocks(huge, 1n << 64n), 1n << 64n);
  });
});

describe('drawing blocks', () => {
  const size = fc.constantFrom(1n, 2n, 4n, 8n);

  it('hands out as many as were counted, aligned, inside the set and never twice', () => {
    fc.assert(
      fc.property(intervals, size, (list, block) => {
        const set = intervalSet(list);
        const draw = drawFrom(set);
        const drawn: bigint[] = [];
        for (let next = draw(1, block); next !== undefined; next = draw(1, block)) drawn.push(...next);
        assert.equal(BigInt(drawn.length), countBlocks(set, block));
        assert.ok(drawn.every((first) => first % block === 0n));
        const spans = drawn.map((first) => ({ first, last: first + block - 1n }));
        assert.equal(numbersOf(spans).size, drawn.length * Number(block));
        assert.ok(numbersOf(spans).isSubsetOf(numbersOf(set)));
      }),
    );
  });

  it('takes nothing for a request that cannot be met whole', () => {
    const draw = drawFrom([{ first: 1n, last: 3n }]);
    assert.equal(draw(4, 1n), undefined);
    assert.deepEqual(draw(3, 1n), [1n, 2n, 3n]);
    assert.equal(draw(1, 1n), undefined);
  });
});
