import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { describe, it } from 'node:test';
import { containsCidr, normalizeCidr, overlapCidr } from 'cidr-tools';
import fc from 'fast-check';
import {
  bitsOf,
  contains,
  type Family,
  formatAddress,
  formatCidr,
  formatRange,
  type Ip,
  IpError,
  overlaps,
  parseAddress,
  parseCidr,
  parseRange,
  rangeOf,
  sizeOf,
} from './ip.ts';

const family = fc.constantFrom<Family>(4, 6);
// Few distinct leading bits, so that networks meet often enough.
const crowded = (bits: number) =>
  fc.oneof(
    fc.bigInt(0n, (1n << BigInt(bits)) - 1n),
    fc.bigInt(0n, 255n).map((top) => top << BigInt(bits - 8)),
  );
const isMapped = ({ family: f, value }: Ip): boolean => f === 6 && value >> 32n === 0xffffn;
const ip: fc.Arbitrary<Ip> = family
  .chain((f) => crowded(bitsOf(f)).map((value) => ({ family: f, value })))
  .filter((address) => !isMapped(address));
const cidrText = ip.chain(({ family: f, value }) =>
  fc.integer({ min: 0, max: bitsOf(f) }).map((prefix) => {
    const shift = BigInt(bitsOf(f) - prefix);
    return formatCidr({ family: f, first: (value >> shift) << shift, last: 0n, prefix });
  }),
);

/** The error of a parser, which must refuse. */
function refusal(parse: () => unknown): IpError {
  try {
    parse();
  } catch (error) {
    if (error instanceof IpError) return error;
    throw error;
  }
  assert.fail('it was accepted');
}

describe('addresses', () => {
  it('survive being written and read', () => {
    fc.assert(fc.property(ip, (address) => assert.deepEqual(parseAddress(formatAddress(address)), address)));
  });

  it('are written as Node reads them, in the shortest form', () => {
    fc.assert(fc.property(ip, (address) => assert.equal(isIP(formatAddress(address)), address.family)));
    assert.equal(formatAddress(parseAddress('2001:DB8:0:0:0:0:0:1')), '2001:db8::1');
  });

  it('with a zone are refused, and shown without it', () => {
    assert.equal(refusal(() => parseAddress('fe80::1%eth0')).fix, 'fe80::1');
  });

  it('of IPv4 in IPv6 notation are refused, and shown as IPv4', () => {
    assert.equal(refusal(() => parseAddress('::ffff:192.0.2.1')).fix, '192.0.2.1');
    assert.equal(refusal(() => parseAddress('::ffff:c000:201')).fix, '192.0.2.1');
  });

  for (const text of ['', '1.2.3', '1.2.3.256', '01.2.3.4', '1.2.3.4 ', ':::', '12345::', 'example.com', '1.2.3.4/8']) {
    it(`"${text}" is refused`, () => assert.match(refusal(() => parseAddress(text)).message, /not an IP address/));
  }
});

describe('networks', () => {
  it('survive being read and written', () => {
    fc.assert(fc.property(cidrText, (text) => assert.equal(formatCidr(parseCidr(text)), text)));
  });

  it('with host bits set are refused, and shown without them', () => {
    assert.equal(refusal(() => parseCidr('10.0.0.5/24')).fix, '10.0.0.0/24');
    assert.equal(refusal(() => parseCidr('2001:db8::1/64')).fix, '2001:db8::/64');
    fc.assert(
      fc.property(cidrText, fc.bigInt(1n, 1n << 64n), (text, offset) => {
        const { family: f, first, last, prefix } = parseCidr(text);
        fc.pre(last > first);
        const value = first + (offset % (last - first)) + 1n;
        fc.pre(!isMapped({ family: f, value }));
        assert.equal(refusal(() => parseCidr(`${formatAddress({ family: f, value })}/${prefix}`)).fix, text);
      }),
    );
  });

  it('without a length are refused, and shown with one', () => {
    assert.equal(refusal(() => parseCidr('10.0.0.5')).fix, '10.0.0.5/32');
    assert.equal(refusal(() => parseCidr('2001:db8::1')).fix, '2001:db8::1/128');
  });

  for (const text of [
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/8.5',
    '::/129',
    '/8',
    '10.0.0.0/255.0.0.0',
  ]) {
    it(`"${text}" is refused`, () =>
      assert.ok(refusal(() => parseCidr(text)).message.includes(text === '/8' ? '' : text)));
  }

  it('overlap and contain each other as cidr-tools says', () => {
    fc.assert(
      fc.property(cidrText, cidrText, (a, b) => {
        assert.equal(overlaps(parseCidr(a), parseCidr(b)), overlapCidr(a, b));
        assert.equal(contains(parseCidr(a), parseCidr(b)), containsCidr(a, b));
      }),
      { numRuns: 1000 },
    );
  });

  it('never meet across families, even where the numbers are the same', () => {
    assert.equal(overlaps(parseCidr('0.0.0.0/0'), parseCidr('::/0')), false);
    assert.equal(contains(parseCidr('::/0'), parseCidr('10.0.0.0/8')), false);
  });
});

describe('ranges', () => {
  it('are written as a network, an address or from-to: one text for one set of addresses', () => {
    assert.equal(formatRange(parseRange('10.0.0.0-10.0.0.255')), '10.0.0.0/24');
    assert.equal(formatRange(parseRange('10.0.0.7-10.0.0.7')), '10.0.0.7');
    assert.equal(formatRange(parseRange('10.0.0.1-10.0.0.2')), '10.0.0.1-10.0.0.2');
    assert.equal(formatRange(parseRange('10.0.0.4 - 10.0.0.8')), '10.0.0.4-10.0.0.8');
  });

  it('survive being written and read', () => {
    fc.assert(
      fc.property(ip, fc.bigInt(0n, 300n), ({ family: f, value }, length) => {
        const last = value + length;
        fc.pre(last < 1n << BigInt(bitsOf(f)) && !isMapped({ family: f, value: last }));
        const range = parseRange(formatRange({ family: f, first: value, last }));
        assert.deepEqual([range.family, range.first, range.last, sizeOf(range)], [f, value, last, length + 1n]);
      }),
    );
  });

  it('that are networks are written as cidr-tools writes them', () => {
    fc.assert(
      fc.property(cidrText, (text) => {
        const range = parseCidr(text);
        assert.equal(formatRange(range), sizeOf(range) === 1n ? text.split('/')[0] : normalizeCidr(text));
      }),
    );
  });

  it('that end before they start are refused, and turned round', () => {
    assert.equal(refusal(() => parseRange('10.0.0.9-10.0.0.1')).fix, '10.0.0.1-10.0.0.9');
  });

  it('of two families are refused', () => {
    assert.match(refusal(() => parseRange('10.0.0.1-2001:db8::1')).message, /mixes/);
  });

  it('of one address hold exactly it', () => {
    fc.assert(fc.property(ip, (address) => assert.equal(sizeOf(rangeOf(address)), 1n)));
  });
});
