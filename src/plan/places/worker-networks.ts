// Where workers stand: in the network of their datacenter or, where the cluster belongs to a tenant, in that of the
// tenant. Tenants are places of their own, so that nothing opens one to another.
import type { Datacenter } from '../../model/schema/index.ts';
import * as id from './ids.ts';

export interface WorkerNetwork {
  /** Its place. */
  readonly place: string;
  readonly title: string;
  readonly networks: readonly string[];
  /** Place of the resolvers that the workers ask. */
  readonly resolvers: string;
}

/** Resolvers that stand for this datacenter or tenant alone. */
export interface SiteResolvers {
  readonly place: string;
  readonly title: string;
  readonly servers: readonly string[];
}

type Tenant = NonNullable<Datacenter['spec']['tenants']>[number];

/** That of clusters without a tenant first. */
export const workerNetworksIn = (datacenter: Datacenter): readonly WorkerNetwork[] => [
  ownNetwork(datacenter),
  ...(datacenter.spec.tenants ?? []).map((tenant) => tenantNetwork(datacenter, tenant)),
];

/** A tenant that the datacenter does not have is reported by validation; its workers count as the datacenter's. */
export function workersPlaceOf(datacenter: Datacenter, tenant: string | undefined): string {
  const { name } = datacenter.metadata;
  const isKnown = tenant !== undefined && datacenter.spec.tenants?.some((one) => one.name === tenant) === true;
  return isKnown ? id.tenantPlace(name, tenant, 'workers') : id.datacenterPlace(name, 'workers');
}

const ownNetwork = (datacenter: Datacenter): WorkerNetwork => ({
  place: workersPlaceOf(datacenter, undefined),
  title: `Workers in datacenter ${datacenter.metadata.name}`,
  networks: datacenter.spec.nodes.networks,
  resolvers: resolversOf(datacenter)?.place ?? id.resolvers,
});

const tenantNetwork = (datacenter: Datacenter, tenant: Tenant): WorkerNetwork => ({
  place: workersPlaceOf(datacenter, tenant.name),
  title: `Workers of tenant ${tenant.name} in datacenter ${datacenter.metadata.name}`,
  networks: tenant.networks,
  resolvers: (tenantResolvers(datacenter, tenant) ?? resolversOf(datacenter))?.place ?? id.resolvers,
});

/** Datacenters and tenants without resolvers of their own ask those of the platform. */
export const siteResolversIn = (datacenter: Datacenter): SiteResolvers[] =>
  [
    resolversOf(datacenter),
    ...(datacenter.spec.tenants ?? []).map((tenant) => tenantResolvers(datacenter, tenant)),
  ].filter((resolvers) => resolvers !== undefined);

/** OpenStack names DNS servers with its network; what is said about the nodes is said last. */
function resolversOf({ metadata: { name }, spec }: Datacenter): SiteResolvers | undefined {
  const servers = spec.nodes.dnsServers ?? spec.provider.openstack?.management.dnsServers ?? [];
  const place = id.datacenterPlace(name, 'resolvers');
  return servers.length === 0 ? undefined : { place, title: `DNS resolvers of datacenter ${name}`, servers };
}

function tenantResolvers({ metadata: { name } }: Datacenter, tenant: Tenant): SiteResolvers | undefined {
  const servers = tenant.openstack?.dnsServers;
  const title = `DNS resolvers of tenant ${tenant.name} in datacenter ${name}`;
  return servers === undefined ? undefined : { place: id.tenantPlace(name, tenant.name, 'resolvers'), title, servers };
}
