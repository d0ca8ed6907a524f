import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { contains, formatAddress, type IpRange, overlaps, parseCidr, parseRange, sizeOf } from '../core/ip.ts';
import { mergedRanges, mergedTexts, networksOf } from './networks.ts';

const range = fc.tuple(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 0, max: 300 })).map(([start, length]) => {
  const at = (value: number): string => formatAddress({ family: 4, value: 0x0a000000n + BigInt(value) });
  return `${at(start)}-${at(start + length)}`;
});

test('overlapping and neighbouring networks are joined', () => {
  assert.deepEqual(mergedTexts(['10.2.0.0/24', '10.2.0.128/25', '10.2.1.0/24'], 4), ['10.2.0.0/23']);
});

test('only the asked family is kept', () => {
  assert.deepEqual(mergedTexts(['10.0.0.1', '2001:db8::/64'], 6), ['2001:db8::/64']);
});

test('merged ranges are sorted, disjoint, and hold exactly the same addresses', () => {
  fc.assert(
    fc.property(fc.array(range), (texts) => {
      const merged = mergedRanges(texts, 4);
      const given = texts.map(parseRange);
      const apart = merged.every((r, i) =>
        merged.slice(i + 1).every((other) => r.last < other.first && !overlaps(r, other)),
      );
      return apart && given.every((r) => merged.some((m) => contains(m, r)));
    }),
  );
});

test('excluded addresses are gone', () => {
  const left = mergedRanges(['10.0.0.0/29'], 4, ['10.0.0.0', '10.0.0.3-10.0.0.4']);
  assert.deepEqual(left.map(sizeOf), [2n, 3n]);
});

test('a range as networks covers exactly the range', () => {
  fc.assert(
    fc.property(range, (text) => {
      const whole = parseRange(text);
      const parts: IpRange[] = networksOf(whole).map(parseCidr);
      const total = parts.reduce((sum, part) => sum + sizeOf(part), 0n);
      return total === sizeOf(whole) && parts.every((part) => contains(whole, part));
    }),
  );
});

test('the whole IPv6 space is one network', () => {
  assert.deepEqual(networksOf(parseRange('::/0')), ['::/0']);
});
