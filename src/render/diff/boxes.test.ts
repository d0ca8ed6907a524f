import test from 'node:test';
import fc from 'fast-check';
import { type Box, cut } from './boxes.ts';

const interval = fc
  .tuple(fc.bigInt({ min: 0n, max: 7n }), fc.bigInt({ min: 0n, max: 7n }))
  .map(([a, b]) => (a < b ? { first: a, last: b } : { first: b, last: a }));
const box: fc.Arbitrary<Box> = fc.record({
  kind: fc.constant('4|4|tcp'),
  from: interval,
  to: interval,
  ports: interval,
});

const axis = [0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n];
const points = axis.flatMap((from) => axis.flatMap((to) => axis.map((ports) => ({ from, to, ports }))));
const holds = (one: Box, point: (typeof points)[number]): boolean =>
  (['from', 'to', 'ports'] as const).every((side) => one[side].first <= point[side] && point[side] <= one[side].last);

test('what is left of a box is every point of it that is not in the hole, once', () => {
  fc.assert(
    fc.property(box, box, (whole, hole) => {
      const parts = cut(whole, hole);
      return points.every((point) => {
        const expected = holds(whole, point) && !holds(hole, point) ? 1 : 0;
        return parts.filter((part) => holds(part, point)).length === expected;
      });
    }),
  );
});
