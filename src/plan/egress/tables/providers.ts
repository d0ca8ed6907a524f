// Interfaces of the clouds, and the images that talk to them. Private ones (vCenter, Keystone) are flows, not egress.
import { type Download, type Facts, images } from '../download.ts';

// Regions and partitions of AWS.

export const awsRegionsOf = (facts: Facts): string[] => {
  const aws = facts.provider?.aws;
  return aws === undefined ? [] : [...new Set([aws.region, ...(aws.regions ?? [])])];
};

export const awsDomainOf = (facts: Facts): string =>
  facts.provider?.aws?.partition === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com';

const iamHosts = {
  aws: 'iam.amazonaws.com',
  'aws-cn': 'iam.cn-north-1.amazonaws.com.cn',
  'aws-us-gov': 'iam.us-gov.amazonaws.com',
} as const;

/** IAM is one service for a whole partition. */
const iamHostOf = (facts: Facts): string => iamHosts[facts.provider?.aws?.partition ?? 'aws'];

const on =
  (name: keyof NonNullable<Facts['provider']>) =>
  (facts: Facts): boolean =>
    facts.provider?.[name] !== undefined;
const management = ['seed', 'installer'] as const;

/** Volumes and load balancers are looked after on the workers, too. */
const everywhere = ['seed', 'workers', 'installer'] as const;

const aws = (host: Download['host'], requirement: string, reason: string, at: Download['at']): Download => ({
  host,
  component: 'AWS API',
  reason,
  requirement,
  at,
  when: on('aws'),
  perDatacenter: true,
  service: true,
});

const regional =
  (service: string) =>
  (facts: Facts): string[] =>
    awsRegionsOf(facts).map((region) => `${service}.${region}.${awsDomainOf(facts)}`);

const publicAzure = ['management.azure.com', 'management.core.windows.net', 'login.microsoftonline.com'] as const;
const azureHosts = (facts: Facts): readonly string[] => facts.provider?.azure?.apiHosts ?? publicAzure;

const capi = (component: string, host: Download['host'], name: 'aws' | 'azure'): Download => ({
  host,
  component,
  reason: 'The Cluster API provider creates machines and networks.',
  requirement: 'PRX-1',
  at: ['master'],
  when: (facts) => on(name)(facts) && hasManagementComponent('cluster-api')(facts),
  perDatacenter: true,
  service: true,
});

/** All components are assumed until the platform lists those it has. */
export const hasManagementComponent =
  (name: NonNullable<Facts['platform']['managementComponents']>[number]) =>
  (facts: Facts): boolean =>
    facts.platform.managementComponents?.includes(name) ?? true;

export const providerApis: readonly Download[] = [
  aws(iamHostOf, 'AWS-1', 'Instance profiles of the machines.', management),
  aws(regional('s3'), 'AWS-2', 'Buckets in the regions in use.', management),
  aws(regional('ec2'), 'AWS-3', 'Machines, security groups and volumes.', everywhere),
  aws(regional('elasticloadbalancing'), 'AWS-5', 'Load balancers of Services.', everywhere),
  aws(regional('sts'), 'AWS-5', 'Tokens for the other interfaces.', everywhere),
  {
    host: azureHosts,
    component: 'Azure API',
    reason: 'Machines, volumes and load balancers, and the sign-in for them.',
    requirement: 'AZ-6',
    at: everywhere,
    when: on('azure'),
    perDatacenter: true,
    service: true,
  },
  capi('CAPA (Cluster API for AWS)', (facts) => [iamHostOf(facts), ...regional('ec2')(facts)], 'aws'),
  capi('CAPZ (Cluster API for Azure)', azureHosts, 'azure'),
];

const csi = ['csi-attacher', 'csi-node-driver-registrar', 'csi-provisioner', 'csi-resizer', 'csi-snapshotter'];

export const providerImages: readonly Download[] = [
  images(
    'registry.k8s.io',
    [...csi, 'livenessprobe', 'snapshot-controller'].map((name) => `sig-storage/${name}`),
    {
      component: 'CSI',
      reason: 'Volumes: the parts that all drivers share.',
      requirement: 'EGR-4',
      at: ['workers'],
      when: (facts) => facts.provider?.bare === undefined,
    },
  ),
  images('public.ecr.aws', ['ebs-csi-driver/aws-ebs-csi-driver', 'eks-distro/kubernetes-csi/external-attacher'], {
    component: 'AWS components',
    reason: 'Volumes of AWS.',
    requirement: 'PRX-1',
    at: ['workers'],
    when: on('aws'),
  }),
  images('registry.k8s.io', ['provider-aws/cloud-controller-manager'], {
    component: 'AWS components',
    reason: 'Cloud controller manager of AWS, beside each control plane.',
    requirement: 'EGR-4',
    at: ['seed'],
    when: on('aws'),
    perDatacenter: true,
  }),
  images(
    'mcr.microsoft.com',
    ['oss/kubernetes/azure-cloud-controller-manager', 'oss/kubernetes/azure-cloud-node-manager'],
    {
      component: 'Azure components',
      reason: 'Cloud controller of Azure, beside each control plane and on the workers.',
      requirement: 'PRX-1',
      at: ['workers', 'seed'],
      when: on('azure'),
      perDatacenter: true,
    },
  ),
  images('registry.k8s.io', ['provider-os/openstack-cloud-controller-manager', 'provider-os/cinder-csi-plugin'], {
    component: 'OpenStack components',
    reason: 'Cloud controller and volumes of OpenStack.',
    requirement: 'EGR-4',
    at: ['workers', 'seed'],
    when: on('openstack'),
    perDatacenter: true,
  }),
  images('registry.k8s.io', ['cloud-pv-vsphere/cloud-provider-vsphere', 'csi-vsphere/driver', 'csi-vsphere/syncer'], {
    component: 'vSphere components',
    reason: 'Cloud controller and volumes of vSphere.',
    requirement: 'EGR-4',
    at: ['workers', 'seed'],
    when: on('vsphere'),
    perDatacenter: true,
  }),
  images('projects.registry.vmware.com', ['vmware-cloud-director/cloud-director-named-disk-csi-driver'], {
    component: 'vSphere components',
    reason: 'Volumes, where vSphere is rented through VMware Cloud Director.',
    requirement: 'PRX-1',
    at: ['workers'],
    when: on('vsphere'),
  }),
];
