// Where ingress, gateways and clusters of their own load balancer are found, as far as that is known.
import { memo } from '../core/memo.ts';
import type { Cluster, Model, Seed } from '../model/schema/index.ts';
import type { ClusterContext, Target } from './context.ts';
import type { Addresses, PoolPlan } from './schema/index.ts';

type Source = Seed['spec']['gateway']['address'];
const none: readonly string[] = [];

export const ingressTarget = (model: Model, addresses: Addresses): Target =>
  targetOf(model.platform.spec.ingress.address, addresses, 'ingress');

/** Keeps its identity while seed and addresses say the same, because contexts are compared by it. */
export function gatewayTarget(seed: Seed, addresses: Addresses): Target {
  const known = lastTarget(seed);
  const now = targetOf(seed.spec.gateway.address, addresses, 'gateway');
  const same = known.target !== undefined && known.target.addresses.join() === now.addresses.join();
  if (!same) known.target = now;
  return known.target ?? now;
}
const lastTarget = memo((_: Seed): { target: Target | undefined } => ({ target: undefined }));

function targetOf(source: Source, addresses: Addresses, user: string): Target {
  const pool = source.pool === undefined ? undefined : addresses.pools.find((p) => p.pool === source.pool);
  const drawn = pool?.allocations.find((a) => a.for === user)?.addresses ?? none;
  return { addresses: source.ips ?? drawn, hostname: source.hostname, dynamic: source.dynamic ?? false };
}

export function nodePortsOf(addresses: Addresses): Map<string, NonNullable<ClusterContext['nodePorts']>> {
  const ports = new Map<string, NonNullable<ClusterContext['nodePorts']>>();
  for (const seed of addresses.nodePorts) for (const a of seed.allocations) ports.set(a.cluster, a);
  return ports;
}

/** Addresses of a cluster's own load balancer: given by hand, or drawn from a pool of its seed. */
export function allocatedAddresses(model: Model, addresses: Addresses): (cluster: Cluster) => readonly string[] {
  const seedPools = new Set(
    model.pools.filter((pool) => pool.spec.seed !== undefined).map((pool) => pool.metadata.name),
  );
  const drawn = new Map<string, readonly string[]>();
  for (const pool of addresses.pools) if (seedPools.has(pool.pool)) collect(pool, drawn);
  return (cluster) => cluster.spec.loadBalancerIPs ?? drawn.get(`cluster/${cluster.metadata.name}`) ?? none;
}

function collect(pool: PoolPlan, into: Map<string, readonly string[]>): void {
  for (const allocation of pool.allocations) into.set(allocation.for, allocation.addresses);
}
