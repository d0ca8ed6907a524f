// Addresses as other programs want them: one family at a time, without overlaps, as networks or as ranges.
import { intervalSet, subtract } from '../core/intervals.ts';
import { bitsOf, type Family, formatAddress, formatRange, type IpRange, parseRange } from '../core/ip.ts';

/** The addresses of one family, sorted, with overlapping and neighbouring ones joined. */
export function mergedRanges(texts: readonly string[], family: Family, without: readonly string[] = []): IpRange[] {
  const parsed = texts.map(parseRange).filter((range) => range.family === family);
  const holes = without.map(parseRange).filter((range) => range.family === family);
  return subtract(intervalSet(parsed), intervalSet(holes)).map((interval) => ({ family, ...interval }));
}

export const mergedTexts = (texts: readonly string[], family: Family): string[] =>
  mergedRanges(texts, family).map(formatRange);

/** The same addresses as the fewest networks, each as address/length, single addresses included. */
export function networksOf(range: IpRange): string[] {
  const networks: string[] = [];
  for (let at = range.first; at <= range.last; ) {
    const length = prefixAt(at, range);
    networks.push(`${formatAddress({ family: range.family, value: at })}/${length}`);
    at += 1n << BigInt(bitsOf(range.family) - length);
  }
  return networks;
}

/** Length of the largest network that starts at `at` and ends inside the range. */
function prefixAt(at: bigint, range: IpRange): number {
  let length = bitsOf(range.family);
  while (length > 0) {
    const size = 1n << BigInt(bitsOf(range.family) - length + 1);
    if (at % size !== 0n || at + size - 1n > range.last) break;
    length -= 1;
  }
  return length;
}

export const families = [4, 6] as const satisfies readonly Family[];
