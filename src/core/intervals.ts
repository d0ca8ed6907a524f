// Sets of whole numbers as sorted lists of closed intervals: an IPv6 network costs as much as a single address.

export interface Interval {
  readonly first: bigint;
  readonly last: bigint;
}
/** Sorted, disjoint, and with neighbours joined: one list for one set. */
export type IntervalSet = readonly Interval[];

export function intervalSet(intervals: readonly Interval[]): IntervalSet {
  const sorted = [...intervals].sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
  const joined: Interval[] = [];
  for (const next of sorted) {
    const previous = joined.at(-1);
    if (previous === undefined || next.first > previous.last + 1n) joined.push(next);
    else if (next.last > previous.last) joined[joined.length - 1] = { first: previous.first, last: next.last };
  }
  return joined;
}

/** What is in `set` and not in `holes`. */
export function subtract(set: IntervalSet, holes: IntervalSet): IntervalSet {
  return holes.length === 0 ? set : set.flatMap((interval) => withoutHoles(interval, holes));
}

function withoutHoles(interval: Interval, holes: IntervalSet): Interval[] {
  const left: Interval[] = [];
  let first = interval.first;
  for (let i = firstReaching(holes, interval.first); i < holes.length; i++) {
    const hole = holes[i] as Interval;
    if (hole.first > interval.last) break;
    if (hole.first > first) left.push({ first, last: hole.first - 1n });
    first = hole.last + 1n;
  }
  if (first <= interval.last) left.push({ first, last: interval.last });
  return left;
}

export const intersect = (a: IntervalSet, b: IntervalSet): IntervalSet => subtract(a, subtract(a, b));

export const isDisjoint = (set: IntervalSet, span: Interval): boolean => {
  const next = set[firstReaching(set, span.first)];
  return next === undefined || next.first > span.last;
};

/** Index of the first interval that ends at `value` or later. */
function firstReaching(set: IntervalSet, value: bigint): number {
  let [low, high] = [0, set.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((set[middle] as Interval).last < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

const roundUp = (value: bigint, size: bigint): bigint => ((value + size - 1n) / size) * size;

/** How many blocks of `size`, each starting at a multiple of it, fit into the set. */
export function countBlocks(set: IntervalSet, size: bigint): bigint {
  return set.reduce((sum, { first, last }) => {
    const blocks = (last + 1n - roundUp(first, size)) / size;
    return blocks > 0n ? sum + blocks : sum;
  }, 0n);
}

/** Hands out aligned blocks from the front; a request that cannot be met whole takes nothing. */
export function drawFrom(set: IntervalSet): (count: number, size: bigint) => bigint[] | undefined {
  let index = 0;
  let next = set[0]?.first ?? 0n;
  return (count, size) => {
    const blocks: bigint[] = [];
    let [i, from] = [index, next];
    while (blocks.length < count) {
      const interval = set[i];
      if (interval === undefined) return undefined;
      const start = roundUp(from, size);
      if (start + size - 1n <= interval.last) {
        blocks.push(start);
        from = start + size;
      } else from = set[++i]?.first ?? 0n;
    }
    [index, next] = [i, from];
    return blocks;
  };
}
