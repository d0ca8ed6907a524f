// Installer, configuration repository, access and helper tools.
import * as when from '../conditions.ts';
import { groups } from '../groups.ts';
import { live, type Row, row, rowsOf } from '../row.ts';
import * as t from '../targets.ts';
import * as v from '../vantages.ts';

const anyProvider = t.providerApis();
const ssh = ['host', 'port', 'user', 'key', 'hostKey'].map((field) => `Platform.spec.access.installer.${field}`);

const repository = rowsOf(groups.configuration, [
  row('CFG-1', 'L/W', 'The configuration is in a git repository that both parties can use.', {
    inputs: ['url', 'engineers', 'customer'].map((field) => `Platform.spec.configRepository.${field}`),
    vantages: [v.installer, v.master],
    targets: [({ ctx }) => [ctx.model.platform.spec.configRepository?.url].filter((url) => url !== undefined)],
  }),
  row('CFG-2', 'L/W', 'Secrets are in a key store.', {
    inputs: [
      'Platform.spec.configRepository.keyStore.vault.address',
      'Platform.spec.configRepository.keyStore.vault.role',
      'Platform.spec.configRepository.keyStore.other',
    ],
    vantages: [v.installer],
    targets: [
      ({ ctx }) =>
        [ctx.model.platform.spec.configRepository?.keyStore?.vault?.address].filter((url) => url !== undefined),
    ],
    when: when.platformHas((spec) => spec.configRepository?.keyStore?.gitCrypt !== true),
  }),
  row('CFG-3', 'L/B', 'Secrets in git are encrypted, in all of its history.', {
    inputs: ['Platform.spec.configRepository.keyStore.gitCrypt', live('clone of the repository')],
    vantages: [v.installer],
    targets: [({ ctx }) => [ctx.model.platform.spec.configRepository?.url].filter((url) => url !== undefined)],
    when: when.platformHas((spec) => spec.configRepository?.keyStore?.gitCrypt === true),
  }),
]);

const access = rowsOf(groups.access, [
  row('ACC-1', 'L/B', 'The host that installation runs on is reachable by SSH.', {
    inputs: ssh,
    vantages: [v.installer],
    targets: [({ ctx }) => [ctx.model.platform.spec.access?.installer?.host].filter((host) => host !== undefined)],
  }),
  row('ACC-2', 'P L/B', 'Nodes are reached directly or through the bastion.', {
    inputs: ['Platform.spec.access.bastion', 'Seed.spec.nodes.controlPlane', 'Seed.spec.nodes.sshUser'],
    vantages: [v.bastion, v.installer],
    targets: [t.managementNodes],
    promise: { plan: ['flows'], artefact: ['firewall'] },
  }),
  row('ACC-3', 'V L/B', 'The installer reaches the interfaces of the clouds.', {
    inputs: ['Datacenter.spec.provider'],
    vantages: [v.installer],
    targets: [anyProvider],
    when: (s) => anyProvider(s).length > 0,
  }),
  row('ACC-4', 'L/W', 'The installer reaches ingress, gateways and API servers.', {
    inputs: [live('addresses in the plan')],
    vantages: [v.installer],
    targets: [t.dashboard, t.gateways, t.seedApis],
  }),
  row('ACC-5', 'L/W', 'The installer reaches the networks of the nodes.', {
    inputs: ['Platform.spec.master.nodes.networks', 'Seed.spec.nodes.networks', 'Datacenter.spec.nodes.networks'],
    vantages: [v.installer],
    targets: [t.nodeNetworks],
  }),
  row('ACC-6', 'D L/W', 'Somebody can change DNS and firewall, and the rules in force are known.', {
    inputs: ['Platform.spec.access.contact', 'Platform.spec.access.firewallExport'],
    vantages: [v.installer],
    targets: [t.platform],
  }),
]);

const tools = rowsOf(groups.tools, [
  row('TOL-1', 'L/B', 'kubeone, git, kubectl, helm and terraform are on the installer in fitting versions.', {
    inputs: ['Cluster.spec.kubernetesVersion', live('versions that the tools report')],
    vantages: [v.installer],
    targets: [() => ['kubeone', 'git', 'kubectl', 'helm', 'terraform']],
  }),
  row('TOL-2', 'L/I', 'yq, jq and fubectl help.', {
    inputs: [],
    vantages: [v.installer],
    targets: [() => ['yq', 'jq', 'fubectl']],
  }),
  row('TOL-3', 'L/I', 'A container image holds all helper tools.', {
    inputs: ['Platform.spec.access.installer.toolContainer'],
    vantages: [v.installer],
  }),
]);

const installer = rowsOf(groups.installer, [
  row('INS-1', 'L/B', 'Installer and charts can be downloaded.', {
    inputs: ['Platform.spec.release'],
    vantages: [v.installer],
    when: when.isOnline,
  }),
  row('INS-2', 'L/B', 'The pull secret of the Enterprise edition works.', {
    inputs: ['Platform.spec.pullSecret'],
    vantages: [v.installer, v.master, v.seeds],
    targets: [() => ['quay.io/kubermatic/kubermatic-ee', 'quay.io/kubermatic/dashboard-ee']],
    when: when.isEnterprise,
  }),
  row('INS-3', 'P L/B', 'The installer may do everything in its clusters, and the edition fits the seeds.', {
    inputs: ['Platform.spec.master.kubeconfig', 'Seed.spec.kubeconfig', 'Platform.spec.edition'],
    vantages: [v.installer],
    targets: [t.masterApi, t.seedApis],
    promise: { finding: ['CW-EDITION-SEEDS'] },
  }),
]);

export const installation: readonly Row[] = [...installer, ...repository, ...access, ...tools];
