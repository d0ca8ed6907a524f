// Two node ports of the seed for each cluster whose endpoints are told apart by port (NodePort and LoadBalancer).

import { entryOf } from '../../core/collections.ts';
import type { Allocations } from '../../model/index.ts';
import type { Cluster, Seed } from '../../model/schema/index.ts';
import { memoLast, type PlanCache } from '../cache.ts';
import { gatewayPortsOf, nodePortRangeOf } from '../ports.ts';
import type { NodePortPlan } from '../schema/index.ts';

type SeedLock = Allocations['nodePorts'][string];
type Pair = SeedLock[string];
type PortAllocation = NodePortPlan['allocations'][number];

const remembered = memoLast<Seed, NodePortPlan>();
const noLock: SeedLock = {};

export function planNodePorts(
  cache: PlanCache,
  seed: Seed,
  clusters: readonly Cluster[],
  allocations: Allocations,
): NodePortPlan {
  const lock = entryOf(allocations.nodePorts, seed.metadata.name) ?? noLock;
  const names = clusters.map((cluster) => cluster.metadata.name);
  return remembered(cache, seed, [lock, ...names], () => {
    const range = nodePortRangeOf(seed);
    const usable = usablePorts(range, unusable(seed));
    return {
      seed: seed.metadata.name,
      range,
      capacity: usable.length,
      needed: 2 * names.length,
      allocations: allocate(names, lock, usable),
    };
  });
}

/** Ports that something else has, the gateway's own listeners among them. */
function unusable(seed: Seed): ReadonlySet<number> {
  const { sni, tunnel, single } = gatewayPortsOf(seed);
  return new Set([sni, tunnel, single, ...(seed.spec.gateway.reservedNodePorts ?? [])]);
}

function usablePorts(range: string, without: ReadonlySet<number>): number[] {
  const [first = 0, last = -1] = range.split('-').map(Number);
  const ports: number[] = [];
  for (let port = first; port <= last; port++) if (!without.has(port)) ports.push(port);
  return ports;
}

function allocate(names: readonly string[], lock: SeedLock, usable: readonly number[]): PortAllocation[] {
  const next = names.every((name) => Object.hasOwn(lock, name)) ? () => undefined : portGiver(names, lock, usable);
  const allocations: PortAllocation[] = [];
  for (const name of names) {
    const held = entryOf(lock, name);
    const given = held === undefined ? next() : undefined;
    if (held !== undefined) allocations.push({ cluster: name, ...held, locked: true });
    else if (given !== undefined) allocations.push({ cluster: name, ...given, locked: false });
  }
  return allocations;
}

/** Ports of clusters that are gone are handed out last: somebody may still dial them. */
function portGiver(names: readonly string[], lock: SeedLock, usable: readonly number[]): () => Pair | undefined {
  const present = new Set(names);
  const portsOf = (isPresent: boolean): Set<number> =>
    new Set(
      Object.keys(lock)
        .filter((name) => present.has(name) === isPresent)
        .flatMap((name) => Object.values(lock[name] ?? {})),
    );
  const [inUse, abandoned] = [portsOf(true), portsOf(false)];
  const free = usable.filter((port) => !inUse.has(port));
  const order = [...free.filter((port) => !abandoned.has(port)), ...free.filter((port) => abandoned.has(port))];
  let at = 0;
  return () => {
    const [apiServer, konnectivity] = [order[at], order[at + 1]];
    at += 2;
    return apiServer === undefined || konnectivity === undefined ? undefined : { apiServer, konnectivity };
  };
}
