// What a pool may hand out: its ranges without exclusions, without addresses entered by hand, and without what belongs
// to another pool. Every address of a range counts, its first and last too: virtual IPs are announced one by one. Left
// out are only the first address of an IPv6 network, which every router of it answers to (RFC 4291), and on a layer-2
// segment the addresses that mean something else there (network, broadcast; its router counts as entered by hand).
import { countBlocks, type Interval, type IntervalSet, intervalSet, subtract } from '../../core/intervals.ts';
import { bitsOf, type Family, type IpRange, parseCidr, parseRange, rangeOf } from '../../core/ip.ts';
import type { AddressPool, Model, Platform } from '../../model/schema/index.ts';
import { memo, memoLast, type PlanCache } from '../cache.ts';
import { type ByFamily, familySets, fixedAddresses } from './fixed.ts';

export interface Space {
  /** Families the pool has ranges of; each user gets its share of every one. */
  readonly families: readonly Family[];
  readonly free: ByFamily;
  readonly capacity: number;
}

export type Spaces = ReadonlyMap<string, Space>;

const rangesOf = memo((pool: AddressPool) => familySets(pool.spec.ranges.map(parseRange)));
const exclusionsOf = memo((pool: AddressPool) => familySets((pool.spec.exclude ?? []).map(parseRange)));

const remembered = memoLast<Platform, Spaces>();

/** The spaces of all pools; an address in two pools belongs to the one whose name sorts first. */
export function spacesOf(cache: PlanCache, model: Model): Spaces {
  const fixed = fixedAddresses(cache, model);
  return remembered(cache, model.platform, [...model.pools, ...model.seeds, ...model.datacenters, fixed], () => {
    const spaces = new Map<string, Space>();
    const taken: Record<Family, Interval[]> = { 4: [], 6: [] };
    for (const pool of model.pools) {
      const space = spaceOf(
        cache,
        pool,
        familySets([...segmentReserved(pool, model), ...anycastOf(pool)]),
        fixed,
        taken,
      );
      spaces.set(pool.metadata.name, space);
      for (const family of space.families) taken[family].push(...space.free[family]);
    }
    return spaces;
  });
}

function spaceOf(
  cache: PlanCache,
  pool: AddressPool,
  reserved: ByFamily,
  fixed: ByFamily,
  taken: Record<Family, readonly Interval[]>,
): Space {
  const prefix = pool.spec.datacenter === undefined ? undefined : pool.spec.allocation?.prefix;
  const ranges = rangesOf(cache, pool);
  const freeOf = (family: Family): IntervalSet =>
    [exclusionsOf(cache, pool)[family], reserved[family], fixed[family], intervalSet(taken[family])].reduce(
      subtract,
      ranges[family],
    );
  const free = { 4: freeOf(4), 6: freeOf(6) };
  const families = ([4, 6] as const).filter((family) => ranges[family].length > 0 && (prefix ?? 0) <= bitsOf(family));
  const capacities = families.map((family) => countBlocks(free[family], blockSize(family, prefix)));
  return {
    families,
    free,
    capacity: capacities.length === 0 ? 0 : toCount(capacities.reduce((a, b) => (a < b ? a : b))),
  };
}

export const blockSize = (family: Family, prefix: number | undefined): bigint =>
  prefix === undefined ? 1n : 1n << BigInt(bitsOf(family) - prefix);

/** An IPv6 network holds more addresses than a JSON number can count; nobody needs more than this. */
const toCount = (value: bigint): number =>
  Number(value < BigInt(Number.MAX_SAFE_INTEGER) ? value : BigInt(Number.MAX_SAFE_INTEGER));

/** Networks that are handed out whole keep their own anycast address inside. */
function anycastOf({ spec }: AddressPool): IpRange[] {
  if (spec.allocation?.prefix !== undefined) return [];
  const networks = spec.ranges.filter((text) => text.includes('/')).map(parseCidr);
  return networks
    .filter(({ family, prefix }) => family === 6 && prefix < 127)
    .map(({ family, first }) => rangeOf({ family, value: first }));
}

function segmentReserved(pool: AddressPool, model: Model): IpRange[] {
  const owner =
    model.seeds.find((seed) => seed.metadata.name === pool.spec.seed) ??
    model.datacenters.find((datacenter) => datacenter.metadata.name === pool.spec.datacenter);
  const loadBalancer = owner?.spec.loadBalancer;
  if (loadBalancer?.segment === undefined || loadBalancer.mode === 'BGP') return [];
  const { family, first, last, prefix } = parseCidr(loadBalancer.segment);
  if (bitsOf(family) - prefix < 2) return [];
  const broadcast = family === 4 ? [rangeOf({ family, value: last })] : [];
  return [rangeOf({ family, value: first }), ...broadcast];
}
