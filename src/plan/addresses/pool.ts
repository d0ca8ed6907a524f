// One pool: what is locked stays, whatever else changed; the rest is handed out first-fit.

import { entryOf } from '../../core/collections.ts';
import { drawFrom } from '../../core/intervals.ts';
import { bitsOf, type Family, formatAddress } from '../../core/ip.ts';
import type { Allocations } from '../../model/index.ts';
import type { AddressPool } from '../../model/schema/index.ts';
import type { PlanCache } from '../cache.ts';
import type { PoolPlan } from '../schema/index.ts';
import { handOutOrder, lockedCount, type Occupied, occupied, type PoolLock } from './locked.ts';
import type { Need } from './needs.ts';
import { blockSize, type Space, type Spaces } from './space.ts';

type Allocation = PoolPlan['allocations'][number];
type Give = (family: Family, count: number, prefix: number | undefined) => string[];

export function planPool(
  cache: PlanCache,
  pool: AddressPool,
  spaces: Spaces,
  needs: Need[],
  allocations: Allocations,
): PoolPlan {
  const { name } = pool.metadata;
  const space = spaces.get(name) as Space;
  const lock = entryOf(allocations.pools, name) ?? {};
  const give = lazyGiver(() => {
    const users = new Set(needs.map((need) => need.for));
    return handOut(space, occupied(cache, allocations, name, users, spaces));
  });
  return {
    pool: name,
    owner: pool.spec.seed === undefined ? `Datacenter/${pool.spec.datacenter}` : `Seed/${pool.spec.seed}`,
    capacity: space.capacity,
    needed: needs.reduce((sum, need) => sum + need.count, 0),
    needs,
    allocations: needs.flatMap((need) => allocationOf(need, pool, space, lock, give)),
  };
}

function allocationOf(need: Need, pool: AddressPool, space: Space, lock: PoolLock, give: Give): Allocation[] {
  const held = entryOf(lock, need.for) ?? [];
  // Load balancers need addresses; networks are for applications only.
  const prefix = need.requirement === 'VS-7' ? pool.spec.allocation?.prefix : undefined;
  const given = space.families.flatMap((family) => {
    const missing = need.count - lockedCount(held, family, prefix !== undefined);
    return missing > 0 ? give(family, missing, prefix) : [];
  });
  if (given.length > 0) return [{ for: need.for, addresses: [...held, ...given], locked: false }];
  return held.length > 0 ? [{ for: need.for, addresses: held, locked: true }] : [];
}

/** Nothing is searched in a pool whose users have all they need. */
function lazyGiver(make: () => Give): Give {
  let give: Give | undefined;
  return (family, count, prefix) => {
    give ??= make();
    return give(family, count, prefix);
  };
}

function handOut(space: Space, taken: Occupied): Give {
  const draw = {
    4: drawFrom(handOutOrder(space.free[4], 4, taken)),
    6: drawFrom(handOutOrder(space.free[6], 6, taken)),
  };
  return (family, count, prefix) =>
    (draw[family](count, blockSize(family, prefix)) ?? []).map((value) => text(family, value, prefix));
}

const text = (family: Family, value: bigint, prefix: number | undefined): string => {
  const address = formatAddress({ family, value });
  return prefix === undefined || prefix === bitsOf(family) ? address : `${address}/${prefix}`;
};
