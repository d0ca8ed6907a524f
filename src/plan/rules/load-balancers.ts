// Load balancing per environment: what fits, what is missing, what is better.
import { isIP } from 'node:net';
import { contains, parseAddress, parseCidr, rangeOf } from '../../core/ip.ts';
import type { Finding } from '../../model/index.ts';
import type { Datacenter, Model, Seed } from '../../model/schema/index.ts';
import { loadBalancerPools } from '../addresses/index.ts';
import type { PlanContext } from '../context.ts';
import { segmentOf } from './pool-space.ts';
import { finding, isDecided, nameOf, none, type PlanRule } from './rule.ts';

type Balanced = Seed | Datacenter;
type LoadBalancer = NonNullable<Seed['spec']['loadBalancer']>;
const announced = ['metallb', 'cilium'];
const isAnnounced = ({ type, announcer }: LoadBalancer): boolean => announced.includes(type) || announcer !== undefined;

const eachBalancer =
  (rule: (owner: Balanced, loadBalancer: LoadBalancer, ctx: PlanContext) => readonly Finding[]): PlanRule =>
  (ctx) =>
    [...ctx.model.seeds, ...ctx.model.datacenters].flatMap((owner) =>
      owner.spec.loadBalancer === undefined ? none : rule(owner, owner.spec.loadBalancer, ctx),
    );

function isCloud(owner: Balanced): boolean | undefined {
  if (owner.kind === 'Seed')
    return owner.spec.environment === undefined ? undefined : owner.spec.environment === 'cloud';
  const { azure, aws, openstack } = owner.spec.provider;
  return openstack === undefined ? azure !== undefined || aws !== undefined : undefined;
}

/** LB-6. */
export const balancerConflictRule: PlanRule = eachBalancer((owner, loadBalancer) => {
  const cloud = isCloud(owner);
  const { type, loadBalancerClass } = loadBalancer;
  const report = (message: string, fix: string): Finding[] => [
    finding('CW-LB-CONFLICT', { resource: nameOf(owner), path: ['spec', 'loadBalancer', 'type'], message, fix }),
  ];
  if (cloud === true && [...announced, 'kubelb'].includes(type) && loadBalancerClass === undefined)
    return report(
      `${type} and the controller of the cloud would both claim Services of type LoadBalancer`,
      'use type cloud, or set loadBalancerClass so that each Service has one controller',
    );
  if (cloud === false && type === 'cloud')
    return report(
      'there is no cloud controller on premise: Services of type LoadBalancer stay pending',
      'use kubelb, metallb, cilium or f5',
    );
  return none;
});

/** LB-3, NET-2. The mode itself is a decision, and is asked for there. */
export const balancerModeRule: PlanRule = eachBalancer((owner, loadBalancer, ctx) => {
  const { type, mode, bgp, kubelb } = loadBalancer;
  const report = (field: string, message: string, fix: string): Finding =>
    finding('CW-LB-MODE', { resource: nameOf(owner), path: ['spec', 'loadBalancer', field], message, fix });
  const problems: Finding[] = [];
  if (mode === 'BGP' && bgp === undefined)
    problems.push(
      report(
        'bgp',
        'mode is BGP, but no router is listed',
        'set loadBalancer.bgp with the own AS number and at least one peer',
      ),
    );
  if (mode === 'L2' && segmentOf(owner) === undefined)
    problems.push(
      report(
        'segment',
        `mode is L2, but the nodes have ${owner.spec.nodes.networks.length} networks`,
        'set loadBalancer.segment to the one that the virtual IPs belong to',
      ),
    );
  if (type === 'kubelb' && kubelb === undefined)
    problems.push(report('kubelb', 'type is kubelb, but its hub is unknown', 'set loadBalancer.kubelb.hub'));
  if (isAnnounced(loadBalancer) && lacksPool(owner, ctx))
    problems.push(
      report(
        'pool',
        `${type} has no addresses to announce here`,
        `create an AddressPool with ${owner.kind.toLowerCase()}: ${owner.metadata.name}`,
      ),
    );
  return [...problems, ...foreignPool(owner, loadBalancer, ctx.model)];
});

/** Addresses that are entered by hand are enough, as long as everybody has one. */
function lacksPool(owner: Balanced, ctx: PlanContext): boolean {
  const name = owner.metadata.name;
  if (owner.kind === 'Seed') {
    const { ips, pool, hostname } = owner.spec.gateway.address;
    return (
      (ips ?? pool ?? hostname) === undefined && !ctx.model.pools.some((candidate) => candidate.spec.seed === name)
    );
  }
  if (ctx.model.pools.some((pool) => pool.spec.datacenter === name)) return false;
  return (ctx.clustersOfDatacenter.get(name) ?? []).some(({ cluster: { spec } }) => {
    const { ips, count } = spec.workloadAddresses ?? {};
    return ips === undefined && count !== 0;
  });
}

