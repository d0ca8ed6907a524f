// Where something of ours announces virtual IPs, and which: what MetalLB, Cilium and routers are configured for.
import { getOrAdd } from '../../core/collections.ts';
import { type IpRange, parseRange } from '../../core/ip.ts';
import { clusterOfUser } from '../../plan/addresses/index.ts';
import type { LoadBalancer, Site, SitePool } from '../../plan/installation/index.ts';
import type { Plan } from '../../plan/schema/index.ts';
import { fileNameOf } from '../artefact.ts';
import { families, mergedRanges } from '../networks.ts';

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
export const environments = (plan: Plan): Environment[] =>
  withPools(
    plan.installation.sites.flatMap((site) =>
      site.kind === 'Seed' ? seedEnvironment(plan, site) : datacenterEnvironments(plan, site),
    ),
  );

/** Every site as its routers see it: clusters announce from the network of the datacenter or of their tenant. */
export const sites = (plan: Plan): Environment[] =>
  withPools(
    plan.installation.sites.flatMap((site) =>
      site.kind === 'Seed' ? seedEnvironment(plan, site) : wholeDatacenter(plan, site),
    ),
  );

function base({ kind, name, loadBalancer, nodeNetworks }: Site): Omit<Environment, 'pools'> | undefined {
  const announcer = loadBalancer === undefined ? undefined : announcerOf(loadBalancer);
  if (loadBalancer === undefined || announcer === undefined) return undefined;
  const word = kind.toLowerCase();
  return { path: `${word}-${fileNameOf(name)}`, title: `${word} ${name}`, loadBalancer, announcer, nodeNetworks };
}

function seedEnvironment(plan: Plan, site: Site): Environment[] {
  const common = base(site);
  if (common === undefined) return [];
  const whole = site.pools.map((pool) => wholePool(plan, pool, false));
  const fixed = fixedPool(site);
  return [{ ...common, pools: fixed === undefined ? whole : [...whole, fixed] }];
}

/** KubeLB announces for all clusters from one place; otherwise each user cluster announces what it was given. */
function datacenterEnvironments(plan: Plan, site: Site): Environment[] {
  const common = base(site);
  if (common === undefined) return [];
  if (common.loadBalancer.type === 'kubelb') return wholeDatacenter(plan, site);
  const shares = clusterShares(plan, `${site.kind}/${site.name}`);
  return [...shares].map(([cluster, own]) => ({
    ...common,
    path: `${common.path}/${fileNameOf(cluster)}`,
    title: `cluster ${cluster} in datacenter ${site.name}`,
    pools: own,
  }));
}

function wholeDatacenter(plan: Plan, site: Site): Environment[] {
  const common = base(site);
  if (common === undefined) return [];
  const nodeNetworks = [...new Set([...site.nodeNetworks, ...site.tenantNetworks])];
  return [{ ...common, nodeNetworks, pools: site.pools.map((pool) => wholePool(plan, pool, true)) }];
}

const rangesOf = (texts: readonly string[], without: readonly string[] = []): IpRange[] =>
  families.flatMap((family) => mergedRanges(texts, family, without));

function wholePool(plan: Plan, { name, ranges, exclude }: SitePool, automatic: boolean): AnnouncedPool {
  const planned = plan.addresses.pools.find((candidate) => candidate.pool === name);
  // The addresses of single clusters are in the address plan; here they would be thousands of lines.
  const given = planned?.allocations.filter((allocation) => clusterOfUser(allocation.for) === undefined) ?? [];
  return {
    name,
    ranges: rangesOf(ranges, exclude),
    automatic,
    notes: given.map(
      ({ for: user, addresses, locked }) =>
        `${user}: ${addresses.join(', ')}${locked ? '' : ' (proposed, not locked yet)'}`,
    ),
  };
}

/** Addresses that manifests fix by hand must be announced, too, where no pool holds them. */
function fixedPool({ name, pools, fixedAddresses }: Site): AnnouncedPool | undefined {
  const inPools = pools.flatMap((pool) => pool.ranges);
  const ranges = rangesOf(fixedAddresses, inPools);
  const notes = ['Addresses that the manifests fix by hand.'];
  return ranges.length === 0 ? undefined : { name: `${name}-fixed`, ranges, automatic: false, notes };
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
