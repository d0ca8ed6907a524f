import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { portRanges } from './port-ranges.ts';

test('three ports in a row are a range, two are not', () => {
  assert.deepEqual(portRanges([30001, 6443, 30000]), [6443, 30000, 30001]);
  assert.deepEqual(portRanges([30002, 30001, 6443, 30000, 30001]), [6443, '30000-30002']);
  assert.deepEqual(portRanges([]), []);
});

test('ranges name exactly the given ports', () => {
  const few = fc.array(fc.integer({ min: 30_000, max: 30_040 }));
  fc.assert(
    fc.property(few, (ports) => {
      const named = portRanges(ports).flatMap((range) => {
        if (typeof range === 'number') return [range];
        const [first = 0, last = 0] = range.split('-').map(Number);
        return Array.from({ length: last - first + 1 }, (_, step) => first + step);
      });
      assert.deepEqual(
        named,
        [...new Set(ports)].sort((a, b) => a - b),
      );
    }),
  );
});
