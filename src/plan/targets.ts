// Where ingress, gateways and clusters with a load balancer of their own are found, as far as that is known.

import type { Cluster, Model, Seed } from '../model/schema/index.ts';
import { drawnFrom, loadBalancerPools, nodePortPlanOf, nodePortsFor, poolPlanOf, userOf } from './addresses/index.ts';
import { memoLast, type PlanCache, slot } from './cache.ts';
import type { ClusterContext, Target } from './context.ts';
import type { Addresses, NodePortPlan, PoolPlan } from './schema/index.ts';

type Source = Seed['spec']['gateway']['address'];
const none: readonly string[] = [];

const targetOf = ({ ips, hostname, dynamic = false }: Source, drawn: readonly string[]): Target => ({
  addresses: ips ?? drawn,
  hostname,
  dynamic,
});

export function ingressTarget(cache: PlanCache, { platform }: Model, addresses: Addresses): Target {
  const { address } = platform.spec.ingress;
  return targetOf(address, drawnFrom(cache, poolPlanOf(cache, addresses, address.pool), 'ingress'));
}

/** Keeps its identity while seed and addresses say the same, because contexts are compared by it. */
function gatewayTarget(cache: PlanCache, seed: Seed, addresses: Addresses): Target {
  const last = lastTarget.get(cache, seed);
  const now = targetOf(seed.spec.gateway.address, drawnByGateway(cache, seed, addresses));
  if (last !== undefined && sameTexts(last.addresses, now.addresses)) return last;
  lastTarget.set(cache, seed, now);
  return now;
}
const lastTarget = slot<Seed, Target>();

/** The pool of another seed holds an address for that one's gateway, not for this one's. */
function drawnByGateway(cache: PlanCache, seed: Seed, addresses: Addresses): readonly string[] {
  const plan = poolPlanOf(cache, addresses, seed.spec.gateway.address.pool);
  return plan?.owner === `Seed/${seed.metadata.name}` ? drawnFrom(cache, plan, 'gateway') : none;
}

/** What a seed has for its clusters. The same object for as long as that is the same. */
export interface SeedAllocations {
  readonly gateway: Target;
  readonly nodePorts: NodePortPlan | undefined;
  readonly pool: PoolPlan | undefined;
}
const lastAllocations = memoLast<Seed, SeedAllocations>();

export function seedAllocationsOf(cache: PlanCache, model: Model, addresses: Addresses): Map<Seed, SeedAllocations> {
  const pools = loadBalancerPools(model);
  const seedAllocations = (seed: Seed): SeedAllocations => {
    const gateway = gatewayTarget(cache, seed, addresses);
    const nodePorts = nodePortPlanOf(cache, addresses, seed.metadata.name);
    const pool = poolPlanOf(cache, addresses, pools.get(seed.metadata.name));
    return lastAllocations(cache, seed, [gateway, nodePorts, pool], () => ({ gateway, nodePorts, pool }));
  };
  return new Map(model.seeds.map((seed) => [seed, seedAllocations(seed)]));
}

export type Allocated = Pick<ClusterContext, 'gateway' | 'nodePorts' | 'ownAddresses'>;

export const allocatedTo = (
  cache: PlanCache,
  cluster: Cluster,
  { effective }: Pick<ClusterContext, 'effective'>,
  from: SeedAllocations,
): Allocated => ({
  gateway: from.gateway,
  nodePorts: nodePortsFor(cache, from.nodePorts, cluster.metadata.name),
  ownAddresses: effective.exposeStrategy === 'LoadBalancer' ? ownAddresses(cache, cluster, from.pool) : none,
});

/** Addresses of a cluster's own load balancer: given by hand, or drawn from the pool of its seed. */
const ownAddresses = (cache: PlanCache, { metadata, spec }: Cluster, pool: PoolPlan | undefined): readonly string[] =>
  spec.loadBalancerIPs ?? drawnFrom(cache, pool, userOf(metadata.name));

export const sameTexts = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((text, i) => text === b[i]));
