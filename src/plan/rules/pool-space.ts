// What a pool may hand out by its own words, and where its addresses are announced.
import { type IntervalSet, subtract } from '../../core/intervals.ts';
import { type Family, type IpRange, parseRange } from '../../core/ip.ts';
import type { AddressPool, Datacenter, Seed } from '../../model/schema/index.ts';
import { type ByFamily, familySets } from '../addresses/fixed.ts';
import { memo } from '../cache.ts';
import type { PlanContext } from '../context.ts';

const families = [4, 6] as const;

/** What a pool may hand out by its own words: ranges without exclusions. */
export const offered = memo((pool: AddressPool): ByFamily => {
  const [ranges, holes] = [pool.spec.ranges, pool.spec.exclude ?? []].map((texts) => familySets(texts.map(parseRange)));
  const left = (family: Family): IntervalSet => subtract(ranges?.[family] ?? [], holes?.[family] ?? []);
  return { 4: left(4), 6: left(6) };
});
/** The same as single ranges. */
export const pieces = memo((pool: AddressPool, cache): IpRange[] =>
  families.flatMap((family) => offered(cache, pool)[family].map((interval) => ({ family, ...interval }))),
);

export const ownerOf = (pool: AddressPool, { seeds, datacenters }: PlanContext): Seed | Datacenter | undefined =>
  seeds.get(pool.spec.seed ?? '') ?? datacenters.get(pool.spec.datacenter ?? '');

/** Segment of the virtual IPs in L2 mode: the one that is named, else the only node network. */
export function segmentOf({ spec }: Seed | Datacenter): string | undefined {
  const { segment } = spec.loadBalancer ?? {};
  const v4 = spec.nodes.networks.filter((text) => !text.includes(':'));
  return segment ?? (v4.length === 1 ? v4[0] : undefined);
}

/** The part that two overlapping ranges share. */
export const overlapOf = (a: IpRange, b: IpRange): IpRange => ({
  family: a.family,
  first: a.first > b.first ? a.first : b.first,
  last: a.last < b.last ? a.last : b.last,
});
