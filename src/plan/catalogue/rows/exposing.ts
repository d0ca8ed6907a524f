// Expose strategies, workers, API server, konnectivity.
import * as when from '../conditions.ts';
import { groups } from '../groups.ts';
import { live, type Row, row, rowsOf } from '../row.ts';
import * as t from '../targets.ts';
import * as v from '../vantages.ts';

const strategies = ['Platform', 'Seed', 'Datacenter', 'Cluster'].map((kind) => `${kind}.spec.exposeStrategy`);
const hasClusters = ({ ctx }: Parameters<typeof t.clusters>[0]): boolean => ctx.clusters.length > 0;
const perCluster = { clusters: t.clusters, when: hasClusters } as const;

const strategyRows = rowsOf(groups.strategies, [
  row('XPS-1', 'P/B', 'Each cluster exposes two endpoints: API server and konnectivity server.', {
    ...perCluster,
    inputs: strategies,
    targets: [t.clusterResources],
    promise: { plan: ['endpoints', 'gateway'], artefact: ['gateway'] },
  }),
  row('XPS-2', 'P/B', 'The strategy of a cluster is known, with the document that set it.', {
    ...perCluster,
    inputs: strategies,
    targets: [t.clusterResources],
    promise: { plan: ['settings'] },
  }),
  row('XPS-3', 'P/B', 'Node ports, addresses and listeners are enough for the clusters planned.', {
    inputs: [
      'Seed.spec.plannedClusters',
      'Seed.spec.gateway.nodePortRange',
      'Seed.spec.gateway.reservedNodePorts',
      'AddressPool.spec.ranges',
      'Seed.spec.loadBalancer.maxListeners',
    ],
    targets: [t.seeds, t.pools],
    promise: { finding: ['CW-NODEPORT-CAPACITY', 'CW-POOL-CAPACITY'], plan: ['addresses'] },
  }),
  row('XPS-4', 'P/B', 'Workers that have only a proxy can still open the tunnel.', {
    inputs: ['Cluster.spec.workers.route', 'Cluster.spec.workers.agent', 'Datacenter.spec.proxy.connectPorts'],
    targets: [t.workerTargetsBy('Tunneling')],
    clusters: t.clustersBy('Tunneling'),
    when: when.usesStrategy('Tunneling'),
    promise: { finding: ['CW-TUNNEL-PROXY', 'CW-PROXY-PORT'], plan: ['proxy'] },
  }),
  row('XPS-5', 'L/W', 'The gateway refuses names and authorities that it does not know.', {
    inputs: ['Seed.spec.gateway.address'],
    vantages: [v.users, v.workers],
    targets: [t.gateways],
  }),
]);

const workers = rowsOf(groups.workers, [
  row('WRK-1', 'L/B', 'Nothing filters traffic between the workers of a cluster.', {
    ...perCluster,
    inputs: ['Cluster.spec.network.cni', live('list of the nodes, storage drivers in use')],
    vantages: [v.workers],
    targets: [t.workerNetworks],
  }),
]);

const apiServers = rowsOf(groups.apiServers, [
  row('API-1', 'L/B', 'Every API server answers to users under its name.', {
    ...perCluster,
    inputs: [live('kubeconfig of the cluster')],
    vantages: [v.users],
    targets: [t.clusterApis],
  }),
  row('API-2', 'L/B', 'Kubelets register and stay alive.', {
    ...perCluster,
    inputs: ['Cluster.spec.kubernetesVersion', 'Cluster.spec.nodes.kubeletVersion', live('bootstrap token')],
    vantages: [v.workers],
    targets: [t.kubeletApis],
  }),
  row('API-3', 'L/B', 'Pods use the API by its service name, with and without proxy variables.', {
    ...perCluster,
    inputs: ['Cluster.spec.proxy.noProxy', live('kubeconfig of the cluster')],
    vantages: [v.workers],
    targets: [() => ['kubernetes.default.svc:443']],
  }),
  row('API-4', 'L/B', 'The node agent serves the API on each node, on an address that nobody else has.', {
    inputs: ['Cluster.spec.network.agentIP', live('list of the nodes')],
    vantages: [v.workersBy('Tunneling')],
    targets: [t.clustersBy('Tunneling')],
    clusters: t.clustersBy('Tunneling'),
    when: when.usesStrategy('Tunneling'),
  }),
]);

const konnectivity = rowsOf(groups.konnectivity, [
  row('KON-1', 'L/B', 'A konnectivity server runs for each cluster, with a certificate for its names.', {
    ...perCluster,
    inputs: ['Seed.spec.kubeconfig'],
    vantages: [v.seeds],
    targets: [t.clusterResources],
  }),
  row('KON-2', 'L/B', 'Agents run in each cluster and reach every server.', {
    ...perCluster,
    inputs: ['Cluster.spec.konnectivity.agents', live('kubeconfig of the cluster')],
    vantages: [v.workers],
    targets: [t.clusterResources],
  }),
  row('KON-3', 'L/B', 'Logs, exec, webhooks and metrics cross the tunnel.', {
    ...perCluster,
    inputs: [live('kubeconfig of the cluster')],
    vantages: [v.users],
    targets: [t.clusterApis],
  }),
  row('KON-4', 'P L/W', 'Workers open the tunnel; nobody connects to them.', {
    ...perCluster,
    inputs: [],
    vantages: [v.workers],
    targets: [t.clusterResources],
    promise: { plan: ['flows', 'konnectivity'], artefact: ['firewall'] },
  }),
  row('KON-5', 'L/W', 'Idle tunnels survive balancers and firewalls.', {
    ...perCluster,
    inputs: [
      'Cluster.spec.konnectivity.keepalive',
      'Seed.spec.loadBalancer.idleTimeout',
      'Cluster.spec.limits.idleTimeout',
    ],
    vantages: [v.workers],
    targets: [t.gateways],
  }),
]);

export const exposing: readonly Row[] = [...strategyRows, ...workers, ...apiServers, ...konnectivity];
