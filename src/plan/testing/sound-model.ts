// A complete platform on premise with nothing to complain about. Rules are tested by breaking one thing of it.
import { type Allocations, noAllocations } from '../../model/index.ts';
import type { AddressPool, Cluster, Datacenter, Model, Platform, Seed } from '../../model/schema/index.ts';
import {
  sampleCluster,
  sampleDatacenter,
  samplePlatform,
  samplePool,
  sampleSeed,
  vsphereProvider,
} from './sample-model.ts';

/** The model while it is being changed, with the first of each kind by name. */
export interface Draft {
  platform: Platform;
  seeds: Seed[];
  datacenters: Datacenter[];
  clusters: Cluster[];
  pools: AddressPool[];
  allocations: Allocations;
  seed: Seed;
  datacenter: Datacenter;
  cluster: Cluster;
  seedPool: AddressPool;
  datacenterPool: AddressPool;
}
export type Change = (draft: Draft) => void;

export const soundPlatform = (): Platform =>
  samplePlatform({
    release: '2.31',
    edition: 'EE',
    pullSecret: { env: 'PULL_SECRET' },
    exposeStrategy: 'Tunneling',
    egress: { mode: 'direct' },
    corporateNetworks: ['192.168.0.0/16'],
    master: {
      nodes: {
        networks: ['10.0.0.0/24'],
        controlPlane: ['10.0.0.11', '10.0.0.12', '10.0.0.13'],
        zones: ['a', 'b', 'c'],
      },
      api: { host: '10.0.1.5' },
    },
    ingress: { address: { ips: ['10.50.1.10'] } },
    dns: { servers: ['10.0.2.53'], provider: 'rfc2136' },
    certificates: {
      ca: { bundle: { file: 'ca.pem' }, key: { env: 'CA_KEY' } },
      trustBundle: { file: 'trust.pem' },
    },
    authentication: { dex: { connectors: [{ type: 'ldap', name: 'Directory', endpoint: 'ldap.example.com:636' }] } },
    configRepository: { url: 'https://git.example.com/platform.git', keyStore: { gitCrypt: true } },
    access: { installer: { host: 'installer.example.com' } },
  });

export const soundSeed = (name = 'west'): Seed =>
  sampleSeed(name, {
    environment: 'on-premise',
    nodes: {
      networks: ['10.1.0.0/24'],
      controlPlane: ['10.1.0.11', '10.1.0.12', '10.1.0.13'],
      workers: 3,
      zones: ['a', 'b', 'c'],
    },
    gateway: { address: { pool: `${name}-vips` } },
    loadBalancer: {
      type: 'metallb',
      mode: 'BGP',
      bgp: { asn: 64512, peers: [{ address: '10.1.0.1', asn: 64513 }] },
      idleTimeout: '5m',
    },
    storage: { fast: { class: 'kubermatic-fast', ssd: true, capacityGiB: 1000 } },
    backup: { s3: { endpoint: 'https://s3.example.com', bucket: 'etcd', credentials: { env: 'S3' } } },
    monitoring: { userClusters: false },
  });

export const soundDatacenter = (name = 'dc1'): Datacenter =>
  sampleDatacenter(name, {
    provider: vsphereProvider(),
    nodes: {
      networks: ['10.2.0.0/24'],
      dhcp: { enabled: true, ranges: ['10.2.0.10-10.2.0.150'] },
      operatingSystems: ['ubuntu'],
    },
    integration: 'I',
    loadBalancer: { type: 'metallb', mode: 'L2', segment: '10.2.0.0/24', segmentGateway: '10.2.0.1' },
  });

export function soundDraft(): Draft {
  const [platform, seed, datacenter, cluster] = [soundPlatform(), soundSeed(), soundDatacenter(), sampleCluster()];
  const seedPool = samplePool('west-vips', { seed: 'west', ranges: ['10.50.0.0/28'] });
  const datacenterPool = samplePool('dc1-vips', { datacenter: 'dc1', ranges: ['10.2.0.200-10.2.0.219'] });
  return {
    platform,
    seeds: [seed],
    datacenters: [datacenter],
    clusters: [cluster],
    pools: [datacenterPool, seedPool],
    allocations: noAllocations,
    seed,
    datacenter,
    cluster,
    seedPool,
    datacenterPool,
  };
}

export function soundModel(change: Change = () => {}): { readonly model: Model; readonly allocations: Allocations } {
  const draft = soundDraft();
  change(draft);
  const { platform, seeds, datacenters, clusters, pools, allocations } = draft;
  return { model: { platform, seeds, datacenters, clusters, pools }, allocations };
}
