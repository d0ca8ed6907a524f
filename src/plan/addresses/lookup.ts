// Allocations by their user. The index of a pool is built once for as long as the pool's part of the plan stays the same.
import { memo, type PlanCache } from '../cache.ts';
import type { Addresses, NodePortPlan, PoolPlan } from '../schema/index.ts';

const none: readonly string[] = [];
const poolsByName = memo((pools: PoolPlan[]) => new Map(pools.map((pool) => [pool.pool, pool])));
const seedsByName = memo((seeds: NodePortPlan[]) => new Map(seeds.map((seed) => [seed.seed, seed])));
const addressesByUser = memo((pool: PoolPlan) => new Map(pool.allocations.map((a) => [a.for, a.addresses])));
const portsByCluster = memo((seed: NodePortPlan) => new Map(seed.allocations.map((a) => [a.cluster, a])));

export const poolPlanOf = (cache: PlanCache, { pools }: Addresses, pool: string | undefined): PoolPlan | undefined =>
  pool === undefined ? undefined : poolsByName(cache, pools).get(pool);
export const nodePortPlanOf = (cache: PlanCache, { nodePorts }: Addresses, seed: string): NodePortPlan | undefined =>
  seedsByName(cache, nodePorts).get(seed);

/** What `user` (ingress, gateway, cluster/NAME) got from a pool; nothing if the pool is unknown or exhausted. */
export const drawnFrom = (cache: PlanCache, pool: PoolPlan | undefined, user: string): readonly string[] =>
  (pool === undefined ? undefined : addressesByUser(cache, pool).get(user)) ?? none;

export const nodePortsFor = (
  cache: PlanCache,
  plan: NodePortPlan | undefined,
  cluster: string,
): NodePortPlan['allocations'][number] | undefined =>
  plan === undefined ? undefined : portsByCluster(cache, plan).get(cluster);
