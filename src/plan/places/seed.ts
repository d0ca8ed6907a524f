// A seed: its nodes, its two entries, and the infrastructure that it uses.
import { contains, type IpRange, parseAddress, parseRange, rangeOf } from '../../core/ip.ts';
import type { AddressPool, Cluster, Seed } from '../../model/schema/index.ts';
import { loadBalancerPools } from '../addresses/index.ts';
import { memo, memoLast } from '../cache.ts';
import type { ClusterContext, PlanContext, Target } from '../context.ts';
import type { Place } from '../schema/index.ts';
import { seedPlace } from './ids.ts';
import { loadBalancerPlaces } from './load-balancer.ts';
import { placeOf } from './place.ts';
import { apiAddresses, targetAddresses } from './platform.ts';
import { remoteOfUrl } from './remote.ts';
import type { SeedUse } from './uses.ts';

const unknown: Target = { addresses: [], hostname: undefined, dynamic: true };

export function seedPlaces(ctx: PlanContext, use: SeedUse): Place[] {
  const { seed } = use;
  const name = seed.metadata.name;
  const at = (part: Parameters<typeof seedPlace>[1]): string => seedPlace(name, part);
  return [
    placeOf(at('nodes'), `Nodes of seed ${name}`, { networks: seed.spec.nodes.networks }),
    placeOf(at('api'), `Kubernetes API of seed ${name}`, apiAddresses(seed.spec)),
    placeOf(at('gateway'), `Gateway of seed ${name}`, targetAddresses(ctx.gateways.get(name) ?? unknown)),
    ...(use.strategies.has('LoadBalancer') ? [ownLoadBalancers(ctx, use)] : []),
    ...backupPlaces(seed),
    ...loadBalancerPlaces(`seed ${name}`, seed.spec.loadBalancer, { routers: at('routers'), kubelb: at('kubelb') }),
  ];
}

/** The whole pool rather than single addresses, so that a new cluster needs no new firewall rule. */
function ownLoadBalancers({ cache, model, clustersOfSeed }: PlanContext, { seed }: SeedUse): Place {
  const name = seed.metadata.name;
  const poolName = loadBalancerPools(model).get(name);
  const pool = model.pools.find((candidate) => candidate.metadata.name === poolName);
  const clusters = clustersOfSeed.get(name) ?? [];
  return lastLoadBalancers(cache, seed, [pool, ...clusters], () => {
    const loadBalanced = clusters.filter((c) => c.effective.exposeStrategy === 'LoadBalancer');
    const inPool = pool === undefined ? () => false : isInPool(cache, pool);
    return placeOf(seedPlace(name, 'load-balancers'), `Load balancers of single clusters of seed ${name}`, {
      networks: [...(pool?.spec.ranges ?? []), ...loadBalanced.flatMap((c) => fixedAddresses(c, inPool))],
      hosts: loadBalanced.flatMap((c) => c.cluster.spec.loadBalancerHostname ?? []),
      incomplete: pool === undefined && loadBalanced.some(isUnknown),
    });
  });
}
const lastLoadBalancers = memoLast<Seed, Place>();

const isUnknown = (c: ClusterContext): boolean =>
  c.ownAddresses.length === 0 && c.cluster.spec.loadBalancerHostname === undefined;

function fixedAddresses(c: ClusterContext, inPool: (ip: IpRange) => boolean): readonly string[] {
  const ips = c.cluster.spec.loadBalancerIPs;
  if (ips === undefined) return [];
  const parsed = parsedAddresses(c.cache, c.cluster);
  return ips.filter((_, i) => !inPool(parsed[i] as IpRange));
}
const parsedAddresses = memo((cluster: Cluster) =>
  (cluster.spec.loadBalancerIPs ?? []).map((ip) => rangeOf(parseAddress(ip))),
);
const isInPool = memo((pool: AddressPool) => {
  const ranges = pool.spec.ranges.map(parseRange);
  return (ip: IpRange): boolean => ranges.some((range) => contains(range, ip));
});

function backupPlaces(seed: Seed): Place[] {
  const endpoint = seed.spec.backup?.s3?.endpoint;
  const remote = endpoint === undefined ? undefined : remoteOfUrl(endpoint);
  const name = seed.metadata.name;
  return remote === undefined
    ? []
    : [placeOf(seedPlace(name, 'backup'), `Backup bucket of seed ${name}`, { hosts: [remote.host] })];
}
