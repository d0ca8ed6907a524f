// vSphere.
import * as when from '../conditions.ts';
import { groups } from '../groups.ts';
import { type RowBody, row, rowsOf } from '../row.ts';
import * as t from '../targets.ts';
import * as v from '../vantages.ts';

const vsphere = (field: string): string => `Datacenter.spec.provider.vsphere.${field}`;
const tenants = t.perDatacenter(({ provider, tenants = [] }, name) =>
  provider.vsphere === undefined ? [] : [`${name}: management`, ...tenants.map((tenant) => `${name}: ${tenant.name}`)],
);
const common = { when: when.usesProvider('vsphere') } as const;
const count = { finding: ['CW-POOL-CAPACITY'], plan: ['addresses'], artefact: ['address-plan'] } as const;

const accessRows: readonly RowBody[] = [
  row('VS-1', 'V L/B', 'vCenter answers with a certificate that is trusted.', {
    ...common,
    inputs: ['endpoint', 'trustBundle'].map(vsphere),
    vantages: [v.seedsOn('vsphere'), v.installer],
    targets: [t.providerApis('vsphere')],
  }),
  row('VS-2', 'V L/B', 'The technical user has the documented permissions.', {
    ...common,
    inputs: ['user', 'credentials', 'ccmCredentials', 'datacenter', 'cluster', 'datastore', 'folder', 'network'].map(
      vsphere,
    ),
    vantages: [v.seedsOn('vsphere'), v.installer],
    targets: [t.perDatacenter(({ provider }) => [provider.vsphere?.user])],
  }),
  row('VS-3', 'D/I', 'The terraform module for permissions is outdated.', {
    inputs: [vsphere('permissionsByTerraform')],
    targets: [t.datacenters],
    when: when.someDatacenter((spec) => spec.provider.vsphere?.permissionsByTerraform === true),
    promise: { finding: ['CW-TOOL-OUTDATED'] },
  }),
  row('VS-4', 'V P/B', 'Management and each tenant have a network and a user of their own.', {
    ...common,
    inputs: ['name', 'networks', 'user', 'credentials'].map((field) => `Datacenter.spec.tenants.${field}`),
    targets: [tenants],
    promise: { finding: ['CW-TENANT-OVERLAP', 'CW-TENANT-SHARED'] },
  }),
];

const addressRows: readonly RowBody[] = [
  row('VS-5', 'V P L/B', 'Virtual IPs are routed to the location and used by no machine.', {
    ...common,
    inputs: ['AddressPool.spec.ranges', 'Datacenter.spec.nodes.dhcp.ranges', 'Datacenter.spec.nodes.networks'],
    vantages: [v.users, v.workersOn('vsphere')],
    targets: [t.pools],
    promise: { finding: ['CW-POOL-OVERLAP', 'CW-POOL-DHCP'], artefact: ['address-plan'] },
  }),
  row('VS-6', 'P/B', 'There are virtual IPs for ingress, gateway, and clusters with their own.', {
    ...common,
    inputs: ['Seed.spec.exposeStrategy', 'Seed.spec.plannedClusters', 'AddressPool.spec.ranges'],
    targets: [t.pools],
    promise: count,
  }),
  row('VS-7', 'P/W', 'There is at least one virtual IP for the applications of each cluster.', {
    ...common,
    inputs: ['Cluster.spec.workloadAddresses.count', 'AddressPool.spec.datacenter', 'AddressPool.spec.allocation'],
    targets: [t.pools],
    promise: count,
  }),
  row('VS-8', 'P L/B', 'Addresses entered by hand belong to nobody else.', {
    ...common,
    inputs: ['Cluster.spec.workloadAddresses.ips', 'AddressPool.spec.datacenter'],
    vantages: [v.workersOn('vsphere')],
    targets: [t.pools],
    promise: { finding: ['CW-VIP-CONFLICT'], plan: ['addresses'] },
  }),
  row('VS-9', 'P/B', 'Without DHCP the management nodes have static ranges; user clusters need DHCP.', {
    ...common,
    inputs: ['Seed.spec.nodes.staticRanges', 'Seed.spec.nodes.dhcp.enabled', 'Datacenter.spec.nodes.dhcp.enabled'],
    targets: [t.seeds, t.datacenters],
    promise: { finding: ['CW-DHCP-REQUIRED', 'CW-STATIC-RANGE'] },
  }),
  row('VS-10', 'P/W', 'A node group that grows by itself has DHCP.', {
    ...common,
    inputs: ['Seed.spec.nodes.autoscaling.max', 'Seed.spec.nodes.staticRanges'],
    targets: [t.seeds],
    promise: { finding: ['CW-AUTOSCALER-STATIC'] },
  }),
];

export const vsphereRows = rowsOf(groups.vsphere, [...accessRows, ...addressRows]);
