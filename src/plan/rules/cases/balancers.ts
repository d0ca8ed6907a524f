import { awsProvider, sampleCluster } from '../../testing/sample-model.ts';
import type { Draft } from '../../testing/sound-model.ts';
import type { Cases } from './case.ts';

type Balancer = NonNullable<Draft['seed']['spec']['loadBalancer']>;
const seedBalancer = (d: Draft, more: Partial<Balancer>): void => {
  d.seed.spec.loadBalancer = { type: 'metallb', mode: 'BGP', ...d.seed.spec.loadBalancer, ...more };
};

export const balancerCases = {
  'CW-LB-CONFLICT': {
    fires: [
      {
        when: 'a second controller runs in a cloud',
        change: (d) => {
          d.seed.spec.environment = 'cloud';
        },
        at: 'Seed/west spec.loadBalancer.type',
        says: /metallb and the controller of the cloud would both claim/,
        fix: /loadBalancerClass/,
      },
      {
        when: 'a cloud load balancer is expected on premise',
        change: (d) => {
          d.datacenter.spec.loadBalancer = { type: 'cloud' };
        },
        at: 'Datacenter/dc1 spec.loadBalancer.type',
        says: /no cloud controller on premise/,
      },
    ],
    quiet: [
      {
        when: 'a class tells the controllers apart',
        change: (d) => {
          d.seed.spec.environment = 'cloud';
          seedBalancer(d, { loadBalancerClass: 'metallb' });
        },
      },
      {
        when: 'the cloud balances in the cloud',
        change: (d) => {
          d.datacenter.spec.provider = awsProvider('eu-central-1');
          d.datacenter.spec.loadBalancer = { type: 'cloud' };
        },
      },
    ],
  },
  'CW-LB-SHARED-ADDRESS': {
    fires: [
      {
        when: 'the API of the master has the address of the ingress',
        change: (d) => {
          d.platform.spec.master.api.host = '10.50.1.10';
        },
        at: 'Platform/sample spec.master.api.host',
        says: /10\.50\.1\.10 is the address of the API of master and of the ingress/,
      },
      {
        when: 'the API of a seed has the address of a gateway',
        change: (d) => {
          d.seed.spec.gateway.address = { ips: ['10.50.0.3'] };
          d.seed.spec.api.host = '10.50.0.3';
        },
        at: 'Seed/west spec.api.host',
        says: /of the gateway of seed west/,
      },
    ],
    quiet: [
      {
        when: 'everything runs on one machine',
        change: (d) => {
          d.seed.spec.gateway.address = { ips: ['127.0.0.1'] };
          d.seed.spec.api.host = '127.0.0.1';
        },
      },
    ],
  },
  'CW-LB-MODE': {
    fires: [
      {
        when: 'BGP has no peers',
        change: (d) => {
          d.seed.spec.loadBalancer = { type: 'metallb', mode: 'BGP' };
        },
        at: 'Seed/west spec.loadBalancer.bgp',
        says: /no router is listed/,
      },
      {
        when: 'L2 does not say in which of two networks',
        change: (d) => {
          d.datacenter.spec.nodes.networks.push('10.2.1.0/24');
          d.datacenter.spec.loadBalancer = { type: 'metallb', mode: 'L2' };
        },
        at: 'Datacenter/dc1 spec.loadBalancer.segment',
        says: /2 networks/,
      },
      {
        when: 'there is no pool to announce',
        change: (d) => {
          d.pools = [d.seedPool];
        },
        at: 'Datacenter/dc1 spec.loadBalancer.pool',
        says: /no addresses to announce/,
        fix: /AddressPool with datacenter: dc1/,
      },
      {
        when: 'the hub of KubeLB is unknown',
        change: (d) => {
          d.datacenter.spec.loadBalancer = { type: 'kubelb' };
        },
        at: 'Datacenter/dc1 spec.loadBalancer.kubelb',
        says: /hub is unknown/,
      },
      {
        when: 'the pool belongs to somebody else',
        change: (d) => seedBalancer(d, { pool: 'dc1-vips' }),
        at: 'Seed/west spec.loadBalancer.pool',
        says: /belongs to datacenter dc1/,
      },
    ],
    quiet: [
      {
        when: 'every address is entered by hand',
        change: (d) => {
          d.pools = [d.seedPool];
          d.cluster.spec.workloadAddresses = { ips: ['10.2.0.210'] };
        },
      },
      {
        when: 'the only node network is the segment',
        change: (d) => {
          d.datacenter.spec.loadBalancer = { type: 'cilium', mode: 'L2' };
        },
      },
    ],
  },
  'CW-LB-MISSING': {
    fires: [
      {
        when: 'nothing gives a cluster its address',
        change: (d) => {
          d.cluster.spec.exposeStrategy = 'LoadBalancer';
          d.seed.spec.gateway.address = { ips: ['10.50.0.3'] };
          d.pools = [d.datacenterPool];
        },
        at: 'Seed/west spec.loadBalancer',
        says: /1 cluster with LoadBalancer \(web\) get no address/,
      },
    ],
    quiet: [
      {
        when: 'the cluster has an address of its own',
        change: (d) => {
          d.cluster.spec.exposeStrategy = 'LoadBalancer';
          d.cluster.spec.loadBalancerIPs = ['10.50.3.3'];
          d.seed.spec.gateway.address = { ips: ['10.50.0.3'] };
          d.pools = [d.datacenterPool];
        },
      },
    ],
  },
  'CW-BGP-PREFERRED': {
    fires: [
      {
        when: 'L2 is chosen although routers are listed',
        change: (d) => {
          seedBalancer(d, { mode: 'L2' });
          d.seedPool.spec.ranges = ['10.1.0.200/29'];
        },
        at: 'Seed/west spec.loadBalancer.mode',
        says: /1 BGP router is listed \(10\.1\.0\.1\)/,
      },
    ],
    quiet: [
      {
        when: 'the reason is recorded',
        change: (d) => {
          seedBalancer(d, { mode: 'L2' });
          d.seedPool.spec.ranges = ['10.1.0.200/29'];
          d.platform.spec.decisions = [
            { row: 'BGP-1', choice: 'L2', owner: 'network team', reason: 'routers are full' },
          ];
        },
      },
    ],
  },
  'CW-KEEPALIVE': {
    fires: [
      {
        when: 'the balancer forgets connections before the keepalive',
        change: (d) => {
          d.clusters.push(sampleCluster('zoo'));
          d.platform.spec.konnectivity = { keepalive: '1h' };
        },
        at: 'Platform/sample spec.konnectivity.keepalive',
        says: /keepalive is 1h, but the load balancer of the seed forgets idle connections after 5m/,
        fix: /150s or less/,
      },
      {
        when: 'the gateway closes connections of one cluster before the keepalive',
        change: (d) => {
          d.cluster.spec.limits = { idleTimeout: '30s' };
          d.cluster.spec.konnectivity = { keepalive: '45s' };
        },
        at: 'Cluster/web spec.konnectivity.keepalive',
        says: /keepalive is 45s, but the gateway forgets idle connections after 30s/,
        fix: /15s or less/,
      },
    ],
    quiet: [
      {
        when: 'the keepalive comes in time',
        change: (d) => {
          d.platform.spec.konnectivity = { keepalive: '4m30s' };
        },
      },
    ],
  },
} as const satisfies Record<string, Cases>;
