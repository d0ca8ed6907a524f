import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formatAddress, type Ip, parseAddress } from '../core/ip.ts';
import { canonicalIp, formatIp, newIpWords, readIp } from './ip-words.ts';

const words = newIpWords();
const numberOf = (family: 4 | 6): bigint =>
  family === 4 ? BigInt(words[0] ?? 0) : words.reduce((sum, word) => (sum << 32n) | BigInt(word), 0n);
/** Groups are often zero, so that gaps stand everywhere. */
const group = fc.oneof(
  fc.constant('0'),
  fc.integer({ min: 0, max: 0xffff }).map((n) => n.toString(16)),
);
const fullIpv6 = fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => groups.join(':'));
const address = fc.oneof(fc.ipV4(), fc.ipV6(), fullIpv6);
const isMapped = (text: string): boolean => /^(::|(0+:){5})ffff:|^::ffff/i.test(text);

describe('an address as words', () => {
  it('has the value that the planner sees', () => {
    fc.assert(
      fc.property(address, (text) => {
        fc.pre(!isMapped(text));
        const family = readIp(text, words);
        assert.deepEqual({ family, value: numberOf(family as 4 | 6) }, parseAddress(text) satisfies Ip);
      }),
      { numRuns: 2000 },
    );
  });

  it('is written as the planner writes it', () => {
    fc.assert(
      fc.property(address, (text) => {
        fc.pre(!isMapped(text));
        const family = readIp(text, words) as 4 | 6;
        assert.equal(formatIp(family, words), formatAddress(parseAddress(text)));
      }),
      { numRuns: 2000 },
    );
  });

  it('is refused exactly where Node refuses it', () => {
    const nearly = fc.string({ unit: fc.constantFrom(...'0123456789abf:.%/ x'.split('')), maxLength: 20 });
    fc.assert(
      fc.property(fc.oneof(nearly, address), (text) => {
        assert.equal(readIp(text, words) === 0, isIP(text) === 0, text);
      }),
      { numRuns: 5000 },
    );
  });

  it('is IPv4 where IPv6 notation hides one, and passes over a zone', () => {
    assert.equal(canonicalIp('::ffff:10.1.2.3'), '10.1.2.3');
    assert.equal(canonicalIp('::FFFF:0a01:0203'), '10.1.2.3');
    assert.equal(canonicalIp('fe80::1%eth0'), 'fe80::1');
    assert.equal(canonicalIp('64:ff9b::10.1.2.3'), '64:ff9b::a01:203');
    assert.equal(canonicalIp('2001:DB8:0:0:1:0:0:0'), '2001:db8:0:0:1::');
    assert.equal(canonicalIp('010.1.2.3'), undefined);
  });
});
