// Hosts that the manifests name and that somebody else serves: APIs, clouds, mirrors, key stores, sources of identities.
import { isIP } from 'node:net';
import type { Path } from '../../model/index.ts';
import type { Cluster, Datacenter, Platform, Resource, Seed } from '../../model/schema/index.ts';
import { memo, type PlanCache } from '../cache.ts';
import { nameOf } from './rule.ts';

export interface NamedHost {
  readonly host: string;
  readonly resource: string;
  readonly path: Path;
  /** As in "API of the seed". */
  readonly what: string;
}

type Found = readonly [what: string, path: Path, text: string | undefined];

/** The host of a URL, of host:port, of git@host:path, or the text itself. */
export function hostIn(text: string): string | undefined {
  const host = (URL.parse(text)?.host || text)
    .replace(/^[^@/]*@/, '')
    .replace(/[:/].*$/, '')
    .toLowerCase();
  return isIP(host) !== 0 || !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host) ? undefined : host;
}

const collect = (document: Resource, found: readonly Found[]): readonly NamedHost[] =>
  found.flatMap(([what, path, text]) => {
    const host = text === undefined ? undefined : hostIn(text);
    return host === undefined ? [] : [{ host, what, resource: nameOf(document), path: ['spec', ...path] }];
  });

const listed = (what: string, path: Path, texts: readonly string[] | undefined): Found[] =>
  (texts ?? []).map((text, i) => [what, [...path, i], text]);

const ofInherited = ({ proxy, registry }: Pick<Platform['spec'], 'proxy' | 'registry'>): Found[] => [
  ['proxy', ['proxy', 'http'], proxy?.http],
  ['proxy', ['proxy', 'https'], proxy?.https],
  ['private registry', ['registry', 'host'], registry?.host],
  ['binaries mirror', ['registry', 'binaries'], registry?.binaries],
  ['packages mirror', ['registry', 'packages'], registry?.packages],
];

const ofPlatform = memo((platform: Platform): readonly NamedHost[] => {
  const { master, dns, configRepository, authentication, access, certificates, ingress } = platform.spec;
  const connectors = authentication?.dex?.connectors ?? [];
  return collect(platform, [
    ['API of the master', ['master', 'api', 'host'], master.api.host],
    ['load balancer of the ingress', ['ingress', 'address', 'hostname'], ingress.address.hostname],
    ...listed('authoritative server', ['dns', 'authoritative'], dns?.authoritative),
    ['git repository', ['configRepository', 'url'], configRepository?.url],
    ['key store', ['configRepository', 'keyStore', 'vault', 'address'], configRepository?.keyStore?.vault?.address],
    ['identity provider', ['authentication', 'external', 'issuer'], authentication?.external?.issuer],
    ...connectors.map(
      ({ endpoint }, i): Found => [
        'source of identities',
        ['authentication', 'dex', 'connectors', i, 'endpoint'],
        endpoint,
      ],
    ),
    ['installer', ['access', 'installer', 'host'], access?.installer?.host],
    ['bastion', ['access', 'bastion', 'host'], access?.bastion?.host],
    ['ACME server', ['certificates', 'acmeHTTP01', 'server'], certificates?.acmeHTTP01?.server],
    ['ACME server', ['certificates', 'acmeDNS01', 'server'], certificates?.acmeDNS01?.server],
    ['name server', ['certificates', 'acmeDNS01', 'nameserver'], certificates?.acmeDNS01?.nameserver],
    ...ofInherited(platform.spec),
  ]);
});

const ofSeed = memo((seed: Seed): readonly NamedHost[] => {
  const { api, backup, loadBalancer, gateway } = seed.spec;
  return collect(seed, [
    ['API of the seed', ['api', 'host'], api.host],
    ['load balancer of the gateway', ['gateway', 'address', 'hostname'], gateway.address.hostname],
    ['backup store', ['backup', 's3', 'endpoint'], backup?.s3?.endpoint],
    ['KubeLB hub', ['loadBalancer', 'kubelb', 'hub'], loadBalancer?.kubelb?.hub],
    ...ofInherited(seed.spec),
  ]);
});

const ofDatacenter = memo((datacenter: Datacenter): readonly NamedHost[] => {
  const { vsphere, openstack, azure, bare } = datacenter.spec.provider;
  return collect(datacenter, [
    ['vCenter', ['provider', 'vsphere', 'endpoint'], vsphere?.endpoint],
    ['Keystone', ['provider', 'openstack', 'authURL'], openstack?.authURL],
    ...listed('OpenStack service', ['provider', 'openstack', 'serviceEndpoints'], openstack?.serviceEndpoints),
    ...listed('Azure API', ['provider', 'azure', 'apiHosts'], azure?.apiHosts),
    ...listed('API of the machines', ['provider', 'bare', 'apiEndpoints'], bare?.apiEndpoints),
    ['KubeLB hub', ['loadBalancer', 'kubelb', 'hub'], datacenter.spec.loadBalancer?.kubelb?.hub],
    ...ofInherited(datacenter.spec),
  ]);
});

/** Most clusters name no host; the look-up is cheaper than asking. */
const ofCluster = memo((cluster: Cluster): readonly NamedHost[] => {
  const { controlPlane, loadBalancerHostname } = cluster.spec;
  return collect(cluster, [
    ['load balancer of the cluster', ['loadBalancerHostname'], loadBalancerHostname],
    ...listed('API server', ['controlPlane', 'external', 'apiServer'], controlPlane?.external?.apiServer),
    ...ofInherited(cluster.spec),
  ]);
});
const namesHosts = ({ spec }: Cluster): boolean =>
  spec.proxy !== undefined ||
  spec.registry !== undefined ||
  spec.loadBalancerHostname !== undefined ||
  spec.controlPlane?.external !== undefined;

interface Documents {
  readonly platform: Platform;
  readonly seeds: readonly Seed[];
  readonly datacenters: readonly Datacenter[];
  readonly clusters: readonly Cluster[];
}
export const namedHosts = (cache: PlanCache, { platform, seeds, datacenters, clusters }: Documents): NamedHost[] => [
  ...ofPlatform(cache, platform),
  ...seeds.flatMap((seed) => ofSeed(cache, seed)),
  ...datacenters.flatMap((datacenter) => ofDatacenter(cache, datacenter)),
  ...clusters.filter(namesHosts).flatMap((cluster) => ofCluster(cache, cluster)),
];
