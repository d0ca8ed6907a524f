import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type IpRange, overlaps, parseCidr, parseRange, sizeOf } from '../../core/ip.ts';
import { freeAgentAddress, freeNetwork, freeRange, smallestPrefix } from './free-space.ts';

const network = fc.tuple(fc.integer({ min: 8, max: 28 }), fc.nat(0xffffff)).map(([prefix, bits]) => {
  const size = 2n ** BigInt(32 - prefix);
  const first = ((0x0a000000n + BigInt(bits)) / size) * size;
  return { family: 4, first, last: first + size - 1n } satisfies IpRange;
});

test('a suggested network is free, aligned and of the length asked for', () => {
  fc.assert(
    fc.property(fc.array(network, { maxLength: 20 }), fc.integer({ min: 12, max: 28 }), (taken, prefix) => {
      const free = freeNetwork(4, prefix, taken);
      if (free === undefined) return;
      const parsed = parseCidr(free);
      assert.equal(parsed.prefix, prefix);
      assert.ok(!taken.some((range) => overlaps(range, parsed)));
    }),
  );
});

test('nothing is suggested where every private network is taken', () => {
  assert.equal(freeNetwork(4, 16, [parseCidr('0.0.0.0/0')]), undefined);
  assert.equal(freeAgentAddress([parseCidr('0.0.0.0/0')]), undefined);
});

test('another agent IP is suggested when the usual ones are taken', () => {
  const taken = ['100.64.0.0/10', '192.168.0.0/16', '198.18.0.0/15', '172.16.0.0/12', '10.255.0.0/16'].map(parseCidr);
  assert.equal(freeAgentAddress(taken), '10.0.0.0');
});

test('a suggested range is as large as asked for and free', () => {
  const taken = [parseRange('10.0.0.250-10.0.0.255'), parseRange('10.0.0.0')];
  assert.equal(freeRange(parseCidr('10.0.0.0/24'), 5, taken), '10.0.0.245-10.0.0.249');
  assert.equal(freeRange(parseCidr('10.0.0.0/24'), 1, taken), '10.0.0.249');
  assert.equal(freeRange(parseCidr('10.0.0.0/24'), 250, taken), undefined);
});

test('the smallest network has room for what is asked, and half of it would not', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 0, max: 5 }), (count, lost) => {
      const prefix = smallestPrefix(count, lost);
      assert.ok(2 ** (32 - prefix) >= count + lost);
      assert.ok(count + lost === 1 || 2 ** (31 - prefix) < count + lost);
    }),
  );
  assert.equal(sizeOf(parseCidr(`10.0.0.0/${smallestPrefix(252, 5)}`)), 512n);
});
