// Allocations by their user. The index of a pool is built once for as long as the pool's part of the plan stays the same.
import { memo } from '../../core/memo.ts';
import type { Addresses, NodePortPlan, PoolPlan } from '../schema/index.ts';

const none: readonly string[] = [];
const poolsByName = memo((pools: PoolPlan[]) => new Map(pools.map((pool) => [pool.pool, pool])));
const seedsByName = memo((seeds: NodePortPlan[]) => new Map(seeds.map((seed) => [seed.seed, seed])));
const addressesByUser = memo((pool: PoolPlan) => new Map(pool.allocations.map((a) => [a.for, a.addresses])));
const portsByCluster = memo((seed: NodePortPlan) => new Map(seed.allocations.map((a) => [a.cluster, a])));

/** What `user` (ingress, gateway, cluster/NAME) got from a pool; nothing if the pool is unknown or exhausted. */
export function drawnFrom(addresses: Addresses, pool: string | undefined, user: string): readonly string[] {
  const plan = pool === undefined ? undefined : poolsByName(addresses.pools).get(pool);
  return (plan === undefined ? undefined : addressesByUser(plan).get(user)) ?? none;
}

export function nodePortsFor(
  addresses: Addresses,
  seed: string,
  cluster: string,
): NodePortPlan['allocations'][number] | undefined {
  const plan = seedsByName(addresses.nodePorts).get(seed);
  return plan === undefined ? undefined : portsByCluster(plan).get(cluster);
}
