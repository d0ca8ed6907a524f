// Suggestions: a network, an address or a size that would be right.
import { intervalSet, subtract } from '../../core/intervals.ts';
import {
  bitsOf,
  contains,
  type Family,
  formatAddress,
  formatRange,
  type IpRange,
  parseAddress,
  parseCidr,
  rangeOf,
} from '../../core/ip.ts';

/** Private blocks, in the order in which they are offered. */
const blocks: Readonly<Record<Family, readonly IpRange[]>> = {
  4: ['10.0.0.0/8', '172.16.0.0/12', '100.64.0.0/10', '192.168.0.0/16', '198.18.0.0/15'].map(parseCidr),
  6: ['fd01::/16', 'fd02::/16', 'fd03::/16'].map(parseCidr),
};
const agentAddresses = ['100.64.30.10', '192.168.30.10', '198.18.30.10', '172.31.30.10', '10.255.30.10'];

/** The first private network of this length that none of `taken` touches. */
export function freeNetwork(family: Family, prefix: number, taken: readonly IpRange[]): string | undefined {
  const size = 1n << BigInt(bitsOf(family) - prefix);
  const used = intervalSet(taken.filter((range) => range.family === family));
  for (const gap of subtract(blocks[family], used)) {
    const first = ((gap.first + size - 1n) / size) * size;
    if (first + size - 1n <= gap.last) return formatRange({ family, first, last: first + size - 1n });
  }
  return undefined;
}

export function freeAgentAddress(taken: readonly IpRange[]): string | undefined {
  const isFree = (text: string): boolean => !taken.some((range) => contains(range, rangeOf(parseAddress(text))));
  return agentAddresses.find(isFree) ?? freeNetwork(4, 32, taken);
}

/** The smallest range of `count` addresses inside `within` that none of `taken` touches. */
export function freeRange(within: IpRange, count: number, taken: readonly IpRange[]): string | undefined {
  const { family } = within;
  const used = intervalSet(taken.filter((range) => range.family === family));
  const fits = subtract([within], used).filter((gap) => gap.last - gap.first + 1n >= BigInt(count));
  // From the end: machines are numbered from the front.
  const last = fits.at(-1)?.last;
  if (last === undefined || count < 1) return undefined;
  const at = (value: bigint): string => formatAddress({ family, value });
  return count === 1 ? at(last) : `${at(last - BigInt(count) + 1n)}-${at(last)}`;
}

/** Length of the smallest IPv4 network with `count` usable addresses where `lost` of them are not. */
export const smallestPrefix = (count: number, lost = 0): number => 32 - Math.ceil(Math.log2(Math.max(1, count + lost)));

export const suggestion = (text: string | undefined, sentence: (text: string) => string, otherwise: string): string =>
  text === undefined ? otherwise : sentence(text);
