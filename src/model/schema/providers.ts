// What the setup checklist asks for per cloud provider.
import { z } from 'zod';
import { forAdmins } from './access.ts';
import { bundleRef, oneOf, secretRef } from './blocks.ts';
import * as s from './scalars.ts';

const azure = z.strictObject({
  tenantID: s.text.describe('Azure tenant.'),
  subscriptionID: s.text.describe('Subscription.'),
  clientID: s.text.describe('Client id of the service principal.'),
  clientSecret: secretRef.describe('Client secret of the service principal.'),
  location: s.text.describe('Region, as in westeurope.'),
  regions: z.array(s.text).optional().describe('All regions that are routed to the platform.'),
  resourceGroup: s.text.describe('Resource group of the machines.'),
  vnetResourceGroup: s.text.optional().describe('Resource group of the VNet, if another one.'),
  vnet: s.text.describe('Virtual network.'),
  subnet: s.text.describe('Subnet of the machines.'),
  subnetCIDR: s.cidr.describe('Network of that subnet; Azure keeps five addresses.'),
  routeTable: s.text.describe('Route table of the subnet.'),
  securityGroup: s.text.describe('Network security group.'),
  vmSize: s.text.describe('Machine size.'),
  availabilitySet: s.text.optional().describe('Availability set.'),
  zones: z.array(s.text).optional().describe('Availability zones.'),
  apiHosts: z.array(s.host).optional().describe('API hosts, where they are not those of the public cloud.'),
});

const vsphere = z.strictObject({
  endpoint: s.webUrl.describe('vCenter API.'),
  trustBundle: bundleRef.optional().describe('CA of vCenter.'),
  datacenter: s.text.describe('vSphere datacenter.'),
  cluster: s.text.describe('vSphere compute cluster.'),
  datastore: s.text.describe('Datastore or datastore cluster.'),
  folder: s.text.optional().describe('Folder for machines and templates.'),
  network: s.text.optional().describe('Port group of the management machines.'),
  resourcePool: s.text.optional().describe('Resource pool.'),
  template: s.text.optional().describe('Machine template.'),
  user: s.text.describe('Technical user of the management components.'),
  credentials: secretRef.describe('Its credentials for infrastructure.'),
  ccmCredentials: secretRef.optional().describe('Credentials of CCM and CSI, if another user.'),
  permissionsByTerraform: z.boolean().optional().describe('Permissions come from the (outdated) terraform module.'),
});

const openstackNetwork = z.strictObject({
  name: s.text.describe('Network name.'),
  cidr: s.cidr.describe('Its CIDR.'),
  dhcpRange: s.addressRange.optional().describe('DHCP allocation range.'),
  subnetID: s.text.describe('Subnet id.'),
});

const openstackCredentials = oneOf(
  {
    userPassword: secretRef.optional().describe('User and password.'),
    applicationCredential: secretRef.optional().describe('Application credential id and secret.'),
    rcFile: s.text.optional().describe('RC file, parsed, never executed.'),
  },
  ['userPassword', 'applicationCredential', 'rcFile'],
  'OpenStack access',
);

export const openstackScope = z.strictObject({
  region: s.text.describe('Region.'),
  availabilityZones: z.array(s.text).min(1).describe('Availability zones.'),
  domain: s.text.describe('Domain.'),
  projectName: s.text.describe('Project name.'),
  projectID: s.text.describe('Project id.'),
  credentials: openstackCredentials.describe('Access to the project.'),
  network: openstackNetwork.describe('Separate network.'),
  floatingIPPool: s.text.describe('External network that floating IPs come from.'),
  dnsServers: z.array(s.address).min(1).describe('DNS servers of the network.'),
});

const openstack = z.strictObject({
  authURL: s.webUrl.describe('Keystone.'),
  trustBundle: bundleRef.optional().describe('CA of the API endpoints.'),
  serviceEndpoints: z
    .array(s.endpoint)
    .optional()
    .describe('Endpoints of the service catalogue (compute, network, volume, image, load balancer).'),
  management: openstackScope.describe('Project of the management components.'),
  loadBalancerService: z.boolean().optional().describe('The catalogue has Octavia.'),
});

const aws = z.strictObject({
  region: s.text.describe('Region, as in eu-central-1.'),
  regions: z.array(s.text).optional().describe('Further regions in use.'),
  partition: forAdmins(z.enum(['aws', 'aws-cn', 'aws-us-gov']))
    .optional()
    .describe('Partition; it decides the API domain.'),
  credentials: secretRef.describe('Access key; needs EC2, security groups and instance profiles.'),
  vpcID: s.text.describe('VPC; DNS host names must be enabled.'),
  subnetIDs: z.array(s.text).optional().describe('Subnets.'),
  instanceProfile: s.text.optional().describe('Instance profile of the nodes.'),
  securityGroupID: s.text.optional().describe('Security group of the nodes.'),
});

const bare = z.strictObject({
  apiEndpoints: z.array(s.endpoint).optional().describe('Management endpoints, where machines are made by an API.'),
});

export const providerNames = ['azure', 'vsphere', 'openstack', 'aws', 'bare'] as const;
export type ProviderName = (typeof providerNames)[number];

export const provider = oneOf(
  {
    azure: azure.optional().describe('Azure.'),
    vsphere: vsphere.optional().describe('vSphere.'),
    openstack: openstack.optional().describe('OpenStack.'),
    aws: aws.optional().describe('AWS.'),
    bare: bare.optional().describe('Machines that exist already, or come from something else.'),
  },
  providerNames,
  'the provider',
);

export const tenant = z.strictObject({
  name: s.name.describe('Tenant.'),
  networks: z.array(s.cidr).min(1).describe('Networks of this tenant alone.'),
  user: s.text.optional().describe('Technical user of this tenant alone.'),
  credentials: secretRef.optional().describe('Credentials of this tenant alone.'),
  openstack: openstackScope.optional().describe('OpenStack project of the tenant.'),
});
