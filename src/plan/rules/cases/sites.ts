import { awsProvider, azureProvider, sampleDatacenter } from '../../testing/sample-model.ts';
import type { Draft } from '../../testing/sound-model.ts';
import type { Cases } from './case.ts';

const onAzure = (d: Draft, more: object = {}): void => {
  const { azure } = azureProvider();
  if (azure !== undefined) d.datacenter.spec.provider = { azure: { ...azure, ...more } };
  d.datacenter.spec.loadBalancer = { type: 'cloud' };
};
type Openstack = NonNullable<Draft['datacenter']['spec']['provider']['openstack']>;
const onOpenstack = (d: Draft, management: Partial<Openstack['management']>, more: Partial<Openstack> = {}): void => {
  d.datacenter.spec.provider = {
    openstack: {
      authURL: 'https://keystone.example.com:5000/v3',
      management: {
        region: 'RegionOne',
        availabilityZones: ['nova'],
        domain: 'Default',
        projectName: 'platform',
        projectID: 'p1',
        credentials: { userPassword: { env: 'OS' } },
        network: { name: 'workers', cidr: '10.2.0.0/24', subnetID: 's1' },
        floatingIPPool: 'ext',
        dnsServers: ['10.0.2.53'],
        ...management,
      },
      ...more,
    },
  };
};

export const siteCases = {
  'CW-TOOL-OUTDATED': {
    fires: [
      {
        when: 'the old module makes the permissions',
        change: (d) => {
          if (d.datacenter.spec.provider.vsphere) d.datacenter.spec.provider.vsphere.permissionsByTerraform = true;
        },
        at: 'Datacenter/dc1 spec.provider.vsphere.permissionsByTerraform',
        says: /outdated/,
      },
    ],
    quiet: [
      {
        when: 'roles are made by hand',
        change: (d) => {
          if (d.datacenter.spec.provider.vsphere) d.datacenter.spec.provider.vsphere.permissionsByTerraform = false;
        },
      },
    ],
  },
  'CW-INTEGRATION': {
    fires: [
      {
        when: 'the seed stands in the network of the workers',
        change: (d) => {
          d.seed.spec.nodes.networks.push('10.2.0.128/25');
        },
        at: 'Datacenter/dc1 spec.integration',
        says: /stands in the same network 10\.2\.0\.0\/24/,
        fix: /II/,
      },
      {
        when: 'traffic that should stay inside goes to a public address',
        change: (d) => {
          d.datacenter.spec.integration = 'II';
          d.seed.spec.gateway.address = { ips: ['203.0.113.5'] };
        },
        at: 'Datacenter/dc1 spec.integration',
        says: /public address 203\.0\.113\.5/,
      },
      {
        when: 'one seed would stand in two places',
        change: (d) => {
          d.datacenter.spec.integration = 'II';
          const nodes = { networks: ['10.7.0.0/24'], dhcp: { enabled: true } };
          d.datacenters.push(sampleDatacenter('dc2', { integration: 'II', nodes, loadBalancer: { type: 'other' } }));
        },
        at: 'Datacenter/dc2 spec.integration',
        says: /cannot stand at dc1 \(vsphere\) and here \(bare\)/,
      },
      {
        when: 'a seed copies the misspelt sample',
        change: (d) => {
          d.seed.spec.dnsName = 'opestack-dc-seed';
        },
        at: 'Seed/west spec.dnsName',
        says: /misspelt/,
        fix: /openstack-dc-seed/,
      },
    ],
    quiet: [
      {
        when: 'the gateway has a private address at the location',
        change: (d) => {
          d.datacenter.spec.integration = 'II';
        },
      },
    ],
  },
  'CW-PROVIDER': {
    fires: [
      {
        when: 'the subnet is not a network of the nodes',
        change: (d) => onAzure(d, { subnetCIDR: '10.40.0.0/24' }),
        at: 'Datacenter/dc1 spec.provider.azure.subnetCIDR',
        says: /10\.40\.0\.0\/24 is not part of nodes\.networks/,
      },
      {
        when: 'machines are to be in a set and in zones',
        change: (d) => onAzure(d, { availabilitySet: 'workers', zones: ['1', '2'] }),
        at: 'Datacenter/dc1 spec.provider.azure.availabilitySet',
        says: /Azure places a machine by one of them/,
      },
      {
        when: 'the location is not routed',
        change: (d) => onAzure(d, { regions: ['northeurope'] }),
        at: 'Datacenter/dc1 spec.provider.azure.regions',
        says: /westeurope/,
      },
      {
        when: 'the region belongs to another partition',
        change: (d) => {
          d.datacenter.spec.provider = awsProvider('cn-north-1');
          d.datacenter.spec.loadBalancer = { type: 'cloud' };
        },
        at: 'Datacenter/dc1 spec.provider.aws.partition',
        says: /aws-cn/,
      },
      {
        when: 'the OpenStack network is another one',
        change: (d) => onOpenstack(d, { network: { name: 'x', cidr: '10.40.0.0/24', subnetID: 's' } }),
        at: 'Datacenter/dc1 spec.provider.openstack.management.network.cidr',
        says: /network x is 10\.40\.0\.0\/24, but the workers are in 10\.2\.0\.0\/24/,
      },
      {
        when: 'the OpenStack network hands out other DNS servers',
        change: (d) => {
          d.datacenter.spec.nodes.dnsServers = ['10.0.2.54'];
          onOpenstack(d, {});
        },
        at: 'Datacenter/dc1 spec.provider.openstack.management.dnsServers',
        says: /10\.0\.2\.53, nodes\.dnsServers are 10\.0\.2\.54/,
      },
      {
        when: 'the cloud has no load balancer service',
        change: (d) => {
          onOpenstack(d, {}, { loadBalancerService: false });
          d.datacenter.spec.loadBalancer = { type: 'cloud' };
        },
        at: 'Datacenter/dc1 spec.loadBalancer.type',
        says: /no load balancer: Services stay pending/,
      },
    ],
    quiet: [
      { when: 'Azure says the same twice', change: (d) => onAzure(d, { regions: ['westeurope'] }) },
      { when: 'OpenStack says the same twice', change: (d) => onOpenstack(d, {}) },
    ],
  },
} as const satisfies Record<string, Cases>;
