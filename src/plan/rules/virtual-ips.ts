// Virtual IPs that are entered by hand or locked: each has one owner, and is still part of its pool.

import { isIP } from 'node:net';
import { isDisjoint, subtract } from '../../core/intervals.ts';
import { formatRange, type IpRange, parseAddress, parseRange, rangeOf } from '../../core/ip.ts';
import type { Allocations, Finding, Path } from '../../model/index.ts';
import type { AddressPool, Cluster, Platform, Seed } from '../../model/schema/index.ts';
import { type ByFamily, familySets } from '../addresses/fixed.ts';
import { clusterOfUser } from '../addresses/index.ts';
import { memo, memoLast, type PlanCache } from '../cache.ts';
import type { PlanContext } from '../context.ts';
import { gatewayPortsOf, ingressHttpPortOf, ingressPortOf } from '../ports.ts';
import type { PoolPlan } from '../schema/index.ts';
import { offered } from './pool-space.ts';
import { finding, nameOf, none, type PlanRule } from './rule.ts';

interface Entered {
  readonly text: string;
  readonly key: string;
  readonly range: IpRange;
  readonly owner: string;
  readonly resource: string;
  readonly path: Path;
  /** Ports, where an address can be shared by listeners on different ones. */
  readonly ports?: readonly number[];
}

const entered = (
  owner: string,
  resource: string,
  path: Path,
  texts: readonly string[] | undefined,
  ports?: readonly number[],
) =>
  (texts ?? []).map((text, i): Entered => {
    const range = rangeOf(parseAddress(text));
    const place = { owner, resource, path: [...path, i], ...(ports === undefined ? {} : { ports }) };
    return { text, key: formatRange(range), range, ...place };
  });

const ofPlatform = memo((platform: Platform): Entered[] => {
  const ports = [ingressPortOf(platform), ingressHttpPortOf(platform)];
  const { ips } = platform.spec.ingress.address;
  return entered('the ingress', nameOf(platform), ['spec', 'ingress', 'address', 'ips'], ips, ports);
});
const ofSeed = memo((seed: Seed): Entered[] => {
  const { sni, tunnel, single, offersSplit, offersSingle } = gatewayPortsOf(seed);
  const ports = [...(offersSplit ? [sni, tunnel] : []), ...(offersSingle ? [single] : [])];
  const owner = `the gateway of seed ${seed.metadata.name}`;
  return entered(owner, nameOf(seed), ['spec', 'gateway', 'address', 'ips'], seed.spec.gateway.address.ips, ports);
});
const ofCluster = memo((cluster: Cluster): Entered[] => {
  const { loadBalancerIPs, workloadAddresses } = cluster.spec;
  const [name, resource] = [cluster.metadata.name, nameOf(cluster)];
  return [
    ...entered(`the load balancer of cluster ${name}`, resource, ['spec', 'loadBalancerIPs'], loadBalancerIPs),
    ...entered(
      `an application of cluster ${name}`,
      resource,
      ['spec', 'workloadAddresses', 'ips'],
      workloadAddresses?.ips,
    ),
  ];
});
/** Addresses of machines and routers, which no virtual IP may be. */
const machinesOf = memo((seed: Seed): Entered[] => {
  const { nodes, loadBalancer } = seed.spec;
  const routers = [loadBalancer?.segmentGateway, ...(loadBalancer?.bgp?.peers ?? []).map((peer) => peer.address)];
  const isAddress = (text: string | undefined): text is string => text !== undefined && isIP(text) !== 0;
  return [
    ...entered(
      `a node of seed ${seed.metadata.name}`,
      nameOf(seed),
      ['spec', 'nodes', 'controlPlane'],
      nodes.controlPlane,
    ),
    ...entered(
      `a router of seed ${seed.metadata.name}`,
      nameOf(seed),
      ['spec', 'loadBalancer'],
      routers.filter(isAddress),
    ),
  ];
});

/** VS-8. */
export const virtualIpRule: PlanRule = (ctx, plan) => {
  const virtual = virtualIps(ctx);
  const locked = plan.addresses.pools.flatMap((pool) => lockedDoubles(ctx.cache, pool, virtual));
  return [...doubles(ctx, virtual), ...locked];
};

