// A new location: workers only (I), or a seed of its own (II).
import type { Datacenter } from '../../../model/schema/index.ts';
import { seedDomainOf } from '../../context.ts';
import * as when from '../conditions.ts';
import { groups } from '../groups.ts';
import { live, row, rowsOf } from '../row.ts';
import { type List, once } from '../sources.ts';
import * as v from '../vantages.ts';

const workerNetworks = 'Datacenter.spec.nodes.networks';
const option = 'Datacenter.spec.integration';
const matrix = { plan: ['flows'], artefact: ['firewall'] } as const;

const locations = (choice: 'I' | 'II'): List => {
  const isHere = (dc: Datacenter): boolean => dc.spec.integration === choice;
  return once(({ ctx }) => ctx.model.datacenters.filter(isHere).map((dc) => `Datacenter/${dc.metadata.name}`));
};
const wildcards: List = ({ ctx }) => {
  const here = new Set(ctx.model.datacenters.filter((dc) => dc.spec.integration === 'II').map((dc) => dc.spec.seed));
  return ctx.model.seeds
    .filter((seed) => here.has(seed.metadata.name))
    .map((seed) => `*.${seedDomainOf(seed, ctx.domain)}`);
};

const workersOnly = { when: when.integratesAs('I'), targets: [locations('I')] } as const;
const ownSeed = { when: when.integratesAs('II'), targets: [locations('II')] } as const;

export const integration = rowsOf(groups.integration, [
  row('INT-1', 'P L/B', 'I: workers there reach the endpoints at the existing seed.', {
    ...workersOnly,
    inputs: [option, workerNetworks],
    vantages: [v.workersOf('I')],
    promise: { finding: ['CW-INTEGRATION'], ...matrix },
  }),
  row('INT-2', 'P L/W', 'I: workers open the tunnel; no way back is opened.', {
    ...workersOnly,
    inputs: [],
    vantages: [v.workersOf('I')],
    promise: matrix,
  }),
  row('INT-3', 'V L/B', 'I: existing seeds reach the interface of the cloud there.', {
    ...workersOnly,
    inputs: ['Datacenter.spec.provider'],
    vantages: [v.seedsOf('I')],
  }),
  row('INT-4', 'L/W', 'Applications are exposed where their workers are.', {
    inputs: ['Datacenter.spec.loadBalancer.type', live('kubeconfig of a cluster there')],
    vantages: [v.users],
    targets: [locations('I'), locations('II')],
    when: (s) => when.integratesAs('I')(s) || when.integratesAs('II')(s),
  }),
  row('INT-5', 'P L/B', 'II: master reaches the API of the new seed.', {
    ...ownSeed,
    inputs: ['Seed.spec.api', 'Seed.spec.kubeconfig'],
    vantages: [v.master],
    promise: { finding: ['CW-INTEGRATION'], ...matrix },
  }),
  row('INT-6', 'P L/B', 'II: workers there reach the gateway of the new seed.', {
    ...ownSeed,
    inputs: ['Seed.spec.gateway.address', workerNetworks],
    vantages: [v.workersOf('II')],
    promise: { finding: ['CW-INTEGRATION'], ...matrix },
  }),
  row('INT-7', 'P L/B', 'II: the new seed has a wildcard of its own.', {
    when: when.integratesAs('II'),
    targets: [wildcards],
    inputs: ['Seed.spec.dnsName'],
    vantages: [v.users, v.workersOf('II')],
    promise: { plan: ['dns'], artefact: ['zone'] },
  }),
  row('INT-8', 'P L/W', 'II: traffic between workers and seed stays inside the location.', {
    ...ownSeed,
    inputs: [workerNetworks, 'Seed.spec.nodes.networks', live('routes of the location')],
    vantages: [v.workersOf('II')],
    promise: { finding: ['CW-INTEGRATION'] },
  }),
  row('INT-9', 'P L/B', 'II: users reach the gateway of the new seed.', {
    ...ownSeed,
    inputs: ['Platform.spec.users.networks', 'Seed.spec.gateway.address'],
    vantages: [v.users],
    promise: { finding: ['CW-INTEGRATION'], ...matrix },
  }),
  row('INT-10', 'L/B', 'II: the installer reaches the machines of the new seed by SSH.', {
    ...ownSeed,
    inputs: ['Platform.spec.access.bastion.host', 'Seed.spec.nodes.controlPlane'],
    vantages: [v.installer, v.bastion],
  }),
]);
