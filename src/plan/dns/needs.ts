// Which names must resolve, and where to. Records follow from these needs, and tests hold the records against them.

import type { Seed } from '../../model/schema/index.ts';
import { memoLast } from '../cache.ts';
import { type ClusterContext, type PlanContext, seedDomainOf, tunnelNameOf } from '../context.ts';
import * as id from '../places/ids.ts';
import { preparedSettings } from '../prepared.ts';
import type { DnsRecord } from '../schema/index.ts';
import type { Effective } from '../settings/effective.ts';

export type NameNeed = Pick<DnsRecord, 'name' | 'place' | 'reason' | 'requirement' | 'clusters'>;

export const gatewayPlace = (seed: Seed): string => id.seedPlace(seed.metadata.name, 'gateway');
const platformNeed = (name: string, reason: string, requirement: string): NameNeed => ({
  name,
  place: id.masterIngress,
  reason,
  requirement,
  clusters: [],
});

const serviceRows = { grafana: 'DNS-5', prometheus: 'DNS-6', alertmanager: 'DNS-7', kibana: 'DNS-4' } as const;
const defaultServices = ['grafana', 'prometheus', 'alertmanager'] as const;
export const servicesOf = (ctx: PlanContext): readonly (keyof typeof serviceRows)[] =>
  ctx.model.platform.spec.monitoring?.services ?? defaultServices;

export const baseNeed = (ctx: PlanContext): NameNeed => platformNeed(ctx.domain, 'dashboard, API and Dex', 'DNS-2');
export const wildcardNeed = (ctx: PlanContext): NameNeed =>
  platformNeed(`*.${ctx.domain}`, 'services behind the ingress', 'DNS-3');

export const serviceNeeds = (ctx: PlanContext): NameNeed[] =>
  servicesOf(ctx).map((service) =>
    platformNeed(`${service}.${ctx.domain}`, `${service} of the platform`, serviceRows[service]),
  );

/** Explicit even beside a wildcard: that of the seed points to the gateway. */
export function monitoringNeeds(ctx: PlanContext, seed: Seed): NameNeed[] {
  if (seed.spec.monitoring?.userClusters !== true) return [];
  const domain = seedDomainOf(seed, ctx.domain);
  const of = `of the user clusters of seed ${seed.metadata.name}`;
  return [
    platformNeed(`alertmanager.${domain}`, `alertmanager ${of}`, 'DNS-11'),
    platformNeed(`grafana.${domain}`, `grafana ${of}`, 'DNS-12'),
  ];
}

const usesGateway = ({ exposeStrategy }: Effective): boolean => exposeStrategy !== 'LoadBalancer';
const isTlsTunnel = ({ exposeStrategy, entry }: Effective, seed: Seed): boolean =>
  exposeStrategy === 'Tunneling' && (entry === 'single' || seed.spec.gateway.tunnelAuthentication !== 'none');

const none: readonly ClusterContext[] = [];
export const clustersOf = (ctx: PlanContext, seed: Seed): readonly ClusterContext[] =>
  ctx.clustersOfSeed.get(seed.metadata.name) ?? none;

const rememberedNames = memoLast<Seed, { readonly gateway: string[]; readonly tunnel: string[] }>();
/** Names of the clusters of a seed that use its gateway, and of those that use its tunnel by TLS. */
function gatewayUsers(ctx: PlanContext, seed: Seed): { readonly gateway: string[]; readonly tunnel: string[] } {
  const clusters = clustersOf(ctx, seed);
  return rememberedNames(ctx.cache, seed, clusters, () => ({
    gateway: clusters.filter((c) => usesGateway(c.effective)).map((c) => c.name),
    tunnel: clusters.filter((c) => isTlsTunnel(c.effective, seed)).map((c) => c.name),
  }));
}

/** The wildcard of a seed, for its clusters at the gateway; also before it has any, if some are planned there. */
export function seedWildcardNeed(ctx: PlanContext, seed: Seed): NameNeed | undefined {
  const clusters = gatewayUsers(ctx, seed).gateway;
  if (clusters.length === 0 && !preparedSettings(ctx, seed).some(usesGateway)) return undefined;
  const reason = `API servers of the user clusters of seed ${seed.metadata.name}`;
  const name = seedWildcardName(ctx, seed);
  return { name, place: gatewayPlace(seed), reason, requirement: 'DNS-8', clusters };
}

export const seedWildcardName = (ctx: PlanContext, seed: Seed): string => `*.${seedDomainOf(seed, ctx.domain)}`;

/** The reserved name of the tunnel. Cleartext agents on the split ports dial the cluster's name instead. */
export function tunnelNeed(ctx: PlanContext, seed: Seed): NameNeed | undefined {
  const clusters = gatewayUsers(ctx, seed).tunnel;
  if (clusters.length === 0 && !preparedSettings(ctx, seed).some((to) => isTlsTunnel(to, seed))) return undefined;
  const name = tunnelNameOf(seedDomainOf(seed, ctx.domain));
  return { name, place: gatewayPlace(seed), reason: 'tunnel of the node agents', requirement: 'DNS-8', clusters };
}

/** Names of one cluster at the gateway; konnectivity has a name of its own only where names tell services apart. */
export function clusterNeeds(c: ClusterContext): NameNeed[] {
  if (!usesGateway(c.effective)) return [];
  const shared = { place: gatewayPlace(c.seed), clusters: [c.name] };
  const api = { ...shared, name: c.hostName, reason: `API server of cluster ${c.name}`, requirement: 'DNS-9' };
  if (c.effective.exposeStrategy !== 'Tunneling') return [api];
  const reason = `konnectivity server of cluster ${c.name}`;
  return [api, { ...shared, name: c.konnectivityName, reason, requirement: 'DNS-14' }];
}

/** Everything that must resolve, wildcards left out. */
export function nameNeeds(ctx: PlanContext): NameNeed[] {
  const ofSeeds = ctx.model.seeds.flatMap((seed) => [tunnelNeed(ctx, seed) ?? [], monitoringNeeds(ctx, seed)].flat());
  return [baseNeed(ctx), ...serviceNeeds(ctx), ...ofSeeds, ...ctx.clusters.flatMap(clusterNeeds)];
}