function virtualIps({ cache, model }: PlanContext): Entered[] {
  const entries = [...ofPlatform(cache, model.platform), ...model.seeds.flatMap((seed) => ofSeed(cache, seed))];
  for (const cluster of model.clusters) {
    const { loadBalancerIPs, workloadAddresses } = cluster.spec;
    if (loadBalancerIPs !== undefined || workloadAddresses?.ips !== undefined)
      entries.push(...ofCluster(cache, cluster));
  }
  return entries;
}

function doubles({ cache, model }: PlanContext, virtual: readonly Entered[]): Finding[] {
  const owners = new Map<string, Entered[]>();
  const machines = model.seeds.flatMap((seed) => machinesOf(cache, seed));
  for (const machine of machines) owners.set(machine.key, [machine]);
  return virtual.flatMap((next) => {
    const known = owners.get(next.key);
    if (known === undefined) owners.set(next.key, [next]);
    else known.push(next);
    const other = known?.find((candidate) => candidate !== next && collide(candidate, next));
    return other === undefined ? [] : [conflict(next, other.owner, other.resource)];
  });
}

/** Listeners of the platform on one address are fine while their ports differ. */
function collide(a: Entered, b: Entered): boolean {
  if (a.ports === undefined || b.ports === undefined) return true;
  return a.ports.some((port) => b.ports?.includes(port));
}

const lockedSets = memo(
  (pool: PoolPlan): ByFamily =>
    familySets(pool.allocations.filter((a) => a.locked).flatMap((a) => a.addresses.map(parseRange))),
);

function lockedDoubles(cache: PlanCache, pool: PoolPlan, virtual: readonly Entered[]): Finding[] {
  const sets = lockedSets(cache, pool);
  return virtual
    .filter((entry) => !isDisjoint(sets[entry.range.family], entry.range))
    .flatMap((entry) => {
      const holder = pool.allocations.find((a) => a.locked && a.addresses.some((text) => holds(text, entry.range)));
      return [conflict(entry, `${holder?.for ?? 'somebody'} by pool ${pool.pool}`, `AddressPool/${pool.pool}`)];
    });
}

const holds = (text: string, range: IpRange): boolean =>
  !isDisjoint(familySets([parseRange(text)])[range.family], range);

const conflict = (entry: Entered, owner: string, related: string): Finding =>
  finding('CW-VIP-CONFLICT', {
    resource: entry.resource,
    path: entry.path,
    message: `${entry.text} of ${entry.owner} belongs to ${owner} already`,
    fix: 'choose another address, or leave the field out and let a pool hand one out',
    related,
  });

const remembered = memoLast<AddressPool, readonly Finding[]>();

/** What the lock holds must still be part of its pool, and held by one user. */
export const lockedAddressRule: PlanRule = ({ cache, model, allocations }) =>
  model.pools.flatMap((pool) => {
    const lock = allocations.pools[pool.metadata.name];
    return lock === undefined ? none : remembered(cache, pool, [lock], () => lockFindings(cache, pool, lock));
  });

function lockFindings(cache: PlanCache, pool: AddressPool, lock: Allocations['pools'][string]): Finding[] {
  const offers = offered(cache, pool);
  const owners = new Map<string, string>();
  return Object.entries(lock).flatMap(([user, texts]) =>
    texts.flatMap((text) => {
      const range = parseRange(text);
      const twin = owners.get(text);
      owners.set(text, user);
      if (twin !== undefined) return [lockedTwice(pool, text, user, twin)];
      return subtract([range], offers[range.family]).length === 0 ? [] : [notOffered(pool, text, user)];
    }),
  );
}

function notOffered(pool: AddressPool, text: string, user: string): Finding {
  const cluster = clusterOfUser(user);
  return finding('CW-POOL-EXCLUDED', {
    resource: nameOf(pool),
    path: ['spec', 'ranges'],
    message: `${text}, locked for ${user}, is excluded or outside the ranges of the pool`,
    fix: `add ${text} to spec.ranges and remove it from spec.exclude, or remove ${user} under pools.${pool.metadata.name} in causeway.lock.yaml to get a new address`,
    ...(cluster === undefined ? {} : { related: `Cluster/${cluster}` }),
  });
}

const lockedTwice = (pool: AddressPool, text: string, user: string, twin: string): Finding =>
  finding('CW-VIP-CONFLICT', {
    resource: nameOf(pool),
    path: ['spec', 'ranges'],
    message: `${text} is locked for ${twin} and for ${user}`,
    fix: `remove one of the two entries under pools.${pool.metadata.name} in causeway.lock.yaml`,
  });
