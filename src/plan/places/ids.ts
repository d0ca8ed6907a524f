// Names of places. A flow, a record and a vantage name the same place in the same way.

export const users = 'users';
export const internet = 'internet';
export const installer = 'installer';
export const bastion = 'bastion';
export const resolvers = 'dns/resolvers';
export const authoritative = 'dns/authoritative';
export const identityProvider = 'identity-provider';
export const keyStore = 'key-store';
export const configRepository = 'config-repository';
export const registry = 'registry';
export const masterNodes = 'master/nodes';
export const masterApi = 'master/api';
export const masterIngress = 'master/ingress';

type SeedPlace = 'nodes' | 'api' | 'gateway' | 'load-balancers' | 'backup' | 'routers' | 'kubelb';
type DatacenterPlace = 'workers' | 'provider-api' | 'resolvers' | 'routers' | 'kubelb';
type TenantPlace = 'workers' | 'resolvers';

export const seedPlace = (seed: string, part: SeedPlace): string => `seed/${seed}/${part}`;
export const datacenterPlace = (datacenter: string, part: DatacenterPlace): string =>
  `datacenter/${datacenter}/${part}`;
export const tenantPlace = (datacenter: string, tenant: string, part: TenantPlace): string =>
  `datacenter/${datacenter}/tenants/${tenant}/${part}`;
/** A control plane that something else runs. */
export const controlPlane = (cluster: string): string => `cluster/${cluster}/control-plane`;
