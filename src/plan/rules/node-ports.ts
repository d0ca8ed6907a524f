// Node ports of a seed: enough of them, enough listeners in front, and each port one owner.

import type { Allocations, Finding } from '../../model/index.ts';
import type { Seed } from '../../model/schema/index.ts';
import { memoLast } from '../cache.ts';
import type { PlanContext } from '../context.ts';
import { gatewayPortsOf, nodePortRangeOf } from '../ports.ts';
import type { NodePortPlan } from '../schema/index.ts';
import { seedSettings } from '../settings/index.ts';
import { finding, nameOf, none, type PlanRule } from './rule.ts';

/** Clusters that are planned beyond those written down, if they would follow this strategy. */
export function furtherClusters(ctx: PlanContext, seed: Seed, strategies: readonly string[]): number {
  const { plannedClusters = 0 } = seed.spec;
  const written = ctx.clustersOfSeed.get(seed.metadata.name)?.length ?? 0;
  const strategy = seedSettings(ctx, seed).effective.exposeStrategy;
  return strategies.includes(strategy) ? Math.max(0, plannedClusters - written) : 0;
}

/** XPS-3. */
export const nodePortCapacityRule: PlanRule = (ctx, plan) =>
  plan.addresses.nodePorts.flatMap((ports) => {
    const seed = ctx.seeds.get(ports.seed);
    if (seed === undefined) return none;
    const needed = ports.needed + 2 * furtherClusters(ctx, seed, ['NodePort', 'LoadBalancer']);
    return [...portFindings(seed, ports, needed), ...listenerFindings(ctx, seed)];
  });

function portFindings(seed: Seed, { range, capacity }: NodePortPlan, needed: number): readonly Finding[] {
  if (needed <= capacity) return none;
  const [first = 30000, last = first] = range.split('-').map(Number);
  const wider = last + needed - capacity;
  return [
    finding('CW-NODEPORT-CAPACITY', {
      resource: nameOf(seed),
      path: ['spec', 'gateway', 'nodePortRange'],
      message: `range ${range} has ${capacity} usable ports for ${Math.floor(capacity / 2)} clusters, ${needed / 2} clusters need ${needed}`,
      fix: `${wider <= 65535 ? `widen the range to ${first}-${wider}` : 'use a larger range'}, use a second seed, or use Tunneling`,
    }),
  ];
}

/** Clusters with a load balancer of their own do not pass the shared one. */
function listenerFindings(ctx: PlanContext, seed: Seed): readonly Finding[] {
  const limit = seed.spec.loadBalancer?.maxListeners;
  if (limit === undefined) return none;
  const clusters = ctx.clustersOfSeed.get(seed.metadata.name) ?? [];
  const byPort = clusters.filter((c) => c.effective.exposeStrategy === 'NodePort').length;
  const { offersSplit, offersSingle } = gatewayPortsOf(seed);
  const fixed = (offersSplit ? 2 : 0) + (offersSingle ? 1 : 0);
  const needed = fixed + 2 * (byPort + furtherClusters(ctx, seed, ['NodePort']));
  if (needed <= limit) return none;
  return [
    finding('CW-NODEPORT-CAPACITY', {
      resource: nameOf(seed),
      path: ['spec', 'loadBalancer', 'maxListeners'],
      message: `the load balancer has ${limit} listeners, the gateway needs ${needed} (two for each cluster with NodePort)`,
      fix: 'use Tunneling, which needs no listener per cluster, or spread the clusters over more seeds',
    }),
  ];
}

type SeedLock = Allocations['nodePorts'][string];
const remembered = memoLast<Seed, readonly Finding[]>();

/** What is locked does not move, so a lock that cannot hold must be corrected by a person. */
export const nodePortConflictRule: PlanRule = ({ cache, allocations, seeds }) =>
  Object.entries(allocations.nodePorts).flatMap(([name, lock]) => {
    const seed = seeds.get(name);
    return seed === undefined ? none : remembered(cache, seed, [lock], () => conflictsIn(seed, lock));
  });

function conflictsIn(seed: Seed, lock: SeedLock): Finding[] {
  const owners = new Map<number, string>();
  const problem = problemOf(seed, owners);
  const findings: Finding[] = [];
  for (const [cluster, pair] of Object.entries(lock))
    for (const port of [pair.apiServer, pair.konnectivity]) {
      const message = problem(port);
      owners.set(port, cluster);
      if (message !== undefined) findings.push(conflict(seed, cluster, port, message));
    }
  return findings;
}

function problemOf(seed: Seed, owners: ReadonlyMap<number, string>): (port: number) => string | undefined {
  const range = nodePortRangeOf(seed);
  const [first = 0, last = 0] = range.split('-').map(Number);
  const reserved = new Set(seed.spec.gateway.reservedNodePorts);
  return (port) => {
    if (port < first || port > last) return `is outside the range ${range}`;
    if (reserved.has(port)) return 'is reserved for something else';
    const owner = owners.get(port);
    return owner === undefined ? undefined : `belongs to cluster ${owner} already`;
  };
}

const conflict = (seed: Seed, cluster: string, port: number, problem: string): Finding =>
  finding('CW-NODEPORT-CONFLICT', {
    resource: nameOf(seed),
    path: ['spec', 'gateway', 'nodePortRange'],
    message: `node port ${port}, locked for cluster ${cluster}, ${problem}`,
    fix: `remove the entry of ${cluster} under nodePorts.${seed.metadata.name} in causeway.lock.yaml to get a new port (its kubeconfigs change), or correct range and reserved ports of the seed`,
    related: `Cluster/${cluster}`,
  });
