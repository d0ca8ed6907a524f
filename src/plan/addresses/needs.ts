// Who draws from which pool, and why. The order is the order in which addresses are handed out: what everybody
// depends on first, then clusters by name, so that nothing depends on the order of files.
import type { AddressPool, Cluster, Model, Seed } from '../../model/schema/index.ts';
import type { PoolPlan } from '../schema/index.ts';
import type { Grouped } from './groups.ts';

export type Need = PoolPlan['needs'][number];

export const userOf = (clusterName: string): string => `cluster/${clusterName}`;
/** Nothing where the user is the ingress or a gateway. */
export const clusterOfUser = (user: string): string | undefined =>
  user.startsWith('cluster/') ? user.slice('cluster/'.length) : undefined;
const sharePerUser = (pool: AddressPool): number => pool.spec.allocation?.count ?? 1;

type Source = { readonly ips?: readonly string[]; readonly hostname?: string; readonly pool?: string };
const draws = (source: Source, pool: AddressPool): boolean =>
  source.pool === pool.metadata.name && source.ips === undefined && source.hostname === undefined;

/** Pool of the load balancers of single clusters, per seed: the one the seed names, else the only one it has. */
export function loadBalancerPools(model: Model): ReadonlyMap<string, string> {
  const chosen = new Map<string, string>();
  for (const seed of model.seeds) {
    const own = model.pools.filter((pool) => pool.spec.seed === seed.metadata.name).map((pool) => pool.metadata.name);
    const named = seed.spec.loadBalancer?.pool;
    const pool = named === undefined ? (own.length === 1 ? own[0] : undefined) : own.find((name) => name === named);
    if (pool !== undefined) chosen.set(seed.metadata.name, pool);
  }
  return chosen;
}

/** Clusters that draw from a pool. */
export function usersOf(pool: AddressPool, grouped: Grouped): readonly Cluster[] {
  if (pool.spec.datacenter !== undefined) return grouped.applications.get(pool.spec.datacenter) ?? none;
  const seed = pool.spec.seed ?? '';
  return grouped.loadBalancerPools.get(seed) === pool.metadata.name ? (grouped.loadBalancers.get(seed) ?? none) : none;
}
const none: readonly Cluster[] = [];

export function needsOf(pool: AddressPool, model: Model, clusters: readonly Cluster[]): Need[] {
  const seed = model.seeds.find((candidate) => candidate.metadata.name === pool.spec.seed);
  const isGateway = seed !== undefined && draws(seed.spec.gateway.address, pool);
  const isIngress = draws(model.platform.spec.ingress.address, pool);
  const ofCluster = pool.spec.datacenter === undefined ? loadBalancerNeed : applicationNeed;
  return [
    ...(isGateway ? [gatewayNeed(pool, seed)] : []),
    ...(isIngress ? [ingressNeed(pool)] : []),
    ...clusters.map((cluster) => ofCluster(pool, cluster)).filter((need) => need.count > 0),
  ];
}

const gatewayNeed = (pool: AddressPool, seed: Seed): Need => ({
  for: 'gateway',
  count: sharePerUser(pool),
  reason: `gateway of seed ${seed.metadata.name}`,
  requirement: 'VS-6',
});
const ingressNeed = (pool: AddressPool): Need => ({
  for: 'ingress',
  count: sharePerUser(pool),
  reason: 'ingress of the platform',
  requirement: 'VS-6',
});

const loadBalancerNeed = (pool: AddressPool, { metadata: { name } }: Cluster): Need => ({
  for: userOf(name),
  count: sharePerUser(pool),
  reason: `load balancer of cluster ${name}`,
  requirement: 'VS-6',
});

function applicationNeed(pool: AddressPool, { metadata: { name }, spec }: Cluster): Need {
  const wanted = spec.workloadAddresses?.count ?? sharePerUser(pool);
  // A network holds all addresses of a cluster: it gets one, or none if it wants none.
  const count = pool.spec.allocation?.prefix === undefined ? wanted : Math.min(wanted, 1);
  return { for: userOf(name), count, reason: `applications of cluster ${name}`, requirement: 'VS-7' };
}
