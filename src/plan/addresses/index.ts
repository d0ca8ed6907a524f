// Virtual IPs and node ports: how many are needed and why, and which are whose. What is in the lock never moves.
import type { Allocations } from '../../model/allocations.ts';
import type { Model } from '../../model/schema/index.ts';
import type { Strategy } from '../../model/schema/inherited.ts';
import type { Addresses } from '../schema/index.ts';
import { groupClusters, sortedByName } from './groups.ts';
import { needsOf } from './needs.ts';
import { planNodePorts } from './node-ports.ts';
import { planPool } from './pool.ts';
import { type Space, spacesOf } from './space.ts';

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

export function planAddresses(input: AddressInput): Addresses {
  const { model, allocations } = input;
  const grouped = groupClusters(input);
  const spaces = spacesOf(model);
  const names = new Set(sortedByName(model.pools).map((pool) => pool.metadata.name));
  return {
    pools: sortedByName(model.pools).map((pool) =>
      planPool(pool, spaces.get(pool.metadata.name) as Space, needsOf(pool, model, grouped), allocations, names),
    ),
    nodePorts: sortedByName(model.seeds).map((seed) =>
      planNodePorts(seed, grouped.nodePorts.get(seed.metadata.name) ?? [], allocations),
    ),
  };
}
