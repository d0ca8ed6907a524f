// Virtual IPs and node ports: how many are needed and why, and which are whose. What is in the lock never moves.
import type { Allocations } from '../../model/index.ts';
import type { AddressPool, Cluster, Datacenter, Model, Platform, Seed } from '../../model/schema/index.ts';
import { memo, memoLast, type PlanCache, slot } from '../cache.ts';
import type { Addresses, NodePortPlan, PoolPlan } from '../schema/index.ts';
import type { Effective } from '../settings/effective.ts';
import { groupClusters } from './groups.ts';
import { needsOf, usersOf } from './needs.ts';
import { planNodePorts } from './node-ports.ts';
import { planPool } from './pool.ts';
import { asksSame } from './same-asks.ts';
import { spacesOf } from './space.ts';

export { lockOf } from './locked.ts';
export { clusterOfUser, loadBalancerPools, userOf } from './needs.ts';

/** A cluster whose documents are all there. */
export interface Located {
  readonly cluster: Cluster;
  readonly datacenter: Datacenter;
  readonly seed: Seed;
  readonly effective: Effective;
}

/** Lists are sorted by name, so that order never decides about an address. */
export interface AddressInput {
  readonly model: Model;
  readonly allocations: Allocations;
  /** A cluster that belongs nowhere is not among them, and gets nothing. */
  readonly located: readonly Located[];
}

const lastOf = slot<Platform, { readonly input: AddressInput; readonly addresses: Addresses }>();

export function planAddresses(cache: PlanCache, input: AddressInput): Addresses {
  const { platform } = input.model;
  const last = lastOf.get(cache, platform);
  const addresses = last !== undefined && asksSame(last.input, input) ? last.addresses : allocate(cache, input);
  lastOf.set(cache, platform, { input, addresses });
  return addresses;
}

const remembered = memoLast<AddressPool, PoolPlan>();

function allocate(cache: PlanCache, input: AddressInput): Addresses {
  const { model, allocations } = input;
  const grouped = groupClusters(input);
  const spaces = spacesOf(cache, model);
  const poolOf = (pool: AddressPool): PoolPlan => {
    const clusters = usersOf(pool, grouped);
    const inputs = [model.platform, spaces, allocations, ...clusters];
    const planned = (): PoolPlan => planPool(cache, pool, spaces, needsOf(pool, model, clusters), allocations);
    return remembered(cache, pool, inputs, planned);
  };
  const portsOf = (seed: Seed): NodePortPlan =>
    planNodePorts(cache, seed, grouped.nodePorts.get(seed.metadata.name) ?? [], allocations);
  return { pools: model.pools.map(poolOf), nodePorts: model.seeds.map(portsOf) };
}

// Allocations by their user. The index of a pool is built once for as long as the pool's part of the plan stays the same.

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
