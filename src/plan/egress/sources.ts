// The workers of a cluster as a source of traffic to the internet: everything but the version that the tables of the
// allow-list can know, as one shared object.
// Clusters with the same source and version are alike here, so a cluster that keeps both changes nothing.
import { getOrAdd } from '../../core/collections.ts';
import type { Datacenter, Platform, Seed } from '../../model/schema/index.ts';
import { memo, memoAll, memoInside, type PlanCache } from '../cache.ts';
import type { ClusterContext, PlanContext } from '../context.ts';
import { workerNetworksIn, workersPlaceOf } from '../places/worker-networks.ts';
import { isPrepared, preparedIn } from '../prepared.ts';
import type { Effective } from '../settings/effective.ts';
import type { Facts, OperatingSystem } from './download.ts';

export interface EgressSource {
  /** Of its datacenter; sources with the same key are alike in everything. */
  readonly key: string;
  /** Says which sources have equal facts. */
  readonly profileKey: string;
  readonly facts: Omit<Facts, 'versions'>;
  readonly datacenter: Datacenter;
  readonly place: string;
}

const defaultSystems: readonly OperatingSystem[] = ['ubuntu'];

/** Clusters that are alike share one object. */
const sourcesOf = memoAll((_, __: Platform, ___: Seed, ____: Datacenter) => new Map<string, EgressSource>());

export const egressSourceOf = memoInside('egress-source', (c: ClusterContext): EgressSource => {
  const systems = c.cluster.spec.nodes?.operatingSystems ?? c.datacenter.spec.nodes.operatingSystems ?? defaultSystems;
  return sourceAt(workersPlaceOf(c.datacenter, c.cluster.spec.tenant), c, c.effective, systems);
});

function sourceAt(
  place: string,
  of: Documents,
  effective: Effective,
  systems: readonly OperatingSystem[],
): EgressSource {
  const { cache, platform, seed, datacenter } = of;
  const profileKey = keyOf(cache, seed, datacenter, effective, systems);
  const key = `${place};${profileKey}`;
  return getOrAdd(sourcesOf(cache, platform, seed, datacenter), key, () => ({
    key,
    profileKey,
    facts: factsOf(of, effective, systems),
    datacenter,
    place,
  }));
}

/** Not part of the source: versions would split what is equal otherwise. */
export const kubeletVersionOf = (c: ClusterContext): string =>
  c.cluster.spec.nodes?.kubeletVersion ?? c.cluster.spec.kubernetesVersion;

/** Sources of the clusters to come, where some are planned: one in each network of workers. */
export function preparedSources(ctx: PlanContext, seed: Seed, datacenter: Datacenter): EgressSource[] {
  if (!isPrepared(seed)) return [];
  const { cache, model } = ctx;
  const effective = preparedIn(ctx, seed, datacenter);
  const systems = datacenter.spec.nodes.operatingSystems ?? defaultSystems;
  return workerNetworksIn(datacenter).map(({ place }) =>
    sourceAt(place, { cache, platform: model.platform, seed, datacenter }, effective, systems),
  );
}

const usesEnvoy = (effective: Effective): boolean =>
  effective.exposeStrategy === 'Tunneling' && effective.agent === 'envoy';
const isMonitored = (seed: Seed): boolean => seed.spec.monitoring?.userClusters === true;

function keyOf(
  cache: PlanCache,
  seed: Seed,
  datacenter: Datacenter,
  effective: Effective,
  systems: readonly string[],
): string {
  const { cni, egressMode, registry } = effective;
  const offline = egressMode === 'offline' ? `${registry?.host}|${registry?.binaries}|${registry?.packages}` : '';
  const own = [systems, cni, egressMode, offline, usesEnvoy(effective), isMonitored(seed)].join(';');
  return `${datacenterKey(cache, datacenter)};${own}`;
}

/** Everything of a datacenter that facts hold. */
const datacenterKey = memo((datacenter: Datacenter): string => {
  const { provider, loadBalancer } = datacenter.spec;
  const { aws, azure } = provider;
  const place = [aws?.region, aws?.regions, aws?.partition, azure?.apiHosts].join('|');
  return [Object.keys(provider), place, loadBalancer?.type].join(';');
});

type Documents = Pick<ClusterContext, 'cache' | 'platform' | 'seed' | 'datacenter'>;
const factsOf = (of: Documents, effective: Effective, systems: readonly OperatingSystem[]): EgressSource['facts'] => ({
  site: 'workers',
  platform: of.platform.spec,
  seed: undefined,
  monitored: isMonitored(of.seed),
  provider: of.datacenter.spec.provider,
  loadBalancer: of.datacenter.spec.loadBalancer?.type,
  operatingSystems: systems,
  cni: effective.cni,
  envoyAgent: usesEnvoy(effective),
  mode: effective.egressMode,
  registry: effective.registry,
});
