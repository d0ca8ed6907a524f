// A small valid platform for tests: one master, one seed, one datacenter, one cluster. Each test changes what it is about.
import {
  type AddressPool,
  apiVersion,
  type Cluster,
  type Datacenter,
  type Kind,
  type Model,
  type Platform,
  type Seed,
} from '../../model/schema/index.ts';

export const samplePlatform = (spec: Partial<Platform['spec']> = {}): Platform => ({
  ...head('Platform', 'sample'),
  spec: {
    domain: 'kubermatic.example.com',
    users: { networks: ['10.100.0.0/16'] },
    master: { nodes: { networks: ['10.0.0.0/24'] }, api: { host: 'api.master.example.com' } },
    ingress: { address: { ips: ['192.0.2.10'] } },
    ...spec,
  },
});

export const sampleSeed = (name = 'west', spec: Partial<Seed['spec']> = {}): Seed => ({
  ...head('Seed', name),
  spec: {
    api: { host: `api.${name}.example.com` },
    nodes: { networks: ['10.1.0.0/24'] },
    gateway: { address: { ips: ['192.0.2.20'] } },
    provisioning: { tool: 'kubeone' },
    ...spec,
  },
});

export const sampleDatacenter = (name = 'dc1', spec: Partial<Datacenter['spec']> = {}): Datacenter => ({
  ...head('Datacenter', name),
  spec: {
    seed: 'west',
    provider: { bare: {} },
    nodes: { networks: ['10.2.0.0/24'], operatingSystems: ['ubuntu'] },
    ...spec,
  },
});

export const sampleCluster = (name = 'web', spec: Partial<Cluster['spec']> = {}): Cluster => ({
  ...head('Cluster', name),
  spec: { datacenter: 'dc1', kubernetesVersion: '1.36.3', ...spec },
});

export const samplePool = (name: string, spec: AddressPool['spec']): AddressPool => ({
  ...head('AddressPool', name),
  spec,
});

export const sampleModel = (parts: Partial<Model> = {}): Model => ({
  platform: samplePlatform(),
  seeds: [sampleSeed()],
  datacenters: [sampleDatacenter()],
  clusters: [sampleCluster()],
  pools: [],
  ...parts,
});

export const awsProvider = (region: string, more: object = {}): Datacenter['spec']['provider'] => ({
  aws: { region, credentials: { env: 'AWS_KEY' }, vpcID: 'vpc-1', ...more },
});

export const azureProvider = (): Datacenter['spec']['provider'] => ({
  azure: {
    tenantID: 'tenant',
    subscriptionID: 'subscription',
    clientID: 'client',
    clientSecret: { env: 'AZURE_SECRET' },
    location: 'westeurope',
    resourceGroup: 'rg',
    vnet: 'vnet',
    subnet: 'subnet',
    subnetCIDR: '10.2.0.0/24',
    routeTable: 'routes',
    securityGroup: 'nsg',
    vmSize: 'Standard_D4s_v5',
  },
});

export const vsphereProvider = (): Datacenter['spec']['provider'] => ({
  vsphere: {
    endpoint: 'https://vcenter.example.com',
    datacenter: 'dc',
    cluster: 'cluster',
    datastore: 'datastore',
    user: 'svc-causeway',
    credentials: { env: 'VSPHERE' },
  },
});

function head<K extends Kind>(
  kind: K,
  name: string,
): { apiVersion: typeof apiVersion; kind: K; metadata: { name: string } } {
  return { apiVersion, kind, metadata: { name } };
}

/** Public: its private half was thrown away. */
export const sampleTunnelKey = `-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAMIeO7VVC49oJASP/IgOPy3BocOCSe6NRJybqz0bvDiI=
-----END PUBLIC KEY-----
`;
