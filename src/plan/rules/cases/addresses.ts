import { sampleCluster, samplePool } from '../../testing/sample-model.ts';
import { type Draft, soundSeed } from '../../testing/sound-model.ts';
import type { Cases } from './case.ts';

const withPorts = (d: Draft, clusters: number, range: string): void => {
  d.seed.spec.exposeStrategy = 'NodePort';
  d.seed.spec.plannedClusters = clusters;
  d.seed.spec.gateway.nodePortRange = range;
};
const locked = (d: Draft, apiServer: number, konnectivity: number): void => {
  d.cluster.spec.exposeStrategy = 'NodePort';
  d.allocations = { pools: {}, nodePorts: { west: { web: { apiServer, konnectivity } } } };
};
const lockPool = (d: Draft, users: Record<string, string[]>): void => {
  d.allocations = { pools: { 'dc1-vips': users }, nodePorts: {} };
};

export const addressCases = {
  'CW-NODEPORT-CAPACITY': {
    fires: [
      {
        when: 'planned clusters need more ports than the range has',
        change: (d) => withPorts(d, 6, '30000-30009'),
        at: 'Seed/west spec.gateway.nodePortRange',
        says: /10 usable ports for 5 clusters, 6 clusters need 12/,
        fix: /30000-30011/,
      },
      {
        when: 'the load balancer runs out of listeners',
        change: (d) => {
          withPorts(d, 25, '30000-32767');
          d.seed.spec.loadBalancer = { ...soundSeed().spec.loadBalancer, type: 'metallb', maxListeners: 50 };
        },
        at: 'Seed/west spec.loadBalancer.maxListeners',
        says: /50 listeners, the gateway needs 52/,
        fix: /Tunneling/,
      },
    ],
    quiet: [{ when: 'the range is just enough', change: (d) => withPorts(d, 5, '30000-30009') }],
  },
  'CW-NODEPORT-CONFLICT': {
    fires: [
      {
        when: 'a locked port is outside the range',
        change: (d) => locked(d, 29999, 30001),
        at: 'Seed/west spec.gateway.nodePortRange',
        says: /node port 29999, locked for cluster web, is outside/,
      },
      {
        when: 'a locked port is reserved',
        change: (d) => {
          locked(d, 30000, 30001);
          d.seed.spec.gateway.reservedNodePorts = [30001];
        },
        at: 'Seed/west spec.gateway.nodePortRange',
        says: /30001.*reserved/,
      },
      {
        when: 'a port is locked twice',
        change: (d) => locked(d, 30000, 30000),
        at: 'Seed/west spec.gateway.nodePortRange',
        says: /belongs to cluster web already/,
      },
    ],
    quiet: [{ when: 'locked ports are in the range', change: (d) => locked(d, 30000, 32767) }],
  },
  'CW-POOL-CAPACITY': {
    fires: [
      {
        when: 'planned clusters with LoadBalancer need more addresses',
        change: (d) => {
          d.seed.spec.exposeStrategy = 'LoadBalancer';
          d.seed.spec.plannedClusters = 20;
        },
        at: 'AddressPool/west-vips spec.ranges',
        says: /pool has 16 addresses, 21 are needed \(gateway, 1 cluster, 19 more that are planned\)/,
        fix: /add 5 addresses.*a \/27 is enough.*Tunneling/,
      },
      {
        when: 'applications need more addresses than the segment pool has',
        change: (d) => {
          d.datacenterPool.spec.ranges = ['10.2.0.200-10.2.0.202'];
          d.cluster.spec.workloadAddresses = { count: 4 };
        },
        at: 'AddressPool/dc1-vips spec.ranges',
        says: /pool has 3 addresses, 4 are needed/,
        fix: /for example 10\.2\.0\.254/,
      },
    ],
    quiet: [
      {
        when: 'the pool is just large enough',
        change: (d) => {
          d.cluster.spec.workloadAddresses = { count: 20 };
        },
      },
    ],
  },
  'CW-POOL-OVERLAP': {
    fires: [
      {
        when: 'two pools hold the same addresses',
        change: (d) => {
          d.pools.push(samplePool('zz', { seed: 'west', ranges: ['10.50.0.8-10.50.0.40'] }));
        },
        at: 'AddressPool/zz spec.ranges',
        says: /10\.50\.0\.8\/29 belongs to pool west-vips too/,
      },
      {
        when: 'a pool that is announced by BGP lies in a node network',
        change: (d) => {
          d.seedPool.spec.ranges = ['10.1.0.128/28'];
        },
        at: 'AddressPool/west-vips spec.ranges',
        says: /node network of seed west 10\.1\.0\.0\/24/,
      },
    ],
    quiet: [
      {
        when: 'the shared part is excluded from one of them',
        change: (d) => {
          d.pools.push(samplePool('zz', { seed: 'west', ranges: ['10.50.0.8-10.50.0.40'], exclude: ['10.50.0.0/28'] }));
        },
      },
    ],
  },
  'CW-POOL-DHCP': {
    fires: [
      {
        when: 'DHCP hands out addresses of the pool',
        change: (d) => {
          d.datacenter.spec.nodes.dhcp = { enabled: true, ranges: ['10.2.0.10-10.2.0.203'] };
        },
        at: 'AddressPool/dc1-vips spec.ranges',
        says: /10\.2\.0\.200\/30 is handed out by the DHCP range of datacenter dc1/,
      },
    ],
    quiet: [
      {
        when: 'the pool excludes them',
        change: (d) => {
          d.datacenter.spec.nodes.dhcp = { enabled: true, ranges: ['10.2.0.10-10.2.0.203'] };
          d.datacenterPool.spec.exclude = ['10.2.0.200/30'];
        },
      },
    ],
  },
  'CW-POOL-SEGMENT': {
    fires: [
      {
        when: 'a pool is outside the segment',
        change: (d) => {
          d.datacenterPool.spec.ranges = ['10.9.0.0/28'];
        },
        at: 'AddressPool/dc1-vips spec.ranges',
        says: /10\.9\.0\.0\/28 is outside the segment 10\.2\.0\.0\/24/,
      },
      {
        when: 'a pool holds the broadcast address',
        change: (d) => {
          d.datacenterPool.spec.ranges = ['10.2.0.240/28'];
        },
        at: 'AddressPool/dc1-vips spec.ranges',
        says: /10\.2\.0\.255 is the broadcast address/,
        fix: /exclude/,
      },
      {
        when: 'a pool holds the router',
        change: (d) => {
          d.datacenterPool.spec.ranges = ['10.2.0.1-10.2.0.5'];
        },
        at: 'AddressPool/dc1-vips spec.ranges',
        says: /10\.2\.0\.1 is the router/,
      },
    ],
    quiet: [
      {
        when: 'the special addresses are excluded',
        change: (d) => {
          d.datacenterPool.spec.ranges = ['10.2.0.240/28'];
          d.datacenterPool.spec.exclude = ['10.2.0.255'];
        },
      },
    ],
  },
  'CW-POOL-EXCLUDED': {
    fires: [
      {
        when: 'a locked address is excluded',
        change: (d) => {
          d.datacenterPool.spec.exclude = ['10.2.0.205'];
          lockPool(d, { 'cluster/web': ['10.2.0.205'] });
        },
        at: 'AddressPool/dc1-vips spec.ranges',
        says: /10\.2\.0\.205, locked for cluster\/web/,
        fix: /causeway\.lock\.yaml/,
      },
    ],
    quiet: [
      { when: 'the locked address is part of the pool', change: (d) => lockPool(d, { 'cluster/web': ['10.2.0.205'] }) },
    ],
  },
  'CW-VIP-CONFLICT': {
    fires: [
      {
        when: 'two clusters enter one address',
        change: (d) => {
          d.cluster.spec.workloadAddresses = { ips: ['10.8.0.20'] };
          d.clusters.push(sampleCluster('xyz', { workloadAddresses: { ips: ['10.8.0.20'] } }));
        },
        at: 'Cluster/xyz spec.workloadAddresses.ips[0]',
        says: /10\.8\.0\.20 of an application of cluster xyz belongs to an application of cluster web/,
      },
      {
        when: 'an entered address is locked in a pool',
        change: (d) => {
          d.clusters.push(sampleCluster('xyz', { workloadAddresses: { ips: ['10.2.0.205'] } }));
          lockPool(d, { 'cluster/web': ['10.2.0.205'] });
        },
        at: 'Cluster/xyz spec.workloadAddresses.ips[0]',
        says: /belongs to cluster\/web by pool dc1-vips/,
      },
      {
        when: 'ingress and gateway share address and port',
        change: (d) => {
          d.seed.spec.gateway = { address: { ips: ['10.50.1.10'] }, offers: ['single'] };
        },
        at: 'Seed/west spec.gateway.address.ips[0]',
        says: /belongs to the ingress already/,
      },
      {
        when: 'an address is locked for two users',
        change: (d) => lockPool(d, { 'cluster/web': ['10.2.0.205'], 'cluster/xyz': ['10.2.0.205'] }),
        at: 'AddressPool/dc1-vips spec.ranges',
        says: /locked for cluster\/web and for cluster\/xyz/,
      },
    ],
    quiet: [
      {
        when: 'ingress and gateway share an address on different ports',
        change: (d) => {
          d.seed.spec.gateway = { address: { ips: ['10.50.1.10'] }, offers: ['split'] };
        },
      },
    ],
  },
} as const satisfies Record<string, Cases>;
