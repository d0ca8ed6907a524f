import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newCache } from '../cache.ts';
import { membersOfAll } from './members.ts';

const sets = fc.array(
  fc.uniqueArray(fc.constantFrom(...'abcdefgh')).map((names) => names.sort()),
  { maxLength: 6 },
);

test('a union has every name once, sorted', () => {
  fc.assert(
    fc.property(sets, (parts) => deepEqual(membersOfAll(newCache(), parts), [...new Set(parts.flat())].sort())),
  );
});

test('a union of the same sets is the same list, so that flows can share it', () => {
  const cache = newCache();
  const [a, b] = [['x'], ['w', 'y']];
  equal(membersOfAll(cache, [a, b]), membersOfAll(cache, [a, b]));
  equal(membersOfAll(cache, [a, []]), a);
});
