// A plan written by hand, so that a golden file changes only when its renderer does.

import type { Model } from '../../model/schema/index.ts';
import { installationOf } from '../../plan/installation/index.ts';
import { type Flow, type Place, type Plan, planFormat } from '../../plan/schema/index.ts';
import { sampleGateway } from './sample-gateway.ts';
import { sampleModel } from './sample-model.ts';

const place = (id: string, title: string, networks: string[], hosts: string[] = []): Place => ({
  id,
  title,
  networks,
  hosts,
  pending: networks.length + hosts.length === 0,
});

const places = [
  place('users', 'Users', ['10.100.0.0/16', '2001:db8:100::/48']),
  place('internet', 'Internet', ['0.0.0.0/0', '::/0']),
  place('master/nodes', 'Master nodes', ['10.0.0.0/24']),
  place('master/ingress', 'Ingress of the platform', ['198.51.100.10']),
  place('identity-provider', 'Identity provider', [], ['ldap.example.com']),
  place('proxy/proxy.example.com:3128', 'Corporate proxy', [], ['proxy.example.com']),
  place('seed/west/api', 'Kubernetes API of seed west', [], ['api.west.example.com']),
  // Overlapping and neighbouring networks, as manifests may have them.
  place('seed/west/gateway', 'Gateway of seed west', ['198.51.100.17', '2001:db8:1:1::1']),
  place('seed/east/gateway', 'Gateway of seed east', []),
  place('datacenter/dc1/workers', 'Workers in dc1', ['10.2.0.0/24', '10.2.0.128/25', '10.2.1.0/24', '2001:db8:2::/64']),
  place('datacenter/dc2/workers', 'Workers in dc2', ['10.6.0.0/24']),
];

const flow = (from: string, to: string, ports: Flow['ports'], requirement: string, clusters: string[] = []): Flow => ({
  from,
  to,
  protocol: 'tcp',
  ports,
  reason: `Needed for ${requirement}.`,
  requirement,
  clusters,
});

const flows: Flow[] = [
  flow('users', 'master/ingress', [443], 'PRT-1'),
  flow('master/nodes', 'seed/west/api', [443], 'PRT-2'),
  flow('users', 'seed/west/gateway', [6443], 'PRT-11', ['shop', 'web']),
  flow('datacenter/dc1/workers', 'seed/west/gateway', [6443, 8088], 'PRT-8', ['shop', 'web']),
  flow('datacenter/dc2/workers', 'seed/east/gateway', ['30000-32767', 32000, 443], 'PRT-9', ['batch']),
  { ...flow('datacenter/dc1/workers', 'datacenter/dc1/workers', [], 'WRK-1', ['shop', 'web']), protocol: 'any' },
  { ...flow('datacenter/dc2/workers', 'datacenter/dc2/workers', [8472], 'NET-4', ['batch']), protocol: 'udp' },
  flow('master/nodes', 'identity-provider', [636], 'AUT-2'),
  flow('internet', 'master/ingress', [80], 'EGR-12'),
  flow('datacenter/dc1/workers', 'proxy/proxy.example.com:3128', [3128], 'PRX-1', ['shop', 'web']),
];

const record = (name: string, at: string, target: Partial<Plan['dns']['records'][number]>, requirement: string) => ({
  name,
  place: at,
  addresses: [],
  phase: 'target' as const,
  ttl: 300,
  reason: `Leads to ${at}.`,
  requirement,
  clusters: [],
  ...target,
});

const dns: Plan['dns'] = {
  zone: 'kubermatic.example.com',
  records: [
    record('kubermatic.example.com', 'master/ingress', { addresses: ['198.51.100.10'] }, 'DNS-2'),
    record('*.kubermatic.example.com', 'master/ingress', { addresses: ['198.51.100.10'] }, 'DNS-3'),
    record('*.east.kubermatic.example.com', 'seed/east/gateway', { phase: 'name' }, 'DNS-8'),
    record(
      '*.west.kubermatic.example.com',
      'seed/west/gateway',
      { addresses: ['198.51.100.17', '2001:db8:1:1::1'] },
      'DNS-8',
    ),
    record('grafana.west.kubermatic.example.com', 'master/ingress', { hostname: 'lb-1.cloud.example.net' }, 'DNS-12'),
  ],
};

