import { awsProvider, azureProvider, sampleDatacenter } from '../../testing/sample-model.ts';
import { type Draft, soundSeed } from '../../testing/sound-model.ts';
import type { Cases } from './case.ts';

type Storage = NonNullable<Draft['seed']['spec']['storage']>;
const fast = (d: Draft, more: Partial<NonNullable<Storage['fast']>>): void => {
  d.seed.spec.storage = { ...d.seed.spec.storage, fast: { class: 'kubermatic-fast', ...more } };
};
const kubelet = (d: Draft, version: string): void => {
  d.cluster.spec.nodes = { kubeletVersion: version };
};
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

export const installationCases = {
  'CW-VERSION-SKEW': {
    fires: [
      {
        when: 'kubelets are too old',
        change: (d) => kubelet(d, '1.32.9'),
        at: 'Cluster/web spec.nodes.kubeletVersion',
        says: /1\.32\.9 are 4 minor versions older than the control plane 1\.36\.3/,
        fix: /1\.33 or newer/,
      },
      {
        when: 'kubelets are newer than the control plane',
        change: (d) => kubelet(d, '1.36.4'),
        at: 'Cluster/web spec.nodes.kubeletVersion',
        says: /newer than the control plane/,
      },
    ],
    quiet: [{ when: 'kubelets are three minors older', change: (d) => kubelet(d, '1.33.0') }],
  },
  'CW-VERSION-UNSUPPORTED': {
    fires: [
      {
        when: 'the version is out of support',
        change: (d) => {
          d.cluster.spec.kubernetesVersion = '1.32.9';
        },
        at: 'Cluster/web spec.kubernetesVersion',
        says: /1\.32\.9 is out of support; known are 1\.33 to 1\.36/,
      },
      {
        when: 'the version is not known yet',
        change: (d) => {
          d.cluster.spec.kubernetesVersion = '1.37.0';
        },
        at: 'Cluster/web spec.kubernetesVersion',
        says: /not known yet/,
      },
    ],
    quiet: [
      {
        when: 'the version is the oldest that is known',
        change: (d) => {
          d.cluster.spec.kubernetesVersion = '1.33.0';
        },
      },
    ],
  },
  'CW-DECISION-OPEN': {
    fires: [
      {
        when: 'nobody said what balances load',
        change: (d) => {
          delete d.datacenter.spec.loadBalancer;
        },
        at: 'Datacenter/dc1 spec.loadBalancer',
        says: /LB-3 is not decided/,
        fix: /set spec\.loadBalancer, or record the decision on LB-3/,
      },
    ],
    quiet: [
      {
        when: 'the decision is recorded',
        change: (d) => {
          delete d.datacenter.spec.loadBalancer;
          d.platform.spec.decisions = [{ row: 'LB-3', choice: 'none', owner: 'team', reason: 'nothing is exposed' }];
        },
      },
    ],
  },
  'CW-EDITION-SEEDS': {
    fires: [
      {
        when: 'the Community edition has two seeds',
        change: (d) => {
          d.platform.spec.edition = 'CE';
          d.seeds.push(soundSeed('zone'));
        },
        at: 'Platform/sample spec.edition',
        says: /2 are written down \(west, zone\)/,
      },
    ],
    quiet: [
      {
        when: 'the Community edition has one',
        change: (d) => {
          d.platform.spec.edition = 'CE';
        },
      },
    ],
  },
  'CW-PULL-SECRET': {
    fires: [
      {
        when: 'the Enterprise edition has no pull secret',
        change: (d) => {
          delete d.platform.spec.pullSecret;
        },
        at: 'Platform/sample spec.pullSecret',
        says: /no pull secret/,
      },
    ],
    quiet: [
      {
        when: 'the Community edition needs none',
        change: (d) => {
          delete d.platform.spec.pullSecret;
          d.platform.spec.edition = 'CE';
        },
      },
    ],
  },
  'CW-CATALOGUE-RELEASE': {
    fires: [
      {
        when: 'another release is installed',
        change: (d) => {
          d.platform.spec.release = '2.28';
        },
        at: 'Platform/sample spec.release',
        says: /2\.28 is older than 2\.31/,
      },
    ],
    quiet: [
      {
        when: 'a patch of the same release is installed',
        change: (d) => {
          d.platform.spec.release = '2.31.4';
        },
      },
    ],
  },
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
  'CW-STORAGE': {
    fires: [
      {
        when: 'the tier is one of spinning disks',
        change: (d) => fast(d, { parameters: { skuName: 'Standard_LRS' } }),
        at: 'Seed/west spec.storage.fast.parameters',
        says: /skuName Standard_LRS/,
        fix: /Premium_LRS/,
      },
      {
        when: 'the class is not SSD-backed',
        change: (d) => fast(d, { ssd: false }),
        at: 'Seed/west spec.storage.fast.ssd',
        says: /not SSD-backed/,
      },
    ],
    quiet: [{ when: 'the tier is SSD', change: (d) => fast(d, { parameters: { skuName: 'StandardSSD_LRS' } }) }],
  },
  'CW-STORAGE-CAPACITY': {
    fires: [
      {
        when: 'etcd and monitoring do not fit',
        change: (d) => {
          fast(d, { capacityGiB: 300 });
          d.seed.spec.plannedClusters = 11;
          d.seed.spec.monitoring = { userClusters: true, activeSeries: 0, logsGiBPerDay: 0, retentionDays: 1 };
        },
        at: 'Seed/west spec.storage.fast.capacityGiB',
        says: /300 GiB are there, 303 GiB are planned \(etcd of 11 clusters 165, monitoring 138\)/,
      },
      {
        when: 'the snapshots do not fit',
        change: (d) => {
          d.seed.spec.plannedClusters = 60;
          d.seed.spec.backup = { minio: { storageClass: 'slow', capacityGiB: 100, credentials: { env: 'MINIO' } } };
        },
        at: 'Seed/west spec.backup.minio.capacityGiB',
        says: /snapshots of 60 clusters/,
      },
    ],
    quiet: [
      {
        when: 'everything just fits',
        change: (d) => {
          fast(d, { capacityGiB: 165 });
          d.seed.spec.plannedClusters = 11;
        },
      },
    ],
  },
  'CW-BACKUP': {
    fires: [
      {
        when: 'backups lie beside what they protect',
        change: (d) => {
          d.seed.spec.backup = {
            minio: { storageClass: 'kubermatic-fast', capacityGiB: 100, credentials: { env: 'MINIO' } },
          };
        },
        at: 'Seed/west spec.backup.minio.storageClass',
        says: /lost together/,
      },
    ],
    quiet: [
      {
        when: 'MinIO has a class of its own',
        change: (d) => {
          d.seed.spec.backup = { minio: { storageClass: 'slow', capacityGiB: 100, credentials: { env: 'MINIO' } } };
        },
      },
    ],
  },
  'CW-MLA-ESTIMATE': {
    fires: [
      {
        when: 'monitoring is not estimated',
        change: (d) => {
          d.seed.spec.monitoring = { userClusters: true, activeSeries: 10 };
        },
        at: 'Seed/west spec.monitoring',
        says: /logsGiBPerDay, retentionDays are not estimated/,
      },
    ],
    quiet: [
      {
        when: 'user clusters are not monitored',
        change: (d) => {
          d.seed.spec.monitoring = {};
        },
      },
    ],
  },
  'CW-AUTH-STATIC': {
    fires: [
      {
        when: 'static users meet a closed door',
        change: (d) => {
          d.platform.spec.authentication = {
            dex: { staticUsers: [{ email: 'a@example.com', hash: { env: 'HASH' } }] },
          };
        },
        at: 'Platform/sample spec.authentication.dex.passwordDB',
        says: /a@example\.com\) cannot log in/,
      },
    ],
    quiet: [
      {
        when: 'the password database is on',
        change: (d) => {
          const staticUsers = [{ email: 'a@example.com', hash: { env: 'HASH' } }];
          d.platform.spec.authentication = { dex: { staticUsers, passwordDB: true } };
        },
      },
    ],
  },
  'CW-OS-RETIRED': {
    fires: [
      {
        when: 'a datacenter still has CentOS 7',
        change: (d) => {
          d.datacenter.spec.nodes.operatingSystems = ['ubuntu', 'centos-7'];
        },
        at: 'Datacenter/dc1 spec.nodes.operatingSystems[1]',
        says: /CentOS 7/,
      },
      {
        when: 'a cluster still has Container Linux',
        change: (d) => {
          d.cluster.spec.nodes = { operatingSystems: ['container-linux'] };
        },
        at: 'Cluster/web spec.nodes.operatingSystems[0]',
        says: /Container Linux/,
        fix: /flatcar/,
      },
    ],
    quiet: [
      {
        when: 'its successor is used',
        change: (d) => {
          d.datacenter.spec.nodes.operatingSystems = ['rocky'];
        },
      },
    ],
  },
} as const satisfies Record<string, Cases>;
