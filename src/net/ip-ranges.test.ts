import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  bitsOf,
  contains,
  type Family,
  formatAddress,
  formatCidr,
  type IpRange,
  parseAddress,
  parseCidr,
  rangeOf,
} from '../core/ip.ts';
import { compileNetworks, readNetwork } from './ip-ranges.ts';

/** Few different bits, so that networks nest and touch, and addresses are near their edges. */
const cidr = (family: Family): fc.Arbitrary<string> =>
  fc.record({ seed: fc.nat(7), low: fc.nat(7), prefix: fc.integer({ min: 0, max: bitsOf(family) }) }).map((choice) => {
    const bits = BigInt(bitsOf(family));
    const value = (BigInt(choice.seed) << (bits - 3n)) | (BigInt(choice.low) << (bits / 2n)) | BigInt(choice.low);
    const mask = (1n << (bits - BigInt(choice.prefix))) - 1n;
    const first = value & ~mask;
    return formatCidr({ family, prefix: choice.prefix, first, last: first | mask });
  });
const anyCidr = fc.oneof(cidr(4), cidr(6));
const isMapped = (text: string): boolean => text.startsWith('::ffff:');

const edgesOf = ({ family, first, last }: IpRange): string[] =>
  [first, last, first - 1n, last + 1n, (first + last) / 2n]
    .filter((value) => value >= 0n && value < 1n << BigInt(bitsOf(family)))
    .map((value) => formatAddress({ family, value }))
    .filter((address) => !isMapped(address));

describe('networks', () => {
  it('hold exactly the addresses that the planner says they hold', () => {
    fc.assert(
      fc.property(fc.array(anyCidr, { maxLength: 12 }), (cidrs) => {
        const ranges = cidrs.map(parseCidr);
        const matches = compileNetworks(cidrs);
        for (const address of ranges.flatMap(edgesOf)) {
          const expected = ranges.some((range) => contains(range, rangeOf(parseAddress(address))));
          assert.equal(matches(address), expected, `${address} in ${cidrs}`);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('see the IPv4 address in its IPv6 notation', () => {
    const matches = compileNetworks(['10.0.0.0/8']);
    assert.equal(matches('::ffff:10.1.2.3'), true);
    assert.equal(matches('::ffff:11.1.2.3'), false);
  });

  it('hold nobody where there are none, nor something that is no address', () => {
    assert.equal(compileNetworks([])('10.0.0.1'), false);
    assert.equal(compileNetworks(['0.0.0.0/0', '::/0'])('client'), false);
  });

  it('may be written as one address', () => {
    const matches = compileNetworks(['10.0.0.1', '2001:db8::1']);
    assert.deepEqual(['10.0.0.1', '10.0.0.2', '2001:db8::1', '2001:db8::2'].map(matches), [true, false, true, false]);
  });

  it('that are none are refused with what would be right', () => {
    const refusals = {
      '10.0.0.7/24': '"10.0.0.7/24" has host bits set; write 10.0.0.0/24',
      '2001:db8::1/64': '"2001:db8::1/64" has host bits set; write 2001:db8::/64',
      '10.0.0.0/33': '"10.0.0.0/33" has no valid length after the slash (0-32)',
      '::ffff:10.0.0.1': '"::ffff:10.0.0.1" is an IPv4 address in IPv6 notation; write 10.0.0.1',
      office: '"office" is not a network; write 10.0.0.0/8 or 2001:db8::/32',
      'fe80::1%eth0': '"fe80::1%eth0" is not a network; write 10.0.0.0/8 or 2001:db8::/32',
    };
    for (const [text, sentence] of Object.entries(refusals)) assert.equal(readNetwork(text), sentence);
  });
});
