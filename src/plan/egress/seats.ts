// Where a cluster sits in the allow-list: everything but its version that the tables can know, as one shared object.
// Clusters with the same seat and version are alike here, so a cluster that keeps both changes nothing.
import { getOrAdd } from '../../core/get-or-add.ts';
import { memo, memoInside } from '../../core/memo.ts';
import type { Datacenter, Platform, Seed } from '../../model/schema/index.ts';
import type { ClusterContext } from '../context.ts';
import { workerNetworksIn, workersPlaceOf } from '../places/worker-networks.ts';
import { isPrepared, preparedIn } from '../prepared.ts';
import type { Effective } from '../settings/effective.ts';
import type { Facts, OperatingSystem } from './download.ts';

export interface Seat {
  /** Says which seats have equal facts. */
  readonly profileKey: string;
  readonly facts: Omit<Facts, 'versions'>;
  readonly datacenter: Datacenter;
  readonly place: string;
}

const defaultSystems: readonly OperatingSystem[] = ['ubuntu'];

const seatsOf = memo((_: Platform) => memo((_: Seed) => memo((_: Datacenter) => new Map<string, Seat>())));

export const seatOf = memoInside((c: ClusterContext): Seat => {
  const systems = c.cluster.spec.nodes?.operatingSystems ?? c.datacenter.spec.nodes.operatingSystems ?? defaultSystems;
  return seatAt(workersPlaceOf(c.datacenter, c.cluster.spec.tenant), c, c.effective, systems);
});

function seatAt(place: string, of: Documents, effective: Effective, systems: readonly OperatingSystem[]): Seat {
  const { platform, seed, datacenter } = of;
  const profileKey = keyOf(seed, datacenter, effective, systems);
  return getOrAdd(seatsOf(platform)(seed)(datacenter), `${place};${profileKey}`, () => ({
    profileKey,
    facts: factsOf(of, effective, systems),
    datacenter,
    place,
  }));
}

/** Not part of the seat: versions would tear apart what is equal otherwise. */
export const kubeletVersionOf = (c: ClusterContext): string =>
  c.cluster.spec.nodes?.kubeletVersion ?? c.cluster.spec.kubernetesVersion;

/** Seats of the clusters to come, where some are planned: one in each network of workers. */
export function preparedSeats(platform: Platform, seed: Seed, datacenter: Datacenter): Seat[] {
  if (!isPrepared(seed)) return [];
  const effective = preparedIn(platform, seed, datacenter);
  const systems = datacenter.spec.nodes.operatingSystems ?? defaultSystems;
  return workerNetworksIn(datacenter).map(({ place }) =>
    seatAt(place, { platform, seed, datacenter }, effective, systems),
  );
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
