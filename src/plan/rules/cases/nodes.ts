import { azureProvider } from '../../testing/sample-model.ts';
import type { Draft } from '../../testing/sound-model.ts';
import type { Cases } from './case.ts';

type Tenants = NonNullable<Draft['datacenter']['spec']['tenants']>;
const tenants = (d: Draft, list: Tenants): void => {
  d.datacenter.spec.tenants = list;
};
const a: Tenants[number] = { name: 'a', networks: ['10.6.0.0/24'], user: 'svc-a' };
const b: Tenants[number] = { name: 'b', networks: ['10.6.1.0/24'], user: 'svc-b' };

const onAzure = (d: Draft, planned: number, surge: number): void => {
  d.datacenter.spec.provider = azureProvider();
  d.datacenter.spec.loadBalancer = { type: 'cloud' };
  d.datacenter.spec.nodes = { networks: ['10.2.0.0/24'], dhcp: { enabled: true }, planned, surge };
};

export const nodeCases = {
  'CW-DHCP-REQUIRED': {
    fires: [
      {
        when: 'the worker network has no DHCP',
        change: (d) => {
          d.datacenter.spec.nodes.dhcp = { enabled: false };
        },
        at: 'Datacenter/dc1 spec.nodes.dhcp.enabled',
        says: /10\.2\.0\.0\/24 has no DHCP/,
      },
    ],
    quiet: [
      {
        when: 'machines are not created but exist',
        change: (d) => {
          d.datacenter.spec.provider = { bare: {} };
          d.datacenter.spec.nodes.dhcp = { enabled: false };
        },
      },
    ],
  },
  'CW-STATIC-RANGE': {
    fires: [
      {
        when: 'there are fewer static addresses than nodes',
        change: (d) => {
          d.seed.spec.nodes.staticRanges = ['10.1.0.10-10.1.0.14'];
        },
        at: 'Seed/west spec.nodes.staticRanges',
        says: /5 static addresses, its nodes need 6/,
        fix: /10\.1\.0\.249-10\.1\.0\.254/,
      },
      {
        when: 'the range is outside the node network',
        change: (d) => {
          d.platform.spec.master.nodes.staticRanges = ['10.77.0.0/28'];
        },
        at: 'Platform/sample spec.master.nodes.staticRanges',
        says: /not inside its node network 10\.0\.0\.0\/24/,
      },
      {
        when: 'DHCP hands out the same addresses',
        change: (d) => {
          d.seed.spec.nodes.staticRanges = ['10.1.0.10-10.1.0.20'];
          d.seed.spec.nodes.dhcp = { enabled: true, ranges: ['10.1.0.20-10.1.0.99'] };
        },
        at: 'Seed/west spec.nodes.staticRanges',
        says: /DHCP range 10\.1\.0\.20-10\.1\.0\.99/,
      },
    ],
    quiet: [
      {
        when: 'exactly enough addresses are there',
        change: (d) => {
          d.seed.spec.nodes.staticRanges = ['10.1.0.10-10.1.0.15'];
        },
      },
    ],
  },
  'CW-AUTOSCALER-STATIC': {
    fires: [
      {
        when: 'the group can outgrow its addresses',
        change: (d) => {
          d.seed.spec.nodes.staticRanges = ['10.1.0.10-10.1.0.15'];
          d.seed.spec.nodes.autoscaling = { max: 9 };
        },
        at: 'Seed/west spec.nodes.autoscaling.max',
        says: /grow to 9 workers .* have 6 addresses/,
        fix: /12 addresses/,
      },
    ],
    quiet: [
      {
        when: 'DHCP serves the nodes',
        change: (d) => {
          d.seed.spec.nodes.dhcp = { enabled: true };
          d.seed.spec.nodes.autoscaling = { max: 9 };
        },
      },
    ],
  },
  'CW-SUBNET-SIZE': {
    fires: [
      {
        when: 'Azure keeps the addresses that are missing',
        change: (d) => onAzure(d, 250, 2),
        at: 'Datacenter/dc1 spec.provider.azure.subnetCIDR',
        says: /251 addresses for machines, 252 nodes/,
        fix: /use a \/23/,
      },
      {
        when: 'DHCP hands out fewer addresses than nodes',
        change: (d) => {
          d.datacenter.spec.nodes.dhcp = { enabled: true, ranges: ['10.2.0.10-10.2.0.19'] };
          d.cluster.spec.nodes = { count: 11 };
        },
        at: 'Datacenter/dc1 spec.nodes.dhcp.ranges',
        says: /has 10 addresses for machines, 11 nodes/,
      },
      {
        when: 'the pod network has no room for the nodes',
        change: (d) => {
          d.cluster.spec.network = { pods: ['10.200.0.0/22'] };
          d.cluster.spec.nodes = { count: 5 };
        },
        at: 'Cluster/web spec.nodes.count',
        says: /room for 4 nodes/,
        fix: /pod network of \/21/,
      },
    ],
    quiet: [{ when: 'planned and surge nodes just fit', change: (d) => onAzure(d, 250, 1) }],
  },
  'CW-TENANT-OVERLAP': {
    fires: [
      {
        when: 'two tenants share addresses',
        change: (d) => tenants(d, [a, { ...b, networks: ['10.6.0.128/25'] }]),
        at: 'Datacenter/dc1 spec.tenants[1].networks[0]',
        says: /10\.6\.0\.128\/25 of tenant b overlaps 10\.6\.0\.0\/24 of tenant a/,
      },
    ],
    quiet: [{ when: 'networks are neighbours', change: (d) => tenants(d, [a, b]) }],
  },
  'CW-TENANT-SHARED': {
    fires: [
      {
        when: 'two tenants share a user',
        change: (d) => tenants(d, [a, { ...b, user: 'svc-a' }]),
        at: 'Datacenter/dc1 spec.tenants[1].user',
        says: /tenant b and tenant a share the user svc-a/,
      },
      {
        when: 'a tenant has no user of its own',
        change: (d) => tenants(d, [{ name: 'a', networks: ['10.6.0.0/24'] }]),
        at: 'Datacenter/dc1 spec.tenants[0].user',
        says: /the management components share the user svc-causeway/,
      },
      {
        when: 'two tenants share a credential',
        change: (d) =>
          tenants(d, [
            { ...a, credentials: { env: 'KEY' } },
            { ...b, credentials: { env: 'KEY' } },
          ]),
        at: 'Datacenter/dc1 spec.tenants[1].credentials',
        says: /share the credential KEY/,
      },
    ],
    quiet: [
      {
        when: 'everybody has a user and a credential',
        change: (d) =>
          tenants(d, [
            { ...a, credentials: { env: 'KEY_A' } },
            { ...b, credentials: { env: 'KEY_B' } },
          ]),
      },
    ],
  },
  'CW-HA': {
    fires: [
      {
        when: 'the number of control-plane nodes is even',
        change: (d) => {
          d.seed.spec.nodes.controlPlane = ['10.1.0.11', '10.1.0.12'];
        },
        at: 'Seed/west spec.nodes.controlPlane',
        says: /2 control-plane nodes/,
        fix: /3 control-plane nodes/,
      },
      {
        when: 'there is no load balancer in front of the API',
        change: (d) => {
          d.platform.spec.master.api.loadBalancer = false;
        },
        at: 'Platform/sample spec.master.api.loadBalancer',
        says: /no load balancer/,
      },
      {
        when: 'the API endpoint is a node',
        change: (d) => {
          d.platform.spec.master.api.host = '10.0.0.11';
        },
        at: 'Platform/sample spec.master.api.host',
        says: /single control-plane node/,
      },
    ],
    quiet: [
      {
        when: 'a managed service looks after its control plane',
        change: (d) => {
          d.seed.spec.nodes.controlPlane = ['10.1.0.11'];
          d.seed.spec.provisioning = { tool: 'managed' };
        },
      },
    ],
  },
  'CW-ZONES': {
    fires: [
      {
        when: 'all nodes stand in one zone',
        change: (d) => {
          d.seed.spec.nodes.zones = ['a'];
        },
        at: 'Seed/west spec.nodes.zones',
        says: /zone a/,
      },
    ],
    quiet: [
      {
        when: 'nobody said anything about zones',
        change: (d) => {
          delete d.seed.spec.nodes.zones;
        },
      },
    ],
  },
} as const satisfies Record<string, Cases>;
