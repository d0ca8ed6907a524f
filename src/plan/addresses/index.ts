// Virtual IPs and node ports: how many are needed and why, and which are whose. What is in the lock never moves.

import type { Allocations } from '../../model/index.ts';
import type { AddressPool, Cluster, Datacenter, Model, Platform, Seed } from '../../model/schema/index.ts';
import { memoLast, type PlanCache, slot } from '../cache.ts';
import type { Addresses, NodePortPlan, PoolPlan } from '../schema/index.ts';
import type { Effective } from '../settings/effective.ts';
import { groupClusters } from './groups.ts';
import { needsOf, usersOf } from './needs.ts';
import { planNodePorts } from './node-ports.ts';
import { planPool } from './pool.ts';
import { asksSame } from './same-asks.ts';
import { spacesOf } from './space.ts';

export { lockOf } from './lock.ts';
export { drawnFrom, nodePortPlanOf, nodePortsFor, poolPlanOf } from './lookup.ts';
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
