// Clusters that look alike to the tables share one profile, so that ten thousand clusters cost a few hundred look-ups.
import { getOrAdd } from '../../core/get-or-add.ts';
import { memo } from '../../core/memo.ts';
import type { Datacenter } from '../../model/schema/index.ts';
import type { ClusterContext, PlanContext } from '../context.ts';
import type { Effective } from '../settings/effective.ts';
import { datacenterSettings } from '../settings/index.ts';
import type { Facts, OperatingSystem } from './download.ts';

export interface Profile {
  readonly facts: Facts;
  /** Worker places with clusters of this profile. */
  readonly places: Set<string>;
}

export interface Profiles {
  readonly all: readonly Profile[];
  /** Profile of each cluster, in the order of `ctx.clusters`. */
  readonly ofClusters: readonly Profile[];
  readonly ofDatacenter: ReadonlyMap<string, ReadonlySet<Profile>>;
}

const defaultSystems: readonly OperatingSystem[] = ['ubuntu'];
export const workersOf = (datacenter: Datacenter): string => `datacenter/${datacenter.metadata.name}/workers`;

export function profilesOf(ctx: PlanContext): Profiles {
  const byKey = new Map<string, Profile>();
  const ofDatacenter = new Map<string, Set<Profile>>();
  const join = (key: string, datacenter: Datacenter, facts: () => Facts): Profile => {
    const profile = getOrAdd(byKey, key, () => ({ facts: facts(), places: new Set<string>() }));
    profile.places.add(workersOf(datacenter));
    getOrAdd(ofDatacenter, datacenter.metadata.name, () => new Set()).add(profile);
    return profile;
  };
  const ofClusters = ctx.clusters.map((c) => join(keyOf(c), c.datacenter, () => clusterFacts(c)));
  for (const datacenter of emptyDatacenters(ctx))
    join(workersOf(datacenter), datacenter, () => emptyFacts(ctx, datacenter));
  return { all: [...byKey.values()], ofClusters, ofDatacenter };
}

/** A network is asked for before its first cluster exists, so a datacenter without clusters has a profile too. */
const emptyDatacenters = (ctx: PlanContext): Datacenter[] =>
  ctx.model.datacenters.filter((d) => !ctx.clustersOfDatacenter.has(d.metadata.name) && ctx.seeds.has(d.spec.seed));

const systemsOf = (c: ClusterContext): readonly OperatingSystem[] =>
  c.cluster.spec.nodes?.operatingSystems ?? c.datacenter.spec.nodes.operatingSystems ?? defaultSystems;
const kubeletVersionOf = (c: ClusterContext): string =>
  c.cluster.spec.nodes?.kubeletVersion ?? c.cluster.spec.kubernetesVersion;
const usesEnvoy = (effective: Effective): boolean =>
  effective.exposeStrategy === 'Tunneling' && effective.agent === 'envoy';

/** Everything of a datacenter that its facts hold. */
const datacenterKey = memo((datacenter: Datacenter): string => {
  const { provider, loadBalancer } = datacenter.spec;
  const { aws, azure } = provider;
  const place = [aws?.region, aws?.regions, aws?.partition, azure?.apiHosts].join('|');
  return [datacenter.spec.seed, Object.keys(provider), place, loadBalancer?.type].join(';');
});

const keyOf = memo((c: ClusterContext): string => {
  const { cni, egressMode, registry } = c.effective;
  const offline = egressMode === 'offline' ? `${registry?.host}|${registry?.binaries}|${registry?.packages}` : '';
  const own = [kubeletVersionOf(c), systemsOf(c), cni, egressMode, offline, usesEnvoy(c.effective)].join(';');
  return `${datacenterKey(c.datacenter)};${own}`;
});

const clusterFacts = (c: ClusterContext): Facts => ({
  ...factsOf(c.platform.spec, c.seed.spec, c.datacenter, c.effective),
  operatingSystems: systemsOf(c),
  versions: [kubeletVersionOf(c)],
  cni: c.effective.cni,
  envoyAgent: usesEnvoy(c.effective),
});

const emptyFacts = (ctx: PlanContext, datacenter: Datacenter): Facts => {
  const seed = ctx.seeds.get(datacenter.spec.seed);
  if (seed === undefined)
    throw new Error(`Datacenter ${datacenter.metadata.name} has no seed; it must be left out here`);
  const { effective } = datacenterSettings(ctx.model, seed, datacenter);
  return {
    ...factsOf(ctx.model.platform.spec, seed.spec, datacenter, effective),
    operatingSystems: datacenter.spec.nodes.operatingSystems ?? defaultSystems,
    versions: [],
    cni: effective.cni,
    envoyAgent: usesEnvoy(effective),
  };
};

const factsOf = (platform: Facts['platform'], seed: Facts['seed'], datacenter: Datacenter, effective: Effective) => ({
  site: 'workers' as const,
  platform,
  seed,
  provider: datacenter.spec.provider,
  loadBalancer: datacenter.spec.loadBalancer?.type,
  mode: effective.egressMode,
  registry: effective.registry,
});
