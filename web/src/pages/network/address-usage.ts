// Pools of addresses and ranges of node ports are looked at in the same way: how full, and who has what.
import type { AddressPlan } from '../../api/types.ts';

export interface Usage {
  readonly name: string;
  readonly about: string;
  readonly needed: number;
  readonly capacity: number;
}

export interface Allocation {
  readonly owner: string;
  readonly pool: string;
  readonly values: readonly string[];
  /** False: a proposal, which may move until it is written to the lock. */
  readonly locked: boolean;
}

const portsOf = (seed: string): string => `Node ports of ${seed}`;

export const usagesOf = ({ pools, nodePorts }: AddressPlan): Usage[] => [
  ...pools.map(({ pool, owner, needed, capacity }) => ({ name: pool, about: `Pool of ${owner}`, needed, capacity })),
  ...nodePorts
    .filter(({ needed }) => needed > 0)
    .map(({ seed, range, needed, capacity }) => ({ name: portsOf(seed), about: `Ports ${range}`, needed, capacity })),
];

export const allocationsOf = ({ pools, nodePorts }: AddressPlan): Allocation[] => [
  ...pools.flatMap(({ pool, allocations }) =>
    allocations.map(({ for: owner, addresses, locked }) => ({ owner, pool, values: addresses, locked })),
  ),
  ...nodePorts.flatMap(({ seed, allocations }) =>
    allocations.map(({ cluster, apiServer, konnectivity, locked }) => ({
      owner: `cluster/${cluster}`,
      pool: portsOf(seed),
      values: [`${apiServer} API server`, `${konnectivity} konnectivity`],
      locked,
    })),
  ),
];
