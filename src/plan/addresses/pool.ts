// One pool: what is locked stays, whatever else changed; the rest is handed out first-fit.
import { drawFrom } from '../../core/intervals.ts';
import { bitsOf, type Family, formatAddress } from '../../core/ip.ts';
import { memoLast } from '../../core/memo.ts';
import type { Allocations } from '../../model/allocations.ts';
import type { AddressPool } from '../../model/schema/index.ts';
import type { PoolPlan } from '../schema/index.ts';
import { handOutOrder, lockedCount, occupied, type PoolLock } from './locked.ts';
import type { Need } from './needs.ts';
import { blockSize, type Space } from './space.ts';

type Allocation = PoolPlan['allocations'][number];
type Give = (need: Need, held: readonly string[]) => string[];

const remembered = memoLast<AddressPool, PoolPlan>();
const noLock: PoolLock = {};

export function planPool(
  pool: AddressPool,
  space: Space,
  needs: readonly Need[],
  allocations: Allocations,
  pools: ReadonlySet<string>,
): PoolPlan {
  const lock = allocations.pools[pool.metadata.name] ?? noLock;
  const complete = needs.every(
    (need) => missing(need, lock[need.for] ?? [], space.families, networkLength(pool, need)) === undefined,
  );
  // With everything locked the other pools do not matter; otherwise they may hold what this one would hand out.
  const others = complete ? [] : [allocations, ...pools];
  return remembered(pool, [space, lock, ...others, ...needs], () => ({
    pool: pool.metadata.name,
    owner: pool.spec.seed === undefined ? `Datacenter/${pool.spec.datacenter}` : `Seed/${pool.spec.seed}`,
    capacity: space.capacity,
    needed: needs.reduce((sum, need) => sum + need.count, 0),
    needs: [...needs],
    allocations: allocate(needs, lock, complete ? () => [] : giver(pool, space, needs, allocations, pools)),
  }));
}

/** Load balancers need addresses; networks are for applications only. */
const networkLength = (pool: AddressPool, need: Need): number | undefined =>
  need.requirement === 'VS-7' ? pool.spec.allocation?.prefix : undefined;

function allocate(needs: readonly Need[], lock: PoolLock, give: Give): Allocation[] {
  const allocations: Allocation[] = [];
  for (const need of needs) {
    const held = lock[need.for] ?? [];
    const given = give(need, held);
    if (given.length > 0) allocations.push({ for: need.for, addresses: [...held, ...given], locked: false });
    else if (held.length > 0) allocations.push({ for: need.for, addresses: held, locked: true });
  }
  return allocations;
}

type Missing = readonly { readonly family: Family; readonly count: number }[];

function missing(
  need: Need,
  held: readonly string[],
  families: readonly Family[],
  prefix: number | undefined,
): Missing | undefined {
  const counts = families
    .map((family) => ({ family, count: need.count - lockedCount(held, family, prefix !== undefined) }))
    .filter(({ count }) => count > 0);
  return counts.length === 0 ? undefined : counts;
}

function giver(
  pool: AddressPool,
  space: Space,
  needs: readonly Need[],
  allocations: Allocations,
  pools: ReadonlySet<string>,
): Give {
  const taken = occupied(allocations, pool.metadata.name, new Set(needs.map((need) => need.for)), pools);
  const draw = {
    4: drawFrom(handOutOrder(space.free[4], 4, taken)),
    6: drawFrom(handOutOrder(space.free[6], 6, taken)),
  };
  return (need, held) => {
    const prefix = networkLength(pool, need);
    return (missing(need, held, space.families, prefix) ?? []).flatMap(({ family, count }) =>
      (draw[family](count, blockSize(family, prefix)) ?? []).map((value) => text(family, value, prefix)),
    );
  };
}

const text = (family: Family, value: bigint, prefix: number | undefined): string => {
  const address = formatAddress({ family, value });
  return prefix === undefined || prefix === bitsOf(family) ? address : `${address}/${prefix}`;
};
