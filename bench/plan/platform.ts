// A platform of any size: strategies, address families and overrides mixed, 20 seeds, 100 datacenters.
import { apiVersion, type Resource } from '../../src/model/schema/index.ts';

const seedCount = 20;
const datacenterCount = 100;
const strategies = ['NodePort', 'LoadBalancer', 'Tunneling'];
const versions = ['1.34.2', '1.35.4', '1.36.3'];
const systems = ['ubuntu', 'flatcar', 'rhel', 'rocky'];

const times = <Item>(n: number, make: (i: number) => Item): Item[] => Array.from({ length: n }, (_, i) => make(i));
const resource = (kind: string, name: string, spec: object): Resource =>
  ({ apiVersion, kind, metadata: { name }, spec }) as unknown as Resource;
const padded = (i: number, digits: number): string => String(i).padStart(digits, '0');

export function bigPlatform(clusters: number): Resource[] {
  return [
    platform(),
    ...times(seedCount, seed),
    ...times(seedCount, pool),
    ...times(datacenterCount, datacenter),
    ...times(clusters, cluster),
  ];
}

const platform = (): Resource =>
  resource('Platform', 'big', {
    domain: 'platform.example.com',
    edition: 'EE',
    pullSecret: { env: 'PULL_SECRET' },
    users: { networks: ['192.0.2.0/24'] },
    master: {
      nodes: { networks: ['10.250.0.0/24'], controlPlane: ['10.250.0.1', '10.250.0.2', '10.250.0.3'] },
      api: { host: 'api.platform.example.com' },
    },
    ingress: { address: { ips: ['198.51.100.1'] } },
    proxy: {
      https: 'http://proxy.example.com:3128',
      http: 'http://proxy.example.com:3128',
      noProxy: ['corp.example.com'],
    },
    egress: { mode: 'proxy' },
  });

const seed = (i: number): Resource =>
  resource('Seed', `seed-${padded(i, 2)}`, {
    api: { host: `api.seed-${padded(i, 2)}.platform.example.com` },
    nodes: { networks: [`10.251.${i}.0/24`], controlPlane: times(3, (n) => `10.251.${i}.${n + 1}`) },
    gateway: { address: { ips: [`198.51.100.${i + 10}`] }, offers: ['split', 'single'], nodePortRange: '20000-40000' },
    loadBalancer: {
      type: 'metallb',
      mode: 'BGP',
      pool: `pool-${padded(i, 2)}`,
      bgp: { asn: 64512, peers: [{ address: `10.251.${i}.254`, asn: 64513 }] },
    },
    monitoring: { userClusters: true, activeSeries: 1000, logsGiBPerDay: 1, retentionDays: 7 },
  });

const pool = (i: number): Resource =>
  resource('AddressPool', `pool-${padded(i, 2)}`, { seed: `seed-${padded(i, 2)}`, ranges: [`10.${200 + i}.0.0/16`] });

const datacenter = (i: number): Resource =>
  resource('Datacenter', `dc-${padded(i, 3)}`, {
    seed: `seed-${padded(i % seedCount, 2)}`,
    provider:
      i % 2 === 0
        ? { bare: {} }
        : { aws: { region: `eu-central-${i % 3}`, credentials: { env: 'AWS' }, vpcID: 'vpc-1' } },
    nodes: {
      networks: [`10.${i}.0.0/16`, `fd00:${i + 1}::/64`],
      dhcp: { enabled: true },
      operatingSystems: [systems[i % systems.length]],
    },
  });

/** Every third cluster inherits its strategy, every fourth is dual stack, and a few override other things. */
export function cluster(i: number): Resource {
  const spec: Record<string, unknown> = {
    datacenter: `dc-${padded(i % datacenterCount, 3)}`,
    kubernetesVersion: versions[i % versions.length],
  };
  if (i % 3 !== 0) spec.exposeStrategy = strategies[i % strategies.length];
  if (i % 4 === 0) spec.network = { ipFamily: 'IPv4+IPv6' };
  if (i % 5 === 0) spec.limits = { allowedSourceRanges: ['192.0.2.0/25'], maxConnections: 1000 };
  if (i % 7 === 0 && spec.exposeStrategy === 'Tunneling') spec.workers = { entry: 'single' };
  if (i % 11 === 0) spec.proxy = { noProxy: [`app-${i}.example.com`] };
  return resource('Cluster', `c${padded(i, 6)}`, spec);
}