function foreignPool(owner: Balanced, { pool: name }: LoadBalancer, { pools }: Model): Finding[] {
  const pool = pools.find((candidate) => candidate.metadata.name === name);
  if (pool === undefined || [pool.spec.seed, pool.spec.datacenter].includes(owner.metadata.name)) return [];
  return [
    finding('CW-LB-MODE', {
      resource: nameOf(owner),
      path: ['spec', 'loadBalancer', 'pool'],
      message: `pool ${name} belongs to ${pool.spec.seed === undefined ? `datacenter ${pool.spec.datacenter}` : `seed ${pool.spec.seed}`}`,
      fix: `name a pool of this ${owner.kind.toLowerCase()}, or change the owner of the pool`,
      related: nameOf(pool),
    }),
  ];
}

/** LB-2: with LoadBalancer each control plane needs an address from somewhere. */
export const balancerMissingRule: PlanRule = (ctx) => {
  const pools = loadBalancerPools(ctx.model);
  return ctx.model.seeds.flatMap((seed) => {
    const { loadBalancer } = seed.spec;
    const isOthers = loadBalancer !== undefined && !isAnnounced(loadBalancer);
    if (isOthers || pools.has(seed.metadata.name)) return none;
    const stranded = (ctx.clustersOfSeed.get(seed.metadata.name) ?? []).filter(
      (c) =>
        c.effective.exposeStrategy === 'LoadBalancer' &&
        c.ownAddresses.length === 0 &&
        c.cluster.spec.loadBalancerHostname === undefined,
    );
    const [first] = stranded;
    if (first === undefined) return none;
    return [
      finding('CW-LB-MISSING', {
        resource: nameOf(seed),
        path: ['spec', 'loadBalancer'],
        message: `${stranded.length} cluster${stranded.length === 1 ? '' : 's'} with LoadBalancer (${first.name}${stranded.length === 1 ? '' : ' …'}) get no address`,
        fix: `create an AddressPool with seed: ${seed.metadata.name} and name it in loadBalancer.pool, set loadBalancerIPs on the cluster, or use Tunneling`,
        related: nameOf(first.cluster),
      }),
    ];
  });
};

/** BGP-1. */
export const bgpPreferredRule: PlanRule = eachBalancer((owner, { mode, bgp }, { model }) =>
  mode !== 'L2' || bgp === undefined || isDecided(model, 'BGP-1')
    ? none
    : [
        finding('CW-BGP-PREFERRED', {
          resource: nameOf(owner),
          path: ['spec', 'loadBalancer', 'mode'],
          message: `L2 is chosen while ${bgp.peers.length} BGP router${bgp.peers.length === 1 ? ' is' : 's are'} listed (${bgp.peers.map((peer) => peer.address).join(', ')})`,
          fix: 'set loadBalancer.mode to BGP, remove loadBalancer.bgp, or record the reason as a decision on BGP-1',
        }),
      ],
);

const loopbacks = ['127.0.0.0/8', '::1/128'].map(parseCidr);
const keyOf = (host: string): string | undefined => {
  if (isIP(host) === 0) return undefined;
  const address = parseAddress(host);
  return loopbacks.some((range) => contains(range, rangeOf(address)))
    ? undefined
    : `${address.family}/${address.value}`;
};

/** LB-8: the address of a Kubernetes API is not the address of a Service. On one machine ports are enough. */
export const sharedAddressRule: PlanRule = ({ model, ingress, gateways }) => {
  const services = new Map<string, string>();
  const remember = (addresses: readonly string[], owner: string): void => {
    for (const address of addresses) services.set(keyOf(address) ?? '', owner);
  };
  remember(ingress.addresses, 'the ingress');
  for (const [seed, target] of gateways) remember(target.addresses, `the gateway of seed ${seed}`);
  const { platform, seeds } = model;
  const apis = [
    {
      resource: nameOf(platform),
      path: ['spec', 'master', 'api', 'host'],
      title: 'master',
      host: platform.spec.master.api.host,
    },
    ...seeds.map((seed) => ({
      resource: nameOf(seed),
      path: ['spec', 'api', 'host'],
      title: `seed ${seed.metadata.name}`,
      host: seed.spec.api.host,
    })),
  ];
  return apis.flatMap(({ resource, path, title, host }) => {
    const key = keyOf(host);
    const service = key === undefined ? undefined : services.get(key);
    if (service === undefined) return none;
    return [
      finding('CW-LB-SHARED-ADDRESS', {
        resource,
        path,
        message: `${host} is the address of the API of ${title} and of ${service}`,
        fix: `give ${service} an address of its own; the API is needed before any Service can be announced`,
      }),
    ];
  });
};
