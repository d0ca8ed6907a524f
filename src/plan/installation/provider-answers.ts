// The answers that each cloud provider's part of the checklist asks for.
import type { Datacenter } from '../../model/schema/index.ts';
import type { Answers } from './answers.ts';

type Provider = Datacenter['spec']['provider'];
type Spec = Datacenter['spec'];

export function providerAnswers(datacenters: readonly Datacenter[]): Answers {
  const each = (answer: (spec: Spec) => string | undefined): (string | undefined)[] =>
    datacenters.map(({ metadata, spec }) => {
      const text = answer(spec);
      return text === undefined ? undefined : `${metadata.name}: ${text}`;
    });
  return { ...locations(each), ...azure(each), ...vsphere(each), ...openstack(each), ...aws(each) };
}

type Each = (answer: (spec: Spec) => string | undefined) => (string | undefined)[];
const words = (...parts: (string | undefined)[]): string => parts.filter((part) => part !== undefined).join(', ');
const from = <Key extends keyof Provider>(
  each: Each,
  key: Key,
  answer: (block: NonNullable<Provider[Key]>) => string,
) =>
  each((spec) => {
    const block = spec.provider[key];
    return block === undefined ? undefined : answer(block as NonNullable<Provider[Key]>);
  });

const dhcpText = ({ nodes: { dhcp } }: Spec): string | undefined =>
  dhcp && (dhcp.enabled ? (dhcp.ranges?.join(' ') ?? 'DHCP is there') : 'no DHCP');
const onVsphere = (answer: (spec: Spec) => string | undefined) => (spec: Spec) =>
  spec.provider.vsphere === undefined ? undefined : answer(spec);

const locations = (each: Each): Answers => ({
  'NET-1': each(dhcpText),
  'EGR-9': each(({ nodes: { operatingSystems } }) =>
    operatingSystems?.includes('flatcar') ? 'Flatcar is updated as a whole; nothing is on the list for it' : undefined,
  ),
  'INT-4': each(({ integration, loadBalancer }) => integration && loadBalancer?.type),
  'INT-1': each(
    ({ integration, nodes }) => integration && `option ${integration}, workers in ${nodes.networks.join(' ')}`,
  ),
});

const azure = (each: Each): Answers => ({
  'AZ-1': from(each, 'azure', (a) => `tenant ${a.tenantID}, subscription ${a.subscriptionID}, client ${a.clientID}`),
  'AZ-2': from(each, 'azure', (a) => [a.location, ...(a.regions ?? [])].join(' ')),
  'AZ-3': from(each, 'azure', (a) => `${a.vnet}/${a.subnet} ${a.subnetCIDR}`),
  'AZ-4': from(each, 'azure', (a) => `route table ${a.routeTable}`),
  'AZ-7': from(each, 'azure', (a) =>
    words(
      `resource group ${a.resourceGroup}`,
      `security group ${a.securityGroup}`,
      `size ${a.vmSize}`,
      a.availabilitySet,
    ),
  ),
});

const vsphere = (each: Each): Answers => ({
  'VS-1': from(each, 'vsphere', (v) => v.endpoint),
  'VS-2': from(each, 'vsphere', (v) =>
    words(`user ${v.user}`, v.datacenter, v.cluster, v.datastore, v.folder, v.network),
  ),
  'VS-9': each(onVsphere(dhcpText)),
  'VS-10': each(onVsphere(dhcpText)),
  'VS-4': each(({ provider, tenants }) => (provider.vsphere ? tenantText(tenants) : undefined)),
});

const openstack = (each: Each): Answers => ({
  'OS-1': from(each, 'openstack', (o) => o.authURL),
  'OS-2': from(each, 'openstack', ({ management: m }) => `${m.projectName} (${m.projectID})`),
  'OS-4': from(each, 'openstack', ({ management: m }) => `${m.region}: ${m.availabilityZones.join(' ')}`),
  'OS-5': from(each, 'openstack', ({ management: m }) => m.domain),
  'OS-6': from(each, 'openstack', ({ management: { network: n } }) => words(n.name, n.cidr, n.dhcpRange, n.subnetID)),
  'OS-7': from(each, 'openstack', ({ management: m }) => m.floatingIPPool),
  'OS-8': from(each, 'openstack', ({ management: m }) => m.dnsServers.join(' ')),
  'OS-9': each(({ provider, tenants }) => (provider.openstack ? tenantText(tenants) : undefined)),
});

const aws = (each: Each): Answers => ({
  'AWS-2': from(each, 'aws', (a) => [a.region, ...(a.regions ?? [])].join(' ')),
  'AWS-4': from(each, 'aws', (a) => words(a.vpcID, a.securityGroupID, ...(a.subnetIDs ?? []))),
  'AWS-5': from(each, 'aws', (a) => a.instanceProfile ?? 'no instance profile'),
});

const tenantText = (tenants: Spec['tenants']): string | undefined =>
  tenants?.map((tenant) => `${tenant.name} ${tenant.networks.join(' ')} ${tenant.user ?? ''}`.trim()).join('; ');
