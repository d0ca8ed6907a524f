// The port table. All of it is TCP.
import * as when from '../conditions.ts';
import { groups } from '../groups.ts';
import { live, type RowBody, row, rowsOf } from '../row.ts';
import * as t from '../targets.ts';
import * as v from '../vantages.ts';

const anyProvider = t.providerApis();
const matrix = { plan: ['flows'], artefact: ['firewall', 'nftables'] } as const;
const strategyFields = ['Platform', 'Seed', 'Datacenter', 'Cluster'].map((kind) => `${kind}.spec.exposeStrategy`);

const platformRows: readonly RowBody[] = [
  row('PRT-1', 'P L/B', 'Users reach the dashboard.', {
    inputs: ['Platform.spec.users.networks', 'Platform.spec.ingress.address', 'Platform.spec.ingress.httpsPort'],
    vantages: [v.users],
    targets: [t.dashboard],
    promise: matrix,
  }),
  row('PRT-2', 'P L/B', 'The operator on master reaches the API of each seed.', {
    inputs: ['Seed.spec.api.host', 'Seed.spec.api.port', 'Seed.spec.kubeconfig'],
    vantages: [v.master],
    targets: [t.seedApis],
    promise: matrix,
  }),
  row('PRT-3', 'P L/B', 'The platform API on master reaches the API of each seed.', {
    inputs: ['Seed.spec.api.host', 'Seed.spec.api.port', 'Seed.spec.kubeconfig'],
    vantages: [v.master],
    targets: [t.seedApis],
    promise: matrix,
  }),
  row('PRT-7', 'P V L/B', 'Seeds reach the interfaces of the clouds.', {
    inputs: ['Datacenter.spec.provider'],
    vantages: [v.seeds],
    targets: [anyProvider],
    when: (s) => anyProvider(s).length > 0,
    promise: matrix,
  }),
];

const exposing = [
  { strategy: 'Tunneling', rows: ['PRT-4', 'PRT-8', 'PRT-11'], via: 'the gateway by name' },
  { strategy: 'NodePort', rows: ['PRT-5', 'PRT-9', 'PRT-12'], via: 'node ports at the gateway' },
  { strategy: 'LoadBalancer', rows: ['PRT-6', 'PRT-10', 'PRT-13'], via: 'load balancers of their own' },
] as const;

/** For each strategy the same three: platform, workers, users. */
const strategyRows = exposing.flatMap(({ strategy, rows: [platform, workers, users], via }): RowBody[] => {
  const common = {
    clusters: t.clustersBy(strategy),
    when: when.usesStrategy(strategy),
    promise: matrix,
    exposes: true,
  };
  const ports = strategy === 'Tunneling' ? 'Seed.spec.gateway.ports' : 'Seed.spec.gateway.nodePortRange';
  const entry = strategy === 'LoadBalancer' ? 'AddressPool.spec.ranges' : 'Seed.spec.gateway.address';
  return [
    row(platform, 'P L/B', `The platform reaches API servers through ${via}.`, {
      ...common,
      inputs: ['Platform.spec.master.nodes.networks', entry, ports],
      vantages: [v.master],
      targets: [t.apisBy(strategy)],
    }),
    row(workers, 'P L/B', `Workers reach API server and konnectivity through ${via}.`, {
      ...common,
      inputs: ['Datacenter.spec.nodes.networks', entry, ports],
      vantages: [v.workersBy(strategy)],
      targets: [t.workerTargetsBy(strategy)],
    }),
    row(users, 'P L/B', `Users reach API servers through ${via}.`, {
      ...common,
      inputs: ['Platform.spec.users.networks', entry, ports],
      vantages: [v.users],
      targets: [t.apisBy(strategy)],
    }),
  ];
});

const wholeTable: readonly RowBody[] = [
  row('PRT-14', 'P/B', 'Ports that were changed are the ones that are opened.', {
    inputs: ['Platform.spec.ingress.httpsPort', 'Seed.spec.api.port', 'Seed.spec.gateway.ports'],
    targets: [t.dashboard, t.seedApis, t.gateways],
    promise: { finding: ['CW-GATEWAY-PORTS'], ...matrix },
  }),
  row('PRT-15', 'L/B', 'The range of node ports is the one that the seed really uses.', {
    inputs: ['Seed.spec.gateway.nodePortRange', live('range that the API server of the seed accepts')],
    vantages: [v.seeds],
    targets: [t.seedApis],
  }),
  row('PRT-16', 'P/B', 'The rows of the port table are TCP.', {
    inputs: [],
    promise: matrix,
  }),
  row('PRT-17', 'P L/B', 'The operator reaches the API of master, and controllers that of their seed.', {
    inputs: ['Platform.spec.master.api', 'Seed.spec.api'],
    vantages: [v.master, v.seeds],
    targets: [t.masterApi, t.seedApis],
    promise: matrix,
  }),
  row('PRT-18', 'P L/W', 'The table is enough for the strategies in use, and no more than that.', {
    inputs: [...strategyFields, 'Platform.spec.access.firewallExport'],
    vantages: [v.installer],
    targets: [t.platform],
    promise: matrix,
  }),
  row('PRT-19', 'P L/W', 'Nothing is opened from seeds to workers.', {
    inputs: ['Datacenter.spec.nodes.networks'],
    vantages: [v.seeds],
    targets: [t.workerNetworks],
    promise: matrix,
  }),
];

export const ports = rowsOf(groups.ports, [...platformRows, ...strategyRows, ...wholeTable]);
