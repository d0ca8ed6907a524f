// What pods of a datacenter may have to reach, or be reached from: their pod and service networks must not hide it.

import type { AddressPool, Datacenter, Platform, Seed } from '../../model/schema/index.ts';
import { memo, memoLast } from '../cache.ts';
import type { PlanContext } from '../context.ts';
import { type NamedRange, type NamedRanges, named, namedAddresses, namedRanges } from './ranges.ts';
import { nameOf } from './rule.ts';

export type ReachableRanges = NamedRanges;

interface ManagementNodes {
  readonly networks: readonly string[];
  readonly pods?: readonly string[] | undefined;
  readonly services?: readonly string[] | undefined;
}

/** Networks of a management cluster, inside and outside. */
const ofManagement = (who: string, resource: string, { networks, pods, services }: ManagementNodes): NamedRange[] => [
  ...named(`${who} node network`, resource, networks),
  ...named(`${who} pod network`, resource, pods),
  ...named(`${who} service network`, resource, services),
];

const ofPlatform = memo((platform: Platform): NamedRange[] => {
  const { corporateNetworks, users, master, dns, access, ingress } = platform.spec;
  const resource = nameOf(platform);
  return [
    ...named('corporate network', resource, corporateNetworks),
    ...named('user network', resource, users.networks),
    ...ofManagement('master', resource, master.nodes),
    ...named('installer network', resource, access?.installer?.networks),
    ...namedAddresses('DNS server', resource, dns?.servers),
    ...namedAddresses('ingress address', resource, ingress.address.ips),
    ...namedAddresses('API of the master', resource, [master.api.host]),
  ];
});

const ofSeed = memo((seed: Seed): NamedRange[] => {
  const resource = nameOf(seed);
  return [
    ...ofManagement('seed', resource, seed.spec.nodes),
    ...namedAddresses('gateway address', resource, seed.spec.gateway.address.ips),
    ...namedAddresses('API of the seed', resource, [seed.spec.api.host]),
  ];
});

const ofDatacenter = memo((datacenter: Datacenter): NamedRange[] => {
  const { nodes, tenants, loadBalancer } = datacenter.spec;
  const resource = nameOf(datacenter);
  return [
    ...named('node network', resource, nodes.networks),
    ...named('segment', resource, loadBalancer?.segment === undefined ? [] : [loadBalancer.segment]),
    ...namedAddresses('DNS server', resource, nodes.dnsServers),
    ...(tenants ?? []).flatMap((tenant) => named(`network of tenant ${tenant.name}`, resource, tenant.networks)),
  ];
});

export const poolRanges = memo((pool: AddressPool) =>
  named(`pool ${pool.metadata.name}`, nameOf(pool), pool.spec.ranges),
);

const remembered = memoLast<Datacenter, ReachableRanges>();

export function reachableRangesOf(ctx: PlanContext, seed: Seed, datacenter: Datacenter): ReachableRanges {
  const { cache, model } = ctx;
  const { platform, pools } = model;
  const near = pools.filter(
    ({ spec }) => spec.datacenter === datacenter.metadata.name || spec.seed === seed.metadata.name,
  );
  return remembered(cache, datacenter, [platform, seed, ...near], () =>
    namedRanges([
      ...ofPlatform(cache, platform),
      ...ofSeed(cache, seed),
      ...ofDatacenter(cache, datacenter),
      ...near.flatMap((pool) => poolRanges(cache, pool)),
    ]),
  );
}
