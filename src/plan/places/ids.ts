// Names of places: built, parsed and compared here and nowhere else. Flows, records, proxies and vantages name the same
// place in the same way.

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
/** The platform's own pods, which have a proxy. */
export const master = 'master';
export const masterNodes = 'master/nodes';
export const masterApi = 'master/api';
export const masterIngress = 'master/ingress';

type SeedPart = 'nodes' | 'api' | 'gateway' | 'load-balancers' | 'backup' | 'routers' | 'kubelb' | 'control-plane';
type DatacenterPart = 'workers' | 'nodes' | 'provider-api' | 'resolvers' | 'routers' | 'kubelb';
type TenantPart = 'workers' | 'resolvers';
type ClusterPart = 'control-plane' | 'nodes' | 'pods';

export const seedPlace = (seed: string, part: SeedPart): string => `seed/${seed}/${part}`;
export const datacenterPlace = (datacenter: string, part: DatacenterPart): string => `datacenter/${datacenter}/${part}`;
export const tenantPlace = (datacenter: string, tenant: string, part: TenantPart): string =>
  `datacenter/${datacenter}/tenants/${tenant}/${part}`;
export const clusterPlace = (cluster: string, part: ClusterPart): string => `cluster/${cluster}/${part}`;
/** With the port, so that two proxies on one host stay apart. */
export const proxyPlace = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `proxy/${host.includes(':') ? `[${host}]` : host}:${port}`;

export const isOfSeed = (place: string, seed: string): boolean => place.startsWith(`seed/${seed}/`);
export const isOfSomeDatacenter = (place: string): boolean => place.startsWith('datacenter/');
/** Of the datacenter itself, or of one of its tenants. */
export const areWorkersIn = (place: string, datacenter: string): boolean =>
  place.startsWith(`datacenter/${datacenter}/`) && place.endsWith('/workers');
export const isProxy = (place: string): boolean => place.startsWith('proxy/');

/** `seed` means every place of every seed, `seed/west` every place of that seed, `gateway` every gateway. */
export function isAt(place: string, wanted: string): boolean {
  const parts = place.split('/');
  const named = (part: string | undefined): boolean => part !== undefined && singular(part) === singular(wanted);
  return place === wanted || place.startsWith(`${wanted}/`) || named(parts.at(-1)) || named(parts[0]);
}
const singular = (word: string): string => word.replace(/s$/, '');
