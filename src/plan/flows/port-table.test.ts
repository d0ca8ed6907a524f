// The port table, row by row, and the edges that it leaves out.
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { Model } from '../../model/schema/index.ts';
import { flowsOf, linesFor } from '../testing/flows-of.ts';
import {
  sampleCluster,
  sampleDatacenter,
  sampleModel,
  samplePlatform,
  sampleSeed,
  vsphereProvider,
} from '../testing/sample-model.ts';

type Strategy = 'NodePort' | 'LoadBalancer' | 'Tunneling';

const exposedBy = (exposeStrategy: Strategy, seed: Parameters<typeof sampleSeed>[1] = {}): Model =>
  sampleModel({
    platform: samplePlatform({ exposeStrategy }),
    seeds: [sampleSeed('west', seed)],
    datacenters: [sampleDatacenter('dc1', { provider: vsphereProvider() })],
  });

/** Row, strategy it belongs to, and the flow it asks for with default ports. */
const table: readonly (readonly [string, Strategy | 'any', string])[] = [
  ['PRT-1', 'any', 'users → master/ingress tcp 443'],
  ['PRT-2', 'any', 'master/nodes → seed/west/api tcp 6443'],
  ['PRT-3', 'any', 'master/nodes → seed/west/api tcp 6443'],
  ['PRT-4', 'Tunneling', 'master/nodes → seed/west/gateway tcp 6443'],
  ['PRT-5', 'NodePort', 'master/nodes → seed/west/gateway tcp 30000-32767'],
  ['PRT-6', 'LoadBalancer', 'master/nodes → seed/west/load-balancers tcp 30000-32767'],
  ['PRT-7', 'any', 'seed/west/nodes → datacenter/dc1/provider-api tcp 443'],
  ['PRT-8', 'Tunneling', 'datacenter/dc1/workers → seed/west/gateway tcp 6443,8088'],
  ['PRT-9', 'NodePort', 'datacenter/dc1/workers → seed/west/gateway tcp 30000-32767'],
  ['PRT-10', 'LoadBalancer', 'datacenter/dc1/workers → seed/west/load-balancers tcp 30000-32767'],
  ['PRT-11', 'Tunneling', 'users → seed/west/gateway tcp 6443'],
  ['PRT-12', 'NodePort', 'users → seed/west/gateway tcp 30000-32767'],
  ['PRT-13', 'LoadBalancer', 'users → seed/west/load-balancers tcp 30000-32767'],
];
const allStrategies: readonly Strategy[] = ['NodePort', 'LoadBalancer', 'Tunneling'];

for (const [row, strategy, expected] of table) {
  test(`${row} is the flow ${expected}, for ${strategy === 'any' ? 'every strategy' : `${strategy} only`}`, () => {
    for (const chosen of allStrategies) {
      const wanted = strategy === 'any' || strategy === chosen ? [expected] : [];
      deepEqual(linesFor(flowsOf(exposedBy(chosen)), row), wanted);
    }
  });
}

test('each strategy gives exactly its rows of the port table, and no others', () => {
  for (const chosen of allStrategies) {
    const rows = flowsOf(exposedBy(chosen))
      .map((flow) => flow.requirement)
      .filter((row) => row.startsWith('PRT-'));
    const expected = table.filter(([, strategy]) => strategy === 'any' || strategy === chosen).map(([row]) => row);
    deepEqual(new Set(rows), new Set([...expected, 'PRT-17']));
    equal(rows.length, expected.length + 2);
  }
});

test('PRT-17 adds the edges to the own API: operator to master, seed controller manager to seed', () => {
  deepEqual(linesFor(flowsOf(exposedBy('NodePort')), 'PRT-17'), [
    'master/nodes → master/api tcp 6443',
    'seed/west/nodes → seed/west/api tcp 6443',
  ]);
});

test('PRT-14: ports come from the manifests, not from constants', () => {
  const seed = sampleSeed('west', {
    api: { host: 'api.west.example.com', port: 443 },
    gateway: { address: { ips: ['192.0.2.20'] }, ports: { sni: 7443, tunnel: 7088 }, nodePortRange: '31000-31999' },
  });
  const platform = samplePlatform({
    exposeStrategy: 'Tunneling',
    ingress: { address: { ips: ['192.0.2.10'] }, httpsPort: 8443 },
    master: { nodes: { networks: ['10.0.0.0/24'] }, api: { host: '10.0.0.5', port: 8443 } },
  });
  const clusters = [sampleCluster('a'), sampleCluster('b', { exposeStrategy: 'NodePort' })];
  const flows = flowsOf(sampleModel({ platform, seeds: [seed], clusters }));
  deepEqual(linesFor(flows, 'PRT-1'), ['users → master/ingress tcp 8443']);
  deepEqual(linesFor(flows, 'PRT-2'), ['master/nodes → seed/west/api tcp 443']);
  deepEqual(linesFor(flows, 'PRT-8'), ['datacenter/dc1/workers → seed/west/gateway tcp 7443,7088']);
  deepEqual(linesFor(flows, 'PRT-12'), ['users → seed/west/gateway tcp 31000-31999']);
  deepEqual(linesFor(flows, 'PRT-17'), [
    'master/nodes → master/api tcp 8443',
    'seed/west/nodes → seed/west/api tcp 443',
  ]);
});

