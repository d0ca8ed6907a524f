// Tenants of one datacenter: what each may reach, and that none reaches another.
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { Datacenter } from '../../model/schema/index.ts';
import { plan } from '../plan.ts';
import { flowsOf, linesFor, placesOf } from '../testing/flows-of.ts';
import { sampleCluster, sampleDatacenter, sampleModel, sampleSeed, vsphereProvider } from '../testing/sample-model.ts';

const tenants = [
  { name: 'blue', networks: ['10.21.0.0/24'] },
  { name: 'red', networks: ['10.22.0.0/24'] },
];
const clusters = [
  sampleCluster('a'),
  sampleCluster('b', { tenant: 'blue' }),
  sampleCluster('c', { tenant: 'red' }),
  sampleCluster('d', { tenant: 'blue' }),
];
const modelWith = (spec: Partial<Datacenter['spec']> = {}) =>
  sampleModel({ datacenters: [sampleDatacenter('dc1', { provider: vsphereProvider(), tenants, ...spec })], clusters });
const own = 'datacenter/dc1/workers';
const [blue, red] = ['datacenter/dc1/tenants/blue/workers', 'datacenter/dc1/tenants/red/workers'];

test('WRK-1: workers reach those of their own tenant, and of no other', () => {
  const mesh = flowsOf(modelWith()).filter((flow) => flow.requirement === 'WRK-1');
  deepEqual(
    mesh.map(({ from, to, clusters: names }) => [from, to, names]),
    [
      [own, own, ['a']],
      [blue, blue, ['b', 'd']],
      [red, red, ['c']],
    ],
  );
});

test('everything that workers need is asked for from the network of their tenant', () => {
  const flows = flowsOf(modelWith());
  for (const row of ['PRT-9', 'VS-1', 'EGR-1'])
    for (const [place, names] of [
      [own, ['a']],
      [blue, ['b', 'd']],
      [red, ['c']],
    ] as const)
      deepEqual(flows.find((flow) => flow.requirement === row && flow.from === place)?.clusters, names, row);
});

test('a datacenter whose clusters all belong to tenants opens nothing for its own network', () => {
  const { flows } = plan({ ...modelWith(), clusters: clusters.slice(1) });
  ok(flows.every(({ from, to }) => from !== own && to !== own));
});

test('requirements are checked from the networks of tenants', () => {
  const { requirements } = plan({ ...modelWith(), clusters: clusters.slice(1) });
  deepEqual(requirements.find((row) => row.id === 'PRT-9')?.vantages, [blue, red]);
});

test('planned clusters are prepared for in every tenant', () => {
  const seeds = [sampleSeed('west', { plannedClusters: 3 })];
  const prepared = flowsOf({ ...modelWith(), seeds, clusters: [] });
  deepEqual(
    prepared.filter((flow) => flow.requirement === 'PRT-9').map((flow) => flow.from),
    [own, blue, red],
  );
});

test('tenants ask the resolvers of their datacenter, or their own where OpenStack names some', () => {
  const scope = {
    region: 'r',
    availabilityZones: ['z'],
    domain: 'd',
    projectName: 'p',
    projectID: 'id',
    credentials: { rcFile: 'rc' },
    network: { name: 'n', cidr: '10.22.0.0/24', subnetID: 's' },
    floatingIPPool: 'f',
    dnsServers: ['10.22.0.53'],
  };
  const [first, second] = tenants as [(typeof tenants)[0], (typeof tenants)[0]];
  const nodes = { networks: ['10.2.0.0/24'], dnsServers: ['10.2.0.53'] };
  const model = modelWith({ nodes, tenants: [first, { ...second, openstack: scope }] });
  const udp = linesFor(flowsOf(model), 'INF-9').filter(
    (line) => line.startsWith('datacenter/') && line.endsWith('udp 53'),
  );
  deepEqual(udp, [
    `${own} → datacenter/dc1/resolvers udp 53`,
    `${blue} → datacenter/dc1/resolvers udp 53`,
    `${red} → datacenter/dc1/tenants/red/resolvers udp 53`,
  ]);
  deepEqual(placesOf(model)['datacenter/dc1/tenants/red/resolvers']?.networks, ['10.22.0.53']);
});

test('without resolvers of its own a datacenter asks those of the platform', () => {
  const asked = flowsOf(modelWith()).filter((flow) => flow.from === blue && flow.protocol === 'udp');
  equal(asked[0]?.to, 'dns/resolvers');
});
