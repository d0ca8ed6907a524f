// The lock as numbers, and what is to be written to it. It is read once per lock, not once per plan.
import { entryOf } from '../../core/collections.ts';
import { type IntervalSet, intersect, intervalSet, subtract } from '../../core/intervals.ts';
import { type Family, type IpRange, parseRange, sizeOf } from '../../core/ip.ts';
import type { Allocations } from '../../model/index.ts';
import { memo, type PlanCache } from '../cache.ts';
import type { Addresses } from '../schema/index.ts';
import { type ByFamily, familySets } from './fixed.ts';

export type PoolLock = Allocations['pools'][string];

const rangesOf = memo((texts: readonly string[]): readonly IpRange[] => texts.map(parseRange));
const everythingIn = memo(
  (lock: PoolLock, cache): ByFamily => familySets(Object.values(lock).flatMap((texts) => rangesOf(cache, texts))),
);

/** How many addresses (or networks, where `networks`) of a family a locked entry holds. */
export function lockedCount(texts: readonly string[], family: Family, networks: boolean): number {
  let count = 0;
  for (const text of texts) {
    if (text.includes(':') !== (family === 6)) continue;
    // Single addresses are by far the most frequent, and need no arithmetic.
    count += networks || (!text.includes('-') && !text.includes('/')) ? 1 : Number(sizeOf(parseRange(text)));
  }
  return count;
}

export interface Occupied {
  readonly inUse: ByFamily;
  /** Locked by users that are gone; handed out again only when nothing else is left. */
  readonly abandoned: ByFamily;
}

export function occupied(
  cache: PlanCache,
  allocations: Allocations,
  pool: string,
  users: ReadonlySet<string>,
  pools: { has(name: string): boolean },
): Occupied {
  const own = entryOf(allocations.pools, pool) ?? {};
  const ranges = (used: boolean): IpRange[] =>
    Object.keys(own)
      .filter((user) => users.has(user) === used)
      .flatMap((user) => rangesOf(cache, own[user] ?? []));
  const others = Object.keys(allocations.pools).filter((other) => other !== pool);
  const foreign = (exists: boolean): ByFamily[] =>
    others
      .filter((other) => pools.has(other) === exists)
      .map((other) => everythingIn(cache, allocations.pools[other] ?? {}));
  return {
    inUse: union([familySets(ranges(true)), ...foreign(true)]),
    abandoned: union([familySets(ranges(false)), ...foreign(false)]),
  };
}

const union = (sets: readonly ByFamily[]): ByFamily => ({
  4: intervalSet(sets.flatMap((set) => set[4])),
  6: intervalSet(sets.flatMap((set) => set[6])),
});

/** The free part of a set in the order in which it is handed out: untouched first, abandoned last. */
export function handOutOrder(free: IntervalSet, family: Family, { inUse, abandoned }: Occupied): IntervalSet {
  const unlocked = subtract(free, inUse[family]);
  return [...subtract(unlocked, abandoned[family]), ...intersect(unlocked, abandoned[family])];
}

/**
 * What is to be written to the lock: everything allocated. A cluster that is gone is not in it, so its addresses and ports
 * are free again from then on; write it only for a model without errors.
 */
export function lockOf({ pools, nodePorts }: Addresses): Allocations {
  const taken = pools.filter((pool) => pool.allocations.length > 0);
  const seeds = nodePorts.filter((seed) => seed.allocations.length > 0);
  return {
    pools: Object.fromEntries(
      taken.map((pool) => [pool.pool, Object.fromEntries(pool.allocations.map((a) => [a.for, a.addresses]))]),
    ),
    nodePorts: Object.fromEntries(
      seeds.map((seed) => [
        seed.seed,
        Object.fromEntries(
          seed.allocations.map(({ cluster, apiServer, konnectivity }) => [cluster, { apiServer, konnectivity }]),
        ),
      ]),
    ),
  };
}
