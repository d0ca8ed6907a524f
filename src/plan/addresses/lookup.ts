// Allocations by their user. The index of a pool is built once for as long as the pool's part of the plan stays the same.
import { memo } from '../../core/memo.ts';
import type { Addresses, NodePortPlan, PoolPlan } from '../schema/index.ts';

const none: readonly string[] = [];
const poolsByName = memo((pools: PoolPlan[]) => new Map(pools.map((pool) => [pool.pool, pool])));
const seedsByName = memo((seeds: NodePortPlan[]) => new Map(seeds.map((seed) => [seed.seed, seed])));
const addressesByUser = memo((pool: PoolPlan) => new Map(pool.allocations.map((a) => [a.for, a.addresses])));
const portsByCluster = memo((seed: NodePortPlan) => new Map(seed.allocations.map((a) => [a.cluster, a])));

export const poolPlanOf = ({ pools }: Addresses, pool: string | undefined): PoolPlan | undefined =>
  pool === undefined ? undefined : poolsByName(pools).get(pool);
export const nodePortPlanOf = ({ nodePorts }: Addresses, seed: string): NodePortPlan | undefined =>
  seedsByName(nodePorts).get(seed);

/** What `user` (ingress, gateway, cluster/NAME) got from a pool; nothing if the pool is unknown or exhausted. */
export const drawnFrom = (pool: PoolPlan | undefined, user: string): readonly string[] =>
  (pool === undefined ? undefined : addressesByUser(pool).get(user)) ?? none;

export const nodePortsFor = (
  plan: NodePortPlan | undefined,
  cluster: string,
): NodePortPlan['allocations'][number] | undefined =>
  plan === undefined ? undefined : portsByCluster(plan).get(cluster);
