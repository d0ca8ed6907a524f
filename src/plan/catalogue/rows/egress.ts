// Internet access, the allow-list, and life without internet.
import { isProxy } from '../../places/ids.ts';
import * as when from '../conditions.ts';
import { groups } from '../groups.ts';
import { type Input, live, type Row, type RowBody, row, rowsOf } from '../row.ts';
import * as t from '../targets.ts';
import * as v from '../vantages.ts';

const list = { plan: ['egress'], artefact: ['allow-list', 'squid'] } as const;
const kinds = ['Platform', 'Seed', 'Datacenter', 'Cluster'];
const modes = kinds.map((kind) => `${kind}.spec.egress.mode`);
const systems = ['Datacenter.spec.nodes.operatingSystems', 'Cluster.spec.nodes.operatingSystems'];
const imageList = live('images in the allow-list of the plan');

const runs = (...names: readonly string[]) =>
  when.someDatacenter(({ nodes }) => (nodes.operatingSystems ?? ['ubuntu']).some((system) => names.includes(system)));

const access = rowsOf(groups.proxy, [
  row('PRX-1', 'P L/B', 'Every place can download what it needs, directly or through a proxy.', {
    inputs: [...modes, 'Platform.spec.proxy', 'Datacenter.spec.proxy'],
    vantages: [v.master, v.seeds, v.workers],
    when: when.isOnline,
    promise: { plan: ['egress', 'proxy'], artefact: ['allow-list'] },
  }),
  row('PRX-2', 'P D/I', 'Offline, everything comes from the private registry.', {
    inputs: [...modes, 'Platform.spec.registry.host'],
    targets: [t.platform],
    when: when.isOffline,
    promise: { finding: ['CW-OFFLINE-REGISTRY'], plan: ['egress'] },
  }),
  row('PRX-3', 'L/B', 'The proxy lets the listed hosts through.', {
    inputs: ['Platform.spec.proxy.https', 'Platform.spec.proxy.credentials', 'Platform.spec.proxy.trustBundle'],
    vantages: [v.master, v.seeds, v.workers],
    targets: [({ plan }) => Object.keys(plan.places).filter(isProxy)],
    when: when.usesProxy,
  }),
]);

/** Rows about hosts: they apply where the allow-list has something for them. */
const hosts = (id: string, class_: Parameters<typeof row>[1], title: string, inputs: readonly Input[]): RowBody =>
  row(id, class_, title, { inputs, vantages: [v.needing(id)], when: when.allowListHas(id), promise: list });

const allowList = rowsOf(groups.egress, [
  hosts('EGR-1', 'P L/B', 'The kubelet of each version can be fetched.', [
    'Cluster.spec.kubernetesVersion',
    'Cluster.spec.nodes.kubeletVersion',
  ]),
  hosts('EGR-2', 'P L/B', 'CNI plugins and crictl can be fetched.', [live('versions in the machine profiles')]),
  hosts('EGR-3', 'P L/W', 'The health script of older releases can be fetched.', ['Platform.spec.release']),
  hosts('EGR-4', 'P L/B', 'Images of Kubernetes and of cluster DNS can be pulled.', [imageList]),
  hosts('EGR-5', 'P L/B', 'The pause image can be pulled.', [live('sandbox image in the settings of containerd')]),
  hosts('EGR-6', 'P L/B', 'Images on docker.io can be pulled.', [imageList]),
  hosts('EGR-7', 'P L/B', 'Images on quay.io can be pulled.', [imageList]),
  hosts('EGR-8', 'P L/W', 'Repositories of yum and dnf can be read.', systems),
  row('EGR-9', 'P/I', 'Flatcar needs no repositories.', {
    inputs: systems,
    targets: [t.datacenters],
    when: runs('flatcar', 'container-linux'),
    promise: list,
  }),
  hosts('EGR-10', 'P L/B', 'Repositories of Ubuntu and Docker can be read.', [
    ...systems,
    live('release in /etc/os-release'),
  ]),
  row('EGR-11', 'P L/B', 'KubeOne can fetch what it builds management clusters from.', {
    inputs: ['Seed.spec.provisioning.tool', live('version that KubeOne reports')],
    vantages: [v.needing('EGR-11')],
    when: when.allowListHas('EGR-11'),
    promise: list,
  }),
  row('EGR-12', 'P L/B', 'cert-manager reaches the ACME server.', {
    inputs: ['Platform.spec.certificates.acmeHTTP01.server', 'Platform.spec.certificates.acmeDNS01.server'],
    vantages: [v.needing('EGR-12')],
    when: when.usesAcme,
    promise: list,
  }),
  row('EGR-13', 'P L/B', 'The list also names what its hosts redirect to.', {
    inputs: [live('hosts that probes were sent to')],
    vantages: [v.needing('EGR-13')],
    when: when.isOnline,
    promise: list,
  }),
  row('EGR-14', 'L/I', 'What is not on the list is blocked, where that is claimed.', {
    inputs: kinds.map((kind) => `${kind}.spec.egress.closed`),
    vantages: [v.master, v.seeds, v.workers],
    targets: [() => ['example.com:443']],
    when: (s) =>
      when.platformHas((spec) => spec.egress?.closed === true)(s) ||
      when.someSeed((spec) => spec.egress?.closed === true)(s) ||
      when.someDatacenter((spec) => spec.egress?.closed === true)(s),
  }),
]);

const registry = ['host', 'insecure', 'credentials', 'trustBundle'].map((field) => `Platform.spec.registry.${field}`);

const offline = rowsOf(groups.offline, [
  row('OFF-1', 'P L/B', 'Nodes pull from the private registry.', {
    inputs: registry,
    vantages: [v.needing('OFF-1')],
    when: when.isOffline,
    promise: list,
  }),
  row('OFF-2', 'L/B', 'The private registry has every image, unchanged.', {
    inputs: [imageList, 'Platform.spec.registry.host'],
    vantages: [v.installer],
    targets: [t.privateImages],
    when: when.isOffline,
  }),
  row('OFF-3', 'P/B', 'Charts and nodes name the private registry only.', {
    inputs: ['Platform.spec.registry.host', live('values of the charts')],
    targets: [t.plannedFor('OFF-1')],
    when: when.isOffline,
    promise: { finding: ['CW-OFFLINE-REGISTRY'], plan: ['egress'] },
  }),
  row('OFF-4', 'L/B', 'Binaries lie in the mirror under their original paths.', {
    inputs: ['Platform.spec.registry.binaries', 'Platform.spec.registry.packages'],
    vantages: [v.needing('OFF-4')],
    when: when.isOffline,
  }),
]);

export const egress: readonly Row[] = [...access, ...allowList, ...offline];
