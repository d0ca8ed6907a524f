// Addresses that somebody entered by hand: a pool never hands them out, even if its ranges hold them.
import { isIP } from 'node:net';
import { type IntervalSet, intervalSet } from '../../core/intervals.ts';
import { type Family, type IpRange, parseAddress, rangeOf } from '../../core/ip.ts';
import type { Cluster, Datacenter, Model, Platform, Seed } from '../../model/schema/index.ts';
import { memo, memoLast, type PlanCache } from '../cache.ts';

export type ByFamily = Readonly<Record<Family, IntervalSet>>;
export const familySets = (ranges: readonly IpRange[]): ByFamily => ({
  4: intervalSet(ranges.filter((range) => range.family === 4)),
  6: intervalSet(ranges.filter((range) => range.family === 6)),
});

const platformTexts = ({ spec }: Platform): string[] => [
  ...(spec.ingress.address.ips ?? []),
  spec.master.api.host,
  ...(spec.master.nodes.controlPlane ?? []),
];
const seedTexts = ({ spec }: Seed): string[] => [
  ...(spec.gateway.address.ips ?? []),
  spec.api.host,
  ...(spec.nodes.controlPlane ?? []),
  ...routerTexts(spec.loadBalancer),
];
const datacenterTexts = ({ spec }: Datacenter): string[] => routerTexts(spec.loadBalancer);
const routerTexts = (loadBalancer: Seed['spec']['loadBalancer']): string[] => [
  ...(loadBalancer?.segmentGateway === undefined ? [] : [loadBalancer.segmentGateway]),
  ...(loadBalancer?.bgp?.peers ?? []).map((peer) => peer.address),
];
const clusterTexts = ({ spec }: Cluster): string[] => [
  ...(spec.loadBalancerIPs ?? []),
  ...(spec.workloadAddresses?.ips ?? []),
];

const parsed = (texts: readonly string[]): IpRange[] =>
  texts.filter((text) => isIP(text) !== 0).map((text) => rangeOf(parseAddress(text)));
const ofPlatform = memo((platform: Platform) => parsed(platformTexts(platform)));
const ofSeed = memo((seed: Seed) => parsed(seedTexts(seed)));
const ofDatacenter = memo((datacenter: Datacenter) => parsed(datacenterTexts(datacenter)));
const ofCluster = memo((cluster: Cluster) => parsed(clusterTexts(cluster)));

const remembered = memoLast<Platform, ByFamily>();
const entersAddresses = ({ spec }: Cluster): boolean =>
  spec.loadBalancerIPs !== undefined || spec.workloadAddresses?.ips !== undefined;

/** The same object for as long as no document that enters an address changes. */
export function fixedAddresses(cache: PlanCache, model: Model): ByFamily {
  const clusters = model.clusters.filter(entersAddresses);
  return remembered(cache, model.platform, [...model.seeds, ...model.datacenters, ...clusters], () =>
    familySets([
      ...ofPlatform(cache, model.platform),
      ...model.seeds.flatMap((seed) => ofSeed(cache, seed)),
      ...model.datacenters.flatMap((datacenter) => ofDatacenter(cache, datacenter)),
      ...clusters.flatMap((cluster) => ofCluster(cache, cluster)),
    ]),
  );
}
