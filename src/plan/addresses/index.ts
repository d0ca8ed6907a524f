// Virtual IPs and node ports: how many are needed and why, and which are whose. What is in the lock never moves.
import { memoLast } from '../../core/memo.ts';
import type { Allocations } from '../../model/allocations.ts';
import type { AddressPool, Model, Seed } from '../../model/schema/index.ts';
import type { Strategy } from '../../model/schema/inherited.ts';
import type { Addresses, NodePortPlan, PoolPlan } from '../schema/index.ts';
import { groupClusters, sortedByName } from './groups.ts';
import { needsOf, usersOf } from './needs.ts';
import { planNodePorts } from './node-ports.ts';
import { planPool } from './pool.ts';
import { spacesOf } from './space.ts';

export { lockOf } from './lock.ts';
export { drawnFrom, nodePortsFor } from './lookup.ts';
export { loadBalancerPools, userOf } from './needs.ts';

export interface AddressInput {
  readonly model: Model;
  readonly allocations: Allocations;
  /** Nothing for a cluster that belongs nowhere; it gets nothing. */
  readonly strategyOf: (clusterName: string) => Strategy | undefined;
  readonly seedOf: (clusterName: string) => string | undefined;
}

const remembered = memoLast<AddressPool, PoolPlan>();

export function planAddresses(input: AddressInput): Addresses {
  const { model, allocations } = input;
  const grouped = groupClusters(input);
  const spaces = spacesOf(model);
  const poolOf = (pool: AddressPool): PoolPlan => {
    const clusters = usersOf(pool, grouped);
    const inputs = [model.platform, spaces, allocations, ...clusters];
    return remembered(pool, inputs, () => planPool(pool, spaces, needsOf(pool, model, clusters), allocations));
  };
  const portsOf = (seed: Seed): NodePortPlan =>
    planNodePorts(seed, grouped.nodePorts.get(seed.metadata.name) ?? [], allocations);
  return { pools: sortedByName(model.pools).map(poolOf), nodePorts: sortedByName(model.seeds).map(portsOf) };
}
