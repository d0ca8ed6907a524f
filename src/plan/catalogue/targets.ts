// What requirements are about, by name.

import { getOrAdd } from '../../core/collections.ts';
import type { Datacenter, ProviderName, Seed } from '../../model/schema/index.ts';
import { hostPort } from '../endpoints.ts';
import { seedPlace } from '../places/ids.ts';
import { providerApiOf } from '../places/provider-api.ts';
import { workerNetworksIn } from '../places/worker-networks.ts';
import { apiPortOf, gatewayPortsOf, ingressPortOf } from '../ports.ts';
import { type List, once } from './sources.ts';

export * from './cluster-targets.ts';

const resource = ({
  kind,
  metadata,
}: {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}): string => `${kind}/${metadata.name}`;

export const platform: List = ({ ctx }) => [resource(ctx.model.platform)];
export const seeds: List = once(({ ctx }) => ctx.model.seeds.map(resource));
export const datacenters: List = once(({ ctx }) => ctx.model.datacenters.map(resource));
export const pools: List = once(({ ctx }) => ctx.model.pools.map(resource));

/** What each seed has to say; nothing where it says nothing. */
export const perSeed = (say: (spec: Seed['spec'], name: string) => readonly (string | undefined)[]): List =>
  once(({ ctx }) =>
    ctx.model.seeds.flatMap((seed) => say(seed.spec, seed.metadata.name).filter((text) => text !== undefined)),
  );
export const perDatacenter = (say: (spec: Datacenter['spec'], name: string) => readonly (string | undefined)[]): List =>
  once(({ ctx }) =>
    ctx.model.datacenters.flatMap((dc) => say(dc.spec, dc.metadata.name).filter((text) => text !== undefined)),
  );

export const seedApis = perSeed(({ api }) => [hostPort(api.host, apiPortOf(api))]);
export const masterApi: List = ({ ctx }) => {
  const { api } = ctx.model.platform.spec.master;
  return [hostPort(api.host, apiPortOf(api))];
};
export const dashboard: List = ({ ctx }) => [hostPort(ctx.domain, ingressPortOf(ctx.model.platform))];

/** Gateways with the ports that they offer. */
export const gateways: List = once(({ ctx }) =>
  ctx.model.seeds.flatMap((seed) => {
    const ports = gatewayPortsOf(seed);
    const target = ctx.gateways.get(seed.metadata.name);
    const host = target?.hostname ?? target?.addresses[0] ?? seedPlace(seed.metadata.name, 'gateway');
    const offered = [
      ...(ports.offersSplit ? [ports.sni, ports.tunnel] : []),
      ...(ports.offersSingle ? [ports.single] : []),
    ];
    return offered.map((port) => hostPort(host, port));
  }),
);

/** Those of its tenants too. */
const networksIn = (datacenter: Datacenter): readonly string[] =>
  workerNetworksIn(datacenter).flatMap(({ networks }) => networks);
/** A master that is its own seed has the same nodes twice. */
const distinct = (items: readonly string[]): readonly string[] => [...new Set(items)];
export const nodeNetworks: List = once(({ ctx }) =>
  distinct([
    ...ctx.model.platform.spec.master.nodes.networks,
    ...ctx.model.seeds.flatMap((seed) => seed.spec.nodes.networks),
    ...ctx.model.datacenters.flatMap(networksIn),
  ]),
);
export const workerNetworks: List = once(({ ctx }) => ctx.model.datacenters.flatMap(networksIn));
const nodesOf = ({ controlPlane, networks }: Seed['spec']['nodes']): readonly string[] => controlPlane ?? networks;
export const managementNodes: List = once(({ ctx }) =>
  distinct([
    ...nodesOf(ctx.model.platform.spec.master.nodes),
    ...ctx.model.seeds.flatMap((seed) => nodesOf(seed.spec.nodes)),
  ]),
);

export const providerApis = (provider?: ProviderName): List =>
  once(({ ctx }) => {
    const found = ctx.model.datacenters.filter(
      (dc) => provider === undefined || dc.spec.provider[provider] !== undefined,
    );
    return [...new Set(found.flatMap((dc) => hostPortsOf(providerApiOf(ctx, dc))))].sort();
  });
const hostPortsOf = (api: ReturnType<typeof providerApiOf>): string[] =>
  api === undefined ? [] : api.hosts.flatMap((host) => api.ports.map((port) => hostPort(host, port)));

/** Names of the platform: the domain, or one label below it. */
export const platformName =
  (label?: string): List =>
  ({ ctx }) => [label === undefined ? ctx.domain : `${label}.${ctx.domain}`];

/** What the plan has for a row: DNS records, and hosts of the allow-list that are still in use. */
const planned = once(({ plan }) => {
  const targets = new Map<string, Set<string>>();
  const add = (row: string, target: string): void => {
    getOrAdd(targets, row, () => new Set<string>()).add(target);
  };
  for (const record of plan.dns.records) add(record.requirement, record.name);
  for (const { requirement, host, ports, status } of plan.egress.entries)
    if (status === 'active') for (const port of ports) add(requirement, hostPort(host, port));
  return targets;
});
/** Images that the private registry must hold, under the names they have there. */
export const privateImages: List = once(({ plan }) => [
  ...new Set(plan.egress.entries.filter((entry) => entry.requirement === 'OFF-1').flatMap((entry) => entry.images)),
]);
export const plannedFor =
  (row: string): List =>
  (s) => [...(planned(s).get(row) ?? [])];
