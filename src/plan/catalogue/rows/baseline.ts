// Documentation and the infrastructure that everything stands on.
import { groups } from '../groups.ts';
import { live, type Row, row, rowsOf } from '../row.ts';
import * as t from '../targets.ts';
import * as v from '../vantages.ts';

const kubeconfigs = ['Platform.spec.master.kubeconfig', 'Seed.spec.kubeconfig'];

const documentation = rowsOf(groups.documentation, [
  row('DOC-1', 'D/W', 'The catalogue fits the release that is installed.', {
    inputs: ['Platform.spec.release', live('release that the catalogue was written for')],
    targets: [t.platform],
    promise: { finding: ['CW-CATALOGUE-RELEASE'] },
  }),
  row('DOC-2', 'D/I', 'Every deviation is a decision with an owner, and every waiver ends.', {
    inputs: ['Platform.spec.decisions', 'Platform.spec.waivers'],
    targets: [t.platform],
    promise: { finding: ['CW-DECISION-OPEN'], artefact: ['checklist'] },
  }),
]);

const infrastructure = rowsOf(groups.infrastructure, [
  row('INF-1', 'L/B', 'Management clusters have at least six machines of two CPUs and 4 GB.', {
    inputs: [...kubeconfigs, 'Platform.spec.master.nodes', 'Seed.spec.nodes'],
    vantages: [v.installer],
    targets: [t.masterApi, t.seedApis],
  }),
  row('INF-2', 'L/B', 'Worker machines are large enough, without swap, and no clones of each other.', {
    inputs: ['Platform.spec.access.installer.host', 'Datacenter.spec.provider.vsphere.template'],
    vantages: [v.installer],
    targets: [t.datacenters],
  }),
  row('INF-3', 'P L/W', 'Several availability zones exist and reach each other.', {
    inputs: [
      'Platform.spec.master.nodes.zones',
      'Seed.spec.nodes.zones',
      'Datacenter.spec.nodes.zones',
      live('zone labels of the nodes'),
    ],
    vantages: [v.master, v.seeds],
    targets: [t.seeds, t.datacenters],
    promise: { finding: ['CW-ZONES'] },
  }),
  row('INF-4', 'L/B', 'Pods reach pods without address translation.', {
    inputs: kubeconfigs,
    vantages: [v.master, v.seeds, v.workers],
    targets: [t.masterApi, t.seedApis],
  }),
  row('INF-5', 'P L/B', 'Control planes of the management clusters survive the loss of a member.', {
    inputs: [
      'Platform.spec.master.api',
      'Platform.spec.master.nodes.controlPlane',
      'Seed.spec.api',
      'Seed.spec.nodes.controlPlane',
    ],
    vantages: [v.installer],
    targets: [t.masterApi, t.seedApis],
    promise: { finding: ['CW-HA'] },
  }),
  row('INF-6', 'L/B', 'Storage with a StorageClass exists.', {
    inputs: ['Seed.spec.kubeconfig'],
    vantages: [v.seeds],
    targets: [t.seeds],
  }),
  row('INF-7', 'D L/W', 'Reliability and backup of storage match what is expected.', {
    inputs: ['Seed.spec.storage.expectation', live('reclaim policy and snapshot classes')],
    vantages: [v.seeds],
    targets: [t.seeds],
  }),
  row('INF-8', 'L/B', 'Services of type LoadBalancer get an address in every environment.', {
    inputs: [...kubeconfigs, 'Seed.spec.loadBalancer.type', 'Datacenter.spec.loadBalancer.type'],
    vantages: [v.users],
    targets: [t.seeds, t.datacenters],
  }),
  row('INF-9', 'L/B', 'The DNS zone can be changed.', {
    inputs: [
      'Platform.spec.domain',
      ...['provider', 'update', 'tsigKeyName', 'tsigAlgorithm'].map((field) => `Platform.spec.dns.${field}`),
    ],
    vantages: [v.installer, v.authoritative],
    targets: [t.platformName()],
  }),
]);

export const baseline: readonly Row[] = [...documentation, ...infrastructure];
