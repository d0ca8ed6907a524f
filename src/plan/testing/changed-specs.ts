// Parts of specs that somebody may write over what is there. `undefined` takes a field away.
import type { AddressPool, Cluster, Datacenter, Platform, Seed } from '../../model/schema/index.ts';
import { sampleTunnelKey } from './sample-model.ts';

type Inherited = Pick<
  Cluster['spec'],
  'exposeStrategy' | 'workers' | 'network' | 'limits' | 'konnectivity' | 'egress' | 'proxy' | 'registry'
>;

const inherited: Inherited[] = [
  { exposeStrategy: 'NodePort' },
  { exposeStrategy: 'LoadBalancer' },
  { exposeStrategy: 'Tunneling' },
  { exposeStrategy: undefined },
  { proxy: { enabled: false } },
  { proxy: { enabled: true } },
  { proxy: { https: 'http://own-proxy.example.com:8080' } },
  { proxy: { noProxy: ['extra.example.com'] } },
  { proxy: undefined },
  { egress: { mode: 'direct' } },
  { egress: { mode: 'offline' }, registry: { host: 'registry.example.com:5000' } },
  { egress: undefined },
  { workers: { entry: 'single' } },
  { workers: { route: 'proxy' } },
  { workers: { agent: 'envoy' } },
  { network: { ipFamily: 'IPv4+IPv6' } },
  { network: { cni: 'calico', services: ['10.20.0.0/16'] } },
  { limits: { allowedSourceRanges: ['192.0.2.0/24'] } },
  { limits: { maxConnections: 7 } },
  { konnectivity: { keepalive: '20s' } },
];

export const clusterSpecs: Partial<Cluster['spec']>[] = [
  ...inherited,
  { kubernetesVersion: '1.33.1' },
  { kubernetesVersion: '1.36.9' },
  { datacenter: 'dc-00' },
  { datacenter: 'dc-01' },
  { datacenter: 'nowhere' },
  { loadBalancerIPs: ['10.9.9.9'] },
  { loadBalancerIPs: undefined },
  { loadBalancerHostname: 'lb.cloud.example.net' },
  { workloadAddresses: { count: 3 } },
  { workloadAddresses: { count: 0 } },
  { workloadAddresses: { ips: ['10.100.128.7'] } },
  { nodes: { operatingSystems: ['flatcar'] } },
  { nodes: { kubeletVersion: '1.33.4' } },
  { tenant: 'tenant-a' },
  { controlPlane: { external: { apiServer: ['10.5.0.1:6443'], konnectivity: ['10.5.0.1:8132'] } } },
];

export const datacenterSpecs: Partial<Datacenter['spec']>[] = [
  ...inherited,
  { seed: 'seed-00' },
  { seed: 'seed-01' },
  { seed: 'nowhere' },
  { integration: 'II' },
  { nodes: { networks: ['10.199.0.0/24'], dnsServers: ['10.199.0.53'] } },
  { nodes: { networks: ['10.199.0.0/24'], operatingSystems: ['rhel'] } },
  { tenants: [{ name: 'tenant-a', networks: ['10.198.0.0/24'] }] },
  { provider: { aws: { region: 'us-east-1', credentials: { env: 'AWS' }, vpcID: 'vpc' } } },
  { loadBalancer: { type: 'kubelb', kubelb: { hub: 'hub.example.com' } } },
];

export const seedSpecs: Partial<Seed['spec']>[] = [
  ...inherited,
  { plannedClusters: 3 },
  { plannedClusters: 0 },
  { plannedClusters: undefined },
  { dnsName: 'west' },
  { monitoring: { userClusters: true } },
  { gateway: { address: { ips: ['192.0.2.77'] }, offers: ['single'] } },
  { gateway: { address: { pool: 'addresses-00' }, tunnelAuthentication: 'none' } },
  { gateway: { address: { pool: 'addresses-00' }, tunnelKeys: [sampleTunnelKey] } },
  { gateway: { address: { hostname: 'gw.cloud.example.net' }, nodePortRange: '20000-20999' } },
  { gateway: { address: {}, ports: { sni: 9443 }, reservedNodePorts: [30000] } },
  { loadBalancer: { type: 'metallb', mode: 'L2', segment: '10.10.8.0/24' } },
  { nodes: { networks: ['10.197.0.0/24'] } },
  { api: { host: 'other.example.com', port: 8443 } },
];

export const platformSpecs: Partial<Platform['spec']>[] = [
  ...inherited,
  { domain: 'other.example.org' },
  { dns: { wildcards: false } },
  { dns: { existing: ['wiki'], ttl: 60 } },
  { monitoring: { services: ['kibana'] } },
  { certificates: { wildcard: true, selfSigned: {} } },
  { users: { networks: ['203.0.113.0/24'] } },
  { ingress: { address: { pool: 'addresses-00' } } },
  { release: '2.31' },
];

export const poolSpecs: Partial<AddressPool['spec']>[] = [
  { ranges: ['10.10.9.0/29'] },
  { ranges: ['10.10.8.0/24', 'fd00:8::/64'] },
  { exclude: ['10.10.8.0-10.10.8.7'] },
  { allocation: { count: 2 } },
];
