// Networks with the name that people know them by.
import { isIP } from 'node:net';
import { isDisjoint } from '../../core/intervals.ts';
import { bitsOf, type IpRange, overlaps, parseRange, sizeOf } from '../../core/ip.ts';
import { type ByFamily, familySets } from '../addresses/fixed.ts';

export interface NamedRange {
  /** As in "corporate network". */
  readonly what: string;
  readonly text: string;
  readonly range: IpRange;
  /** Document it is written in. */
  readonly resource: string;
}

export interface NamedRanges {
  readonly list: readonly NamedRange[];
  /** The union, for a quick no. */
  readonly union: ByFamily;
}

export const namedRanges = (list: readonly NamedRange[]): NamedRanges => ({
  list,
  union: familySets(list.map((named) => named.range)),
});

/** 0.0.0.0/0 says "from anywhere", which is no network that could be hidden. */
const isEverything = (range: IpRange): boolean => sizeOf(range) === 1n << BigInt(bitsOf(range.family));

export function named(what: string, resource: string, texts: readonly string[] | undefined): NamedRange[] {
  return (texts ?? [])
    .map((text) => ({ what, text, range: parseRange(text), resource }))
    .filter(({ range }) => !isEverything(range));
}

/** Of names and addresses only the addresses. */
export const namedAddresses = (what: string, resource: string, hosts: readonly string[] | undefined): NamedRange[] =>
  named(
    what,
    resource,
    hosts?.filter((host) => isIP(host) !== 0),
  );

export function overlapping(ranges: NamedRanges, range: IpRange): readonly NamedRange[] {
  if (isDisjoint(ranges.union[range.family], range)) return nothing;
  return ranges.list.filter((candidate) => overlaps(candidate.range, range));
}
const nothing: readonly NamedRange[] = [];

/** "corporate network 172.16.0.0/12 and 2 others" */
export function naming(ranges: readonly NamedRange[]): string {
  const shown = ranges.slice(0, 3).map(({ what, text }) => `${what} ${text}`);
  const rest = ranges.length - shown.length;
  const parts = rest > 0 ? [...shown, `${rest} more`] : shown;
  return parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** Networks that mean something special on every machine. */
export const reserved: NamedRanges = namedRanges(
  [
    ['loopback', '127.0.0.0/8'],
    ['link-local addresses', '169.254.0.0/16'],
    ['multicast addresses', '224.0.0.0/4'],
    ['loopback', '::1/128'],
    ['link-local addresses', 'fe80::/10'],
    ['multicast addresses', 'ff00::/8'],
  ].map(([what = '', text = '']) => ({ what, text, range: parseRange(text), resource: '' })),
);
