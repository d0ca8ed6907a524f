// Seeds and datacenters of a generated model.
import fc from 'fast-check';
import type { AddressPool, Datacenter, Seed } from '../../model/schema/index.ts';
import type { PlatformChoices } from './arbitrary-platform.ts';
import {
  awsProvider,
  azureProvider,
  sampleDatacenter,
  samplePool,
  sampleSeed,
  sampleTunnelKey,
  vsphereProvider,
} from './sample-model.ts';

type LoadBalancer = NonNullable<Seed['spec']['loadBalancer']>;

export interface SeedChoices {
  readonly strategy: 'NodePort' | 'LoadBalancer' | 'Tunneling' | undefined;
  readonly offers: readonly ('split' | 'single')[];
  readonly customPorts: boolean;
  readonly gateway: 'known' | 'hostname' | 'pool' | 'pending';
  readonly apiByAddress: boolean;
  readonly dualStack: boolean;
  readonly loadBalancer: 'cloud' | 'metallb-l2' | 'metallb-bgp' | 'cilium-bgp' | 'kubelb';
  readonly backup: 'none' | 's3' | 'minio';
  /** Clusters are planned. */
  readonly planned: boolean;
  readonly tunnelKey: boolean;
}

export interface DatacenterChoices {
  readonly seed: number;
  readonly provider: 'azure' | 'aws' | 'vsphere' | 'openstack' | 'bare';
  readonly strategy: SeedChoices['strategy'];
  readonly single: boolean;
  readonly throughProxy: boolean;
  readonly direct: boolean;
  readonly dualStack: boolean;
  readonly tenants: boolean;
  readonly ownResolvers: boolean;
  readonly integration: 'I' | 'II' | undefined;
  /** Applications get addresses from a pool that MetalLB announces. */
  readonly announced: boolean;
}

export const arbitrarySeed: fc.Arbitrary<SeedChoices> = fc.record({
  strategy: fc.constantFrom(undefined, 'NodePort', 'LoadBalancer', 'Tunneling'),
  offers: fc.constantFrom<readonly ('split' | 'single')[]>(['split'], ['single'], ['split', 'single']),
  customPorts: fc.boolean(),
  gateway: fc.constantFrom('known', 'hostname', 'pool', 'pending'),
  apiByAddress: fc.boolean(),
  dualStack: fc.boolean(),
  loadBalancer: fc.constantFrom('cloud', 'metallb-l2', 'metallb-bgp', 'cilium-bgp', 'kubelb'),
  backup: fc.constantFrom('none', 's3', 'minio'),
  planned: fc.boolean(),
  tunnelKey: fc.boolean(),
});

export const arbitraryDatacenter: fc.Arbitrary<DatacenterChoices> = fc.record({
  seed: fc.nat(99),
  provider: fc.constantFrom('azure', 'aws', 'vsphere', 'openstack', 'bare'),
  strategy: fc.constantFrom(undefined, undefined, 'NodePort', 'LoadBalancer', 'Tunneling'),
  single: fc.boolean(),
  throughProxy: fc.boolean(),
  direct: fc.boolean(),
  dualStack: fc.boolean(),
  tenants: fc.boolean(),
  ownResolvers: fc.boolean(),
  integration: fc.constantFrom(undefined, 'I', 'II'),
  announced: fc.boolean(),
});

const twoDigits = (index: number): string => String(index).padStart(2, '0');
const hex = (number: number): string => number.toString(16);
const seedPool = (index: number): string => `addresses-${twoDigits(index)}`;

export function seedOf(choice: SeedChoices, index: number): Seed {
  const name = `seed-${twoDigits(index)}`;
  return sampleSeed(name, {
    exposeStrategy: choice.strategy,
    api: choice.apiByAddress ? { host: `10.${10 + index}.1.10`, port: 443 } : { host: `api.${name}.example.com` },
    nodes: {
      networks: [`10.${10 + index}.0.0/24`, ...(choice.dualStack ? [`2001:db8:${hex(0x100 + index)}::/64`] : [])],
    },
    gateway: {
      address: gatewayAddress(choice, index),
      offers: [...choice.offers],
      ...(choice.customPorts ? { ports: { sni: 7443, tunnel: 7088, single: 8443 }, nodePortRange: '31000-31999' } : {}),
      ...(choice.tunnelKey ? { tunnelKeys: [sampleTunnelKey] } : {}),
    },
    loadBalancer: loadBalancerOf(choice, index),
    ...backupOf(choice),
    ...(choice.planned ? { plannedClusters: 2 } : {}),
  });
}

export const seedPoolOf = (index: number): AddressPool =>
  samplePool(seedPool(index), { seed: `seed-${twoDigits(index)}`, ranges: [`10.${10 + index}.8.0/24`] });

