// OpenStack.
import type { Datacenter } from '../../../model/schema/index.ts';
import * as when from '../conditions.ts';
import { groups } from '../groups.ts';
import { live, row, rowsOf } from '../row.ts';
import * as t from '../targets.ts';
import * as v from '../vantages.ts';

type OpenStack = NonNullable<Datacenter['spec']['provider']['openstack']>;
type Scope = OpenStack['management'];

const managed = (field: string): string => `Datacenter.spec.provider.openstack.management.${field}`;
/** Management and each tenant are asked for the same. */
const scoped = (...fields: readonly string[]): string[] =>
  fields.flatMap((field) => [managed(field), `Datacenter.spec.tenants.openstack.${field}`]);

const perScope = (say: (scope: Scope) => readonly string[]) =>
  t.perDatacenter(({ provider, tenants = [] }) => {
    if (provider.openstack === undefined) return [];
    const scopes = [provider.openstack.management, ...tenants.flatMap((tenant) => tenant.openstack ?? [])];
    return [...new Set(scopes.flatMap(say))];
  });
const common = { when: when.usesProvider('openstack'), vantages: [v.seedsOn('openstack'), v.installer] } as const;

export const openstackRows = rowsOf(groups.openstack, [
  row('OS-1', 'V L/B', 'Keystone answers, and so does every service that it names.', {
    ...common,
    inputs: ['authURL', 'trustBundle', 'serviceEndpoints'].map(
      (field) => `Datacenter.spec.provider.openstack.${field}`,
    ),
    targets: [t.providerApis('openstack')],
  }),
  row('OS-2', 'V L/B', 'Name and id of a project belong together.', {
    ...common,
    inputs: scoped('projectName', 'projectID'),
    targets: [perScope((scope) => [`${scope.projectName} (${scope.projectID})`])],
  }),
  row('OS-3', 'V L/B', 'Credentials work.', {
    ...common,
    inputs: scoped('credentials.userPassword', 'credentials.applicationCredential', 'credentials.rcFile'),
    targets: [perScope((scope) => [scope.projectName])],
  }),
  row('OS-4', 'V L/B', 'Region and availability zones exist.', {
    ...common,
    inputs: scoped('region', 'availabilityZones'),
    targets: [perScope((scope) => [scope.region, ...scope.availabilityZones])],
  }),
  row('OS-5', 'V L/B', 'The domain exists.', {
    ...common,
    inputs: scoped('domain'),
    targets: [perScope((scope) => [scope.domain])],
  }),
  row('OS-6', 'V L/B', 'Each tenant has a network of its own, with DHCP.', {
    ...common,
    inputs: scoped('network.name', 'network.cidr', 'network.dhcpRange', 'network.subnetID'),
    targets: [perScope((scope) => [`${scope.network.name} (${scope.network.cidr})`])],
  }),
  row('OS-7', 'V L/B', 'Floating IPs can be had.', {
    ...common,
    inputs: scoped('floatingIPPool'),
    targets: [perScope((scope) => [scope.floatingIPPool])],
  }),
  row('OS-8', 'V L/B', 'DNS servers answer nodes, by UDP and TCP.', {
    inputs: scoped('dnsServers'),
    vantages: [v.workersOn('openstack')],
    targets: [perScope((scope) => scope.dnsServers.map((server) => `${server}:53`))],
    when: when.usesProvider('openstack'),
  }),
  row('OS-9', 'V P/W', 'Each tenant has credentials of its own.', {
    inputs: scoped('credentials'),
    targets: [perScope((scope) => [scope.projectName])],
    when: when.usesProvider('openstack'),
    promise: { finding: ['CW-TENANT-SHARED'] },
  }),
  row('OS-10', 'V P L/W', 'Datacenter, presets and cloud controller agree with all of that.', {
    ...common,
    inputs: ['Datacenter.spec.provider.openstack.loadBalancerService', live('presets of the platform')],
    targets: [t.datacenters],
    promise: { finding: ['CW-PROVIDER'] },
  }),
]);
