// Where a cluster sits in the allow-list: everything but its version that the tables can know, as one shared object.
// Clusters with the same seat and version are alike here, so a cluster that keeps both changes nothing.
import { getOrAdd } from '../../core/get-or-add.ts';
import { memo, memoInside } from '../../core/memo.ts';
import type { Datacenter, Platform, Seed } from '../../model/schema/index.ts';
import type { ClusterContext, PlanContext } from '../context.ts';
import type { Effective } from '../settings/effective.ts';
import { datacenterSettings } from '../settings/index.ts';
import type { Facts, OperatingSystem } from './download.ts';

export interface Seat {
  /** Says which seats have equal facts. */
  readonly profileKey: string;
  readonly facts: Omit<Facts, 'versions'>;
  readonly datacenter: Datacenter;
  readonly place: string;
}

const defaultSystems: readonly OperatingSystem[] = ['ubuntu'];
export const workersOf = (datacenter: Datacenter): string => `datacenter/${datacenter.metadata.name}/workers`;

const seatsOf = memo((_: Platform) => memo((_: Seed) => memo((_: Datacenter) => new Map<string, Seat>())));

export const seatOf = memoInside((c: ClusterContext): Seat => {
  const systems = c.cluster.spec.nodes?.operatingSystems ?? c.datacenter.spec.nodes.operatingSystems ?? defaultSystems;
  const profileKey = keyOf(c.seed, c.datacenter, c.effective, systems);
  return getOrAdd(seatsOf(c.platform)(c.seed)(c.datacenter), profileKey, () => ({
    profileKey,
    facts: factsOf(c, c.effective, systems),
    datacenter: c.datacenter,
    place: workersOf(c.datacenter),
  }));
});

/** Not part of the seat: versions would tear apart what is equal otherwise. */
export const kubeletVersionOf = (c: ClusterContext): string =>
  c.cluster.spec.nodes?.kubeletVersion ?? c.cluster.spec.kubernetesVersion;

/** A network is asked for before its first cluster exists, so a datacenter without clusters has a seat too. */
export function emptySeats(ctx: PlanContext): Seat[] {
  return ctx.model.datacenters.flatMap((datacenter) => {
    const seed = ctx.seeds.get(datacenter.spec.seed);
    if (seed === undefined || ctx.clustersOfDatacenter.has(datacenter.metadata.name)) return [];
    const { effective } = datacenterSettings(ctx.model, seed, datacenter);
    const systems = datacenter.spec.nodes.operatingSystems ?? defaultSystems;
    return [
      {
        profileKey: keyOf(seed, datacenter, effective, systems),
        facts: factsOf({ platform: ctx.model.platform, seed, datacenter }, effective, systems),
        datacenter,
        place: workersOf(datacenter),
      },
    ];
  });
}

const usesEnvoy = (effective: Effective): boolean =>
  effective.exposeStrategy === 'Tunneling' && effective.agent === 'envoy';
const isMonitored = (seed: Seed): boolean => seed.spec.monitoring?.userClusters === true;

function keyOf(seed: Seed, datacenter: Datacenter, effective: Effective, systems: readonly string[]): string {
  const { cni, egressMode, registry } = effective;
  const offline = egressMode === 'offline' ? `${registry?.host}|${registry?.binaries}|${registry?.packages}` : '';
  const own = [systems, cni, egressMode, offline, usesEnvoy(effective), isMonitored(seed)].join(';');
  return `${datacenterKey(datacenter)};${own}`;
}

/** Everything of a datacenter that facts hold. */
const datacenterKey = memo((datacenter: Datacenter): string => {
  const { provider, loadBalancer } = datacenter.spec;
  const { aws, azure } = provider;
  const place = [aws?.region, aws?.regions, aws?.partition, azure?.apiHosts].join('|');
  return [Object.keys(provider), place, loadBalancer?.type].join(';');
});

type Documents = Pick<ClusterContext, 'platform' | 'seed' | 'datacenter'>;
const factsOf = (of: Documents, effective: Effective, systems: readonly OperatingSystem[]): Seat['facts'] => ({
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