function gatewayAddress(choice: SeedChoices, index: number): Seed['spec']['gateway']['address'] {
  switch (choice.gateway) {
    case 'known':
      return { ips: [`10.${10 + index}.4.10`, ...(choice.dualStack ? [`2001:db8:${hex(0x100 + index)}:4::10`] : [])] };
    case 'hostname':
      return { hostname: `gateway-${index}.cloud.example.net` };
    case 'pool':
      return { pool: seedPool(index) };
    case 'pending':
      return { dynamic: true };
  }
}

function loadBalancerOf(choice: SeedChoices, index: number): LoadBalancer {
  const bgp = { asn: 64512, peers: [{ address: `10.${10 + index}.0.1`, asn: 64513 }] };
  switch (choice.loadBalancer) {
    case 'cloud':
      return { type: 'cloud' };
    case 'metallb-l2':
      return { type: 'metallb', mode: 'L2', pool: seedPool(index), segment: `10.${10 + index}.8.0/24` };
    case 'metallb-bgp':
      return { type: 'metallb', mode: 'BGP', pool: seedPool(index), bgp };
    case 'cilium-bgp':
      return { type: 'cilium', mode: 'BGP', pool: seedPool(index), bgp };
    case 'kubelb':
      return {
        type: 'kubelb',
        pool: seedPool(index),
        kubelb: { hub: 'kubelb.example.com', networks: ['10.8.0.0/24'] },
      };
  }
}

function backupOf(choice: SeedChoices): Partial<Seed['spec']> {
  const credentials = { env: 'BACKUP_KEYS' };
  if (choice.backup === 'none') return {};
  if (choice.backup === 's3')
    return { backup: { s3: { endpoint: 'https://s3.example.com:9000', bucket: 'etcd', credentials } } };
  return { backup: { minio: { storageClass: 'slow', capacityGiB: 100, credentials } } };
}

export function datacenterOf(
  choice: DatacenterChoices,
  index: number,
  seeds: readonly SeedChoices[],
  platform: PlatformChoices,
): Datacenter {
  const seed = choice.seed % seeds.length;
  const proxied = choice.throughProxy && platform.egress === 'proxy' && !choice.direct;
  return sampleDatacenter(`dc-${twoDigits(index)}`, {
    seed: `seed-${twoDigits(seed)}`,
    provider: providerOf(choice, index),
    exposeStrategy: choice.strategy,
    nodes: {
      networks: [`10.${100 + index}.0.0/22`, ...(choice.dualStack ? [`2001:db8:${hex(0x200 + index)}::/64`] : [])],
      dhcp: { enabled: true },
      ...(choice.ownResolvers ? { dnsServers: [`10.${100 + index}.0.54`] } : {}),
      operatingSystems: ['ubuntu'],
    },
    workers: {
      entry: choice.single && seeds[seed]?.offers.includes('single') === true ? 'single' : undefined,
      route: proxied ? 'proxy' : undefined,
    },
    ...(choice.direct ? { egress: { mode: 'direct' as const } } : {}),
    ...(choice.integration === undefined ? {} : { integration: choice.integration }),
    ...(choice.announced ? { loadBalancer: announcement(index) } : {}),
    ...(choice.tenants ? { tenants: [{ name: 'tenant-a', networks: [`10.${100 + index}.64.0/24`] }] } : {}),
  });
}

const announcement = (index: number): LoadBalancer => ({
  type: 'metallb',
  mode: 'BGP',
  pool: `applications-${twoDigits(index)}`,
  bgp: { asn: 64600, peers: [{ address: `10.${100 + index}.0.1`, asn: 64601 }] },
});

function providerOf(choice: DatacenterChoices, index: number): Datacenter['spec']['provider'] {
  switch (choice.provider) {
    case 'azure':
      return azureProvider();
    case 'aws':
      return awsProvider('eu-central-1');
    case 'vsphere':
      return vsphereProvider();
    case 'bare':
      return { bare: {} };
    case 'openstack':
      return { openstack: { authURL: 'https://keystone.example.com:5000/v3', management: openstackScope(index) } };
  }
}

const openstackScope = (index: number) => ({
  region: 'RegionOne',
  availabilityZones: ['nova'],
  domain: 'Default',
  projectName: 'causeway',
  projectID: 'f00',
  credentials: { userPassword: { env: 'OS_PASSWORD' } },
  network: { name: 'nodes', cidr: `10.${100 + index}.0.0/22`, subnetID: 'subnet-1' },
  floatingIPPool: 'public',
  dnsServers: [`10.${100 + index}.0.53`],
});