const certificates: Plan['certificates'] = [
  {
    name: 'platform',
    issuer: 'acme-dns01',
    issuedBy: 'ACME by DNS-01',
    dnsNames: ['kubermatic.example.com', '*.kubermatic.example.com', 'grafana.west.kubermatic.example.com'],
    ips: [],
    place: 'master/ingress',
    requirement: 'CRT-6',
    clusters: [],
  },
  {
    name: 'gateway-west',
    issuer: 'gateway-ca',
    issuedBy: 'the CA of the gateway',
    dnsNames: ['tunnel.west.kubermatic.example.com'],
    ips: ['198.51.100.17', '2001:db8:1:1::1'],
    place: 'seed/west/gateway',
    requirement: 'CRT-7',
    clusters: [],
  },
  {
    name: 'apiserver-web',
    issuer: 'cluster-ca',
    issuedBy: 'the CA of cluster web',
    dnsNames: ['web.west.kubermatic.example.com', 'kubernetes.default.svc'],
    ips: ['10.240.16.1'],
    place: 'seed/west/gateway',
    requirement: 'API-1',
    clusters: ['web'],
  },
];

type Entry = Plan['egress']['entries'][number];
const entry = (host: string, ports: number[], more: Partial<Entry> = {}): Entry => ({
  host,
  ports,
  paths: [],
  images: [],
  component: 'kubelet',
  from: ['datacenter/dc1/workers', 'master/nodes'],
  status: 'active',
  replacedBy: [],
  reason: 'Images and binaries of the nodes.',
  requirement: 'EGR-1',
  clusters: ['shop', 'web'],
  ...more,
});

const egress: Plan['egress'] = {
  modes: { 'datacenter/dc1/workers': 'proxy', 'master/nodes': 'direct', 'seed/east/gateway': 'proxy' },
  entries: [
    entry('dl.k8s.io', [443], { paths: ['/release/'] }),
    entry('quay.io', [443], { images: ['quay.io/kubermatic/util'], requirement: 'EGR-7' }),
    entry('*.quay.io', [443], { redirectOf: 'quay.io', requirement: 'EGR-13' }),
    entry('cdn01.quay.io', [443], { redirectOf: 'quay.io', requirement: 'EGR-13' }),
    entry('archive.ubuntu.com', [80, 443], { component: 'Ubuntu', requirement: 'EGR-10' }),
    entry('updates.example.com', [443], { from: ['seed/east/gateway'] }),
    entry('k8s.gcr.io', [443], { status: 'retired', replacedBy: ['registry.k8s.io'], requirement: 'EGR-5' }),
  ],
};

const endpoint = (cluster: string, seed: string, datacenter: string): Plan['endpoints'][string] => {
  const host = `${cluster}.${seed}.kubermatic.example.com`;
  return {
    cluster,
    seed,
    datacenter,
    strategy: 'Tunneling',
    entry: 'split',
    namespace: `cluster-${cluster}`,
    externalName: host,
    apiServer: { host, port: 6443, sni: host },
    konnectivity: { host: `konnectivity-server.${host}`, port: 6443, sni: `konnectivity-server.${host}` },
    kubeconfigServer: `https://${host}:6443`,
    kubernetesService: { addresses: ['100.64.30.10'], port: 6443 },
    apiServerFlags: {},
  };
};

const pathOf = (seed: string, datacenter: string, ports: number[]): Plan['paths'][string] => ({
  users: { from: 'users', to: `seed/${seed}/gateway`, ports: ports.slice(0, 1), requirement: 'PRT-11' },
  workers: { from: `datacenter/${datacenter}/workers`, to: `seed/${seed}/gateway`, ports, requirement: 'PRT-8' },
  controlPlane: { from: `seed/${seed}/nodes`, to: `seed/${seed}/nodes`, ports: [443] },
});

