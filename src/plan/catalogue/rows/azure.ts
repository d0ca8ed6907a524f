// Azure.
import * as when from '../conditions.ts';
import { groups } from '../groups.ts';
import { live, row, rowsOf } from '../row.ts';
import * as t from '../targets.ts';
import * as v from '../vantages.ts';

const azure = (field: string): string => `Datacenter.spec.provider.azure.${field}`;
const machine = [
  'tenantID',
  'clientID',
  'subscriptionID',
  'location',
  'resourceGroup',
  'vnetResourceGroup',
  'vnet',
  'subnet',
  'routeTable',
  'securityGroup',
  'vmSize',
  'availabilitySet',
];
const names = (say: (spec: NonNullable<Provider>) => readonly string[]) =>
  t.perDatacenter(({ provider }) => (provider.azure === undefined ? [] : say(provider.azure)));
type Provider = Parameters<Parameters<typeof t.perDatacenter>[0]>[0]['provider']['azure'];

const common = { when: when.usesProvider('azure') } as const;
const subnet = names((spec) => [`${spec.vnet}/${spec.subnet}`]);

export const azureRows = rowsOf(groups.azure, [
  row('AZ-1', 'V L/B', 'The service principal has the documented role.', {
    ...common,
    inputs: ['tenantID', 'subscriptionID', 'clientID', 'clientSecret'].map(azure),
    vantages: [v.seedsOn('azure'), v.installer],
    targets: [names((spec) => [`subscription ${spec.subscriptionID}`])],
  }),
  row('AZ-2', 'V P L/B', 'Regions in use are routed and offer the machines.', {
    ...common,
    inputs: ['location', 'regions', 'zones', 'vmSize'].map(azure),
    vantages: [v.seedsOn('azure')],
    targets: [names((spec) => [spec.location, ...(spec.regions ?? [])])],
    promise: { finding: ['CW-PROVIDER'] },
  }),
  row('AZ-3', 'V P/B', 'The subnet is large enough; Azure keeps five addresses.', {
    ...common,
    inputs: [azure('subnetCIDR'), 'Datacenter.spec.nodes.planned', 'Datacenter.spec.nodes.surge'],
    targets: [subnet],
    promise: { finding: ['CW-SUBNET-SIZE'] },
  }),
  row('AZ-4', 'V L/B', 'The subnet is routed as expected.', {
    ...common,
    inputs: [azure('routeTable')],
    vantages: [v.workersOn('azure')],
    targets: [names((spec) => [spec.routeTable])],
  }),
  row('AZ-5', 'V L/B', 'Volumes and load balancers can be made on demand.', {
    ...common,
    inputs: [live('kubeconfig of a cluster there')],
    vantages: [v.workersOn('azure')],
    targets: [names((spec) => [spec.resourceGroup])],
  }),
  row('AZ-6', 'V L/B', 'Seeds and workers reach the interface of Azure.', {
    ...common,
    inputs: [azure('apiHosts')],
    vantages: [v.seedsOn('azure'), v.workersOn('azure')],
    targets: [t.providerApis('azure')],
  }),
  row('AZ-7', 'V P L/B', 'All parameters of the machines are there and name things that exist.', {
    ...common,
    inputs: machine.map(azure),
    vantages: [v.installer],
    targets: [subnet, names((spec) => [spec.routeTable, spec.securityGroup])],
    promise: { finding: ['CW-PROVIDER'], artefact: ['checklist'] },
  }),
]);