test('PRT-16: every row of the port table is TCP', () => {
  for (const strategy of allStrategies) {
    const rows = flowsOf(exposedBy(strategy)).filter((flow) => flow.requirement.startsWith('PRT-'));
    ok(rows.length > 5);
    ok(rows.every((flow) => flow.protocol === 'tcp'));
  }
});

test('mixed strategies are the union of their rows, each with its own clusters', () => {
  const clusters = [
    sampleCluster('a', { exposeStrategy: 'Tunneling' }),
    sampleCluster('b', { exposeStrategy: 'NodePort' }),
    sampleCluster('c', { exposeStrategy: 'Tunneling' }),
  ];
  const flows = flowsOf(sampleModel({ clusters }));
  const clustersOf = (row: string) => flows.filter((flow) => flow.requirement === row).map((flow) => flow.clusters);
  deepEqual(
    [clustersOf('PRT-4'), clustersOf('PRT-8'), clustersOf('PRT-11')],
    [[['a', 'c']], [['a', 'c']], [['a', 'c']]],
  );
  deepEqual([clustersOf('PRT-5'), clustersOf('PRT-9'), clustersOf('PRT-12')], [[['b']], [['b']], [['b']]]);
  deepEqual([clustersOf('PRT-6'), clustersOf('PRT-10'), clustersOf('PRT-13')], [[], [], []]);
});

const planned = (model: Model): Model => ({
  ...model,
  seeds: model.seeds.map((seed) => ({ ...seed, spec: { ...seed.spec, plannedClusters: 5 } })),
});

test('a seed with planned clusters asks for what they will need, whether or not some exist', () => {
  const flows = flowsOf({ ...planned(exposedBy('Tunneling')), clusters: [] });
  deepEqual(linesFor(flows, 'PRT-8'), ['datacenter/dc1/workers → seed/west/gateway tcp 6443,8088']);
  deepEqual(linesFor(flows, 'PRT-11'), ['users → seed/west/gateway tcp 6443']);
  ok(flows.every((flow) => flow.clusters.length === 0));
});

test('without planned clusters nothing is asked for in advance', () => {
  const flows = flowsOf({ ...exposedBy('Tunneling'), clusters: [] });
  ok(flows.every(({ from, to }) => !`${from} ${to}`.includes('/workers') && to !== 'seed/west/gateway'));
});

test('a seed with planned clusters and without datacenters asks for its own strategy', () => {
  const flows = flowsOf({ ...planned(exposedBy('LoadBalancer')), datacenters: [], clusters: [] });
  deepEqual(linesFor(flows, 'PRT-13'), ['users → seed/west/load-balancers tcp 30000-32767']);
});

test('one flow lists all clusters of a datacenter instead of one flow per cluster', () => {
  const clusters = Array.from({ length: 50 }, (_, i) => sampleCluster(`c${String(i).padStart(2, '0')}`));
  const few = flowsOf(sampleModel());
  const many = flowsOf(sampleModel({ clusters }));
  equal(many.length, few.length);
  equal(many.find((flow) => flow.requirement === 'PRT-9')?.clusters.length, 50);
});

test('a master that is its own seed keeps the flows of both', () => {
  const master = { nodes: { networks: ['10.1.0.0/24'] }, api: { host: 'api.west.example.com' }, seed: 'west' };
  const flows = flowsOf(sampleModel({ platform: samplePlatform({ master }) }));
  deepEqual(linesFor(flows, 'PRT-2'), ['master/nodes → seed/west/api tcp 6443']);
});

test('integration options are named in the reason and add no flow of their own', () => {
  const withOption = (integration?: 'I' | 'II') =>
    flowsOf(sampleModel({ datacenters: [sampleDatacenter('dc1', { integration })] }));
  equal(withOption('I').length, withOption().length);
  const reasonOf = (integration: 'I' | 'II', row: string) =>
    withOption(integration).find((flow) => flow.requirement === row)?.reason ?? '';
  ok(reasonOf('I', 'PRT-9').includes('INT-1'));
  ok(reasonOf('II', 'PRT-9').includes('INT-6'));
  ok(reasonOf('II', 'PRT-12').includes('INT-9'));
  ok(reasonOf('II', 'PRT-2').includes('INT-5'));
});
