// A platform whose artefacts exercise every renderer: two seeds (MetalLB by BGP, Cilium by L2), three datacenters.
import type { AddressPool, Cluster, Datacenter, Model, Platform, Seed } from '../../model/schema/index.ts';

const apiVersion = 'causeway.dev/v1alpha1';

const platform: Platform = {
  apiVersion,
  kind: 'Platform',
  metadata: { name: 'sample' },
  spec: {
    domain: 'kubermatic.example.com',
    release: '2.31',
    edition: 'EE',
    exposeStrategy: 'Tunneling',
    pullSecret: { secret: { name: 'pull-secret' } },
    users: { networks: ['10.100.0.0/16', '2001:db8:100::/48'] },
    master: { nodes: { networks: ['10.0.0.0/24'] }, api: { host: 'api.master.example.com' }, seed: 'west' },
    ingress: { address: { ips: ['198.51.100.10'] } },
    dns: { servers: ['10.0.0.53'], authoritative: ['ns1.example.net', 'ns2.example.net'], provider: 'rfc2136' },
    certificates: {
      acmeDNS01: {
        email: 'platform@example.com',
        provider: 'rfc2136',
        nameserver: '10.0.0.53:53',
        tsigKeyName: 'causeway',
        credentials: { secret: { name: 'tsig', key: 'secret' } },
      },
    },
    access: { installer: { host: 'installer.example.com', user: 'ops' }, contact: 'network team' },
    configRepository: { url: 'git@git.example.com:platform/config.git' },
  },
};

const seeds: Seed[] = [
  {
    apiVersion,
    kind: 'Seed',
    metadata: { name: 'east' },
    spec: {
      api: { host: 'api.east.example.com' },
      nodes: { networks: ['10.3.0.0/24'] },
      gateway: { address: { pool: 'east-vips' } },
      loadBalancer: { type: 'cilium', mode: 'L2', segment: '10.3.0.0/24' },
    },
  },
  {
    apiVersion,
    kind: 'Seed',
    metadata: { name: 'west' },
    spec: {
      api: { host: 'api.west.example.com', port: 443 },
      nodes: { networks: ['10.1.0.0/24', '2001:db8:1::/64'], controlPlane: ['10.1.0.11', '10.1.0.12', '10.1.0.13'] },
      gateway: { address: { pool: 'west-vips' } },
      loadBalancer: {
        type: 'metallb',
        mode: 'BGP',
        bgp: {
          asn: 64513,
          peers: [
            { address: '10.1.0.1', asn: 64512, password: { secret: { name: 'bgp-password' } }, holdTime: '1m30s' },
            { address: '2001:db8:1::1', asn: 64512, multihop: true },
          ],
        },
      },
      backup: { s3: { endpoint: 'https://s3.example.com', bucket: 'etcd', credentials: { env: 'S3_KEYS' } } },
    },
  },
];

const datacenter = (name: string, seed: string, spec: Partial<Datacenter['spec']>): Datacenter => ({
  apiVersion,
  kind: 'Datacenter',
  metadata: { name },
  spec: { seed, provider: { bare: {} }, nodes: { networks: ['10.2.0.0/24'], dhcp: { enabled: true } }, ...spec },
});

const bgp = { asn: 64600, peers: [{ address: '10.6.0.1', asn: 64512 }] };
const datacenters: Datacenter[] = [
  datacenter('dc1', 'west', { loadBalancer: { type: 'metallb', mode: 'L2' } }),
  datacenter('dc2', 'east', {
    nodes: { networks: ['10.6.0.0/24'] },
    loadBalancer: { type: 'cilium', mode: 'BGP', bgp },
  }),
  datacenter('dc3', 'east', { nodes: { networks: ['10.7.0.0/24'] }, loadBalancer: { type: 'cloud' } }),
];

const cluster = (name: string, inDatacenter: string): Cluster => ({
  apiVersion,
  kind: 'Cluster',
  metadata: { name },
  spec: { datacenter: inDatacenter, kubernetesVersion: '1.36.3' },
});

const pool = (name: string, spec: AddressPool['spec']): AddressPool => ({
  apiVersion,
  kind: 'AddressPool',
  metadata: { name },
  spec,
});

export const sampleModel: Model = {
  platform,
  seeds,
  datacenters,
  clusters: [cluster('batch', 'dc2'), cluster('shop', 'dc1'), cluster('web', 'dc1')],
  pools: [
    pool('dc1-apps', { datacenter: 'dc1', ranges: ['10.2.0.200-10.2.0.220'] }),
    pool('dc2-apps', { datacenter: 'dc2', ranges: ['10.6.1.0/28'] }),
    pool('east-vips', { seed: 'east', ranges: ['10.3.0.200-10.3.0.210'] }),
    pool('west-vips', {
      seed: 'west',
      ranges: ['198.51.100.16/28', '2001:db8:1:1::/124'],
      exclude: ['198.51.100.16', '198.51.100.20-198.51.100.21'],
    }),
  ],
};
