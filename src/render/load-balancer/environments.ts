// Where something of ours announces virtual IPs, and which: what MetalLB, Cilium and routers are configured for.
import type { z } from 'zod';
import { getOrAdd } from '../../core/collections.ts';
import { type IpRange, parseRange } from '../../core/ip.ts';
import type { loadBalancer } from '../../model/schema/blocks.ts';
import type { AddressPool, Datacenter, Model, Seed } from '../../model/schema/index.ts';
import { clusterOfUser } from '../../plan/addresses/index.ts';
import type { Plan } from '../../plan/schema/index.ts';
import { fileNameOf } from '../artefact.ts';
import { families, mergedRanges } from '../networks.ts';

export type LoadBalancer = z.infer<typeof loadBalancer>;
export type Announcer = 'metallb' | 'cilium';

export interface AnnouncedPool {
  readonly name: string;
  readonly ranges: readonly IpRange[];
  /** False where the plan decides who gets which address. */
  readonly automatic: boolean;
  readonly notes: readonly string[];
}

/** One cluster that runs an announcer. */
export interface Environment {
  /** As in `seed-west`, or `datacenter-dc1/web` for the user cluster web. */
  readonly path: string;
  readonly title: string;
  readonly loadBalancer: LoadBalancer;
  readonly announcer: Announcer;
  readonly nodeNetworks: readonly string[];
  readonly pools: readonly AnnouncedPool[];
}

const announcerOf = ({ type, announcer }: LoadBalancer): Announcer | undefined =>
  type === 'metallb' || type === 'cilium' ? type : type === 'kubelb' ? announcer : undefined;

const withPools = (found: readonly Environment[]): Environment[] => found.filter(({ pools }) => pools.length > 0);

/** Every cluster that announces. */
export const environments = (plan: Plan, model: Model): Environment[] =>
  withPools([
    ...model.seeds.flatMap((seed) => seedEnvironment(plan, model, seed)),
    ...model.datacenters.flatMap((datacenter) => datacenterEnvironments(plan, model, datacenter)),
  ]);

/** Every site as its routers see it: clusters announce from the network of the datacenter or of their tenant. */
export const sites = (plan: Plan, model: Model): Environment[] =>
  withPools([
    ...model.seeds.flatMap((seed) => seedEnvironment(plan, model, seed)),
    ...model.datacenters.flatMap((datacenter) => wholeDatacenter(plan, model, datacenter)),
  ]);

function base(resource: Seed | Datacenter): Omit<Environment, 'pools'> | undefined {
  const { loadBalancer, nodes } = resource.spec;
  const announcer = loadBalancer === undefined ? undefined : announcerOf(loadBalancer);
  if (loadBalancer === undefined || announcer === undefined) return undefined;
  const { name } = resource.metadata;
  const kind = resource.kind.toLowerCase();
  return {
    path: `${kind}-${fileNameOf(name)}`,
    title: `${kind} ${name}`,
    loadBalancer,
    announcer,
    nodeNetworks: nodes.networks,
  };
}

function seedEnvironment(plan: Plan, model: Model, seed: Seed): Environment[] {
  const common = base(seed);
  if (common === undefined) return [];
  const pools = model.pools.filter((pool) => pool.spec.seed === seed.metadata.name);
  const whole = pools.map((pool) => wholePool(plan, pool, false));
  const fixed = fixedPool(model, seed, pools);
  return [{ ...common, pools: fixed === undefined ? whole : [...whole, fixed] }];
}

/** KubeLB announces for all clusters from one place; otherwise each user cluster announces what it was given. */
function datacenterEnvironments(plan: Plan, model: Model, datacenter: Datacenter): Environment[] {
  const common = base(datacenter);
  const { name } = datacenter.metadata;
  if (common === undefined) return [];
  if (common.loadBalancer.type === 'kubelb') return wholeDatacenter(plan, model, datacenter);
  const shares = clusterShares(plan, `Datacenter/${name}`);
  return [...shares].map(([cluster, own]) => ({
    ...common,
    path: `${common.path}/${fileNameOf(cluster)}`,
    title: `cluster ${cluster} in datacenter ${name}`,
    pools: own,
  }));
}

function wholeDatacenter(plan: Plan, model: Model, datacenter: Datacenter): Environment[] {
  const common = base(datacenter);
  if (common === undefined) return [];
  const pools = model.pools.filter((pool) => pool.spec.datacenter === datacenter.metadata.name);
  const tenants = (datacenter.spec.tenants ?? []).flatMap(({ networks }) => networks);
  const nodeNetworks = [...new Set([...common.nodeNetworks, ...tenants])];
  return [{ ...common, nodeNetworks, pools: pools.map((pool) => wholePool(plan, pool, true)) }];
}

const rangesOf = (texts: readonly string[], without: readonly string[] = []): IpRange[] =>
  families.flatMap((family) => mergedRanges(texts, family, without));

function wholePool(plan: Plan, pool: AddressPool, automatic: boolean): AnnouncedPool {
  const planned = plan.addresses.pools.find((candidate) => candidate.pool === pool.metadata.name);
  // The addresses of single clusters are in the address plan; here they would be thousands of lines.
  const given = planned?.allocations.filter((allocation) => clusterOfUser(allocation.for) === undefined) ?? [];
  return {
    name: pool.metadata.name,
    ranges: rangesOf(pool.spec.ranges, pool.spec.exclude),
    automatic,
    notes: given.map(
      ({ for: user, addresses, locked }) =>
        `${user}: ${addresses.join(', ')}${locked ? '' : ' (proposed, not locked yet)'}`,
    ),
  };
}

/** Addresses that manifests fix by hand must be announced, too, where no pool holds them. */
function fixedPool(model: Model, seed: Seed, pools: readonly AddressPool[]): AnnouncedPool | undefined {
  const { master, ingress } = model.platform.spec;
  const own = [
    ...(seed.spec.gateway.address.ips ?? []),
    ...(master.seed === seed.metadata.name ? (ingress.address.ips ?? []) : []),
  ];
  const inPools = pools.flatMap((pool) => pool.spec.ranges);
  const ranges = rangesOf(own, inPools);
  const notes = ['Addresses that the manifests fix by hand.'];
  return ranges.length === 0 ? undefined : { name: `${seed.metadata.name}-fixed`, ranges, automatic: false, notes };
}

function clusterShares(plan: Plan, owner: string): Map<string, AnnouncedPool[]> {
  const shares = new Map<string, AnnouncedPool[]>();
  for (const pool of plan.addresses.pools.filter((candidate) => candidate.owner === owner)) {
    for (const { for: user, addresses } of pool.allocations) {
      const cluster = clusterOfUser(user);
      if (cluster === undefined) continue;
      const share = { name: pool.pool, ranges: addresses.map(parseRange), automatic: true, notes: [] };
      getOrAdd(shares, cluster, () => []).push(share);
    }
  }
  return shares;
}