const webTarget = 'web.west.kubermatic.example.com:443';
const direct = { by: 'direct' as const, target: webTarget, reason: 'The network allows it.' };
const proxied = { by: 'proxy-option' as const, target: webTarget, reason: 'The proxy is the only way.' };

const requirement = (id: string, title: string, targets: string[] = []): Plan['requirements'][number] => ({
  id,
  title,
  kinds: ['plan'],
  severity: 'block',
  targets,
  vantages: [],
  clusters: [],
});

export const samplePlan: Plan = {
  installation: installationOf(sampleModel),
  format: planFormat,
  platform: { name: 'sample', domain: 'kubermatic.example.com' },
  places: Object.fromEntries(places.map((one) => [one.id, one])),
  settings: { platform: {}, seeds: {}, datacenters: {}, clusters: {} },
  effective: {},
  endpoints: { batch: endpoint('batch', 'east', 'dc2'), web: endpoint('web', 'west', 'dc1') },
  paths: {
    batch: pathOf('east', 'dc2', [30000, 30001]),
    web: pathOf('west', 'dc1', [6443, 8088]),
  },
  flows,
  dns,
  certificates,
  addresses: {
    pools: [
      {
        pool: 'dc1-apps',
        owner: 'Datacenter/dc1',
        capacity: 21,
        needed: 2,
        needs: ['shop', 'web'].map((name) => ({
          for: `cluster/${name}`,
          count: 1,
          reason: 'Applications.',
          requirement: 'VS-7',
        })),
        allocations: [
          { for: 'cluster/shop', addresses: ['10.2.0.200'], locked: true },
          { for: 'cluster/web', addresses: ['10.2.0.201'], locked: false },
        ],
      },
      {
        pool: 'dc2-apps',
        owner: 'Datacenter/dc2',
        capacity: 16,
        needed: 1,
        needs: [{ for: 'cluster/batch', count: 1, reason: 'Applications.', requirement: 'VS-7' }],
        allocations: [{ for: 'cluster/batch', addresses: ['10.6.1.0/29'], locked: true }],
      },
      {
        pool: 'west-vips',
        owner: 'Seed/west',
        capacity: 1,
        needed: 2,
        needs: [
          { for: 'gateway', count: 1, reason: 'One address for all clusters.', requirement: 'VS-6' },
          { for: 'ingress', count: 1, reason: 'Dashboard and API.', requirement: 'VS-6' },
        ],
        allocations: [{ for: 'gateway', addresses: ['198.51.100.17', '2001:db8:1:1::1'], locked: true }],
      },
    ],
    nodePorts: [
      {
        seed: 'east',
        range: '30000-32767',
        capacity: 1384,
        needed: 1,
        allocations: [{ cluster: 'batch', apiServer: 30000, konnectivity: 30001, locked: false }],
      },
    ],
  },
  egress,
  proxy: {
    places: {},
    workers: { web: { kubelet: proxied, konnectivityAgent: proxied, pods: { ...direct, by: 'node-agent' } } },
  },
  gateway: { west: sampleGateway },
  konnectivity: {},
  requirements: [
    requirement('DOC-1', 'The catalogue belongs to the release that is installed.'),
    requirement('CFG-1', 'Configuration is versioned in a repository.'),
    requirement('LB-3', 'A load balancer is chosen for every environment.'),
    requirement('PRT-8', 'Workers reach the gateway of their seed.', ['198.51.100.17:6443']),
    requirement('DNS-8', 'One wildcard per seed.'),
    requirement('CRT-6', 'One certificate for all names.'),
    requirement('ETC-3', 'The write-ahead log is synced quickly.', ['kubermatic-fast of seed west']),
    requirement('ZZZ-1', 'A row of a chapter that nobody knows.'),
  ],
};

/** The sample with the documents of another installation. */
export const samplePlanOf = (model: Model): Plan => ({ ...samplePlan, installation: installationOf(model) });
