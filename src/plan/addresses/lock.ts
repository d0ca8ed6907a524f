// What is to be written to the lock: everything allocated. A cluster that is gone is not in it, so its addresses
// and ports are free again from then on; write it only for a model without errors.
import type { Allocations } from '../../model/index.ts';
import type { Addresses } from '../schema/index.ts';

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
