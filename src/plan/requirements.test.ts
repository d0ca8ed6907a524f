import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Model } from '../model/schema/index.ts';
import { plan } from './plan.ts';
import type { Plan, Requirement } from './schema/index.ts';
import {
  awsProvider,
  sampleCluster,
  sampleDatacenter,
  sampleModel,
  samplePlatform,
  sampleSeed,
  vsphereProvider,
} from './testing/sample-model.ts';

const planOf = (parts: Partial<Model> = {}): Plan => plan(sampleModel(parts));
const find = ({ requirements }: Plan, id: string): Requirement | undefined => requirements.find((r) => r.id === id);
const idsOf = ({ requirements }: Plan): string[] => requirements.map((r) => r.id);

const clusters = [
  sampleCluster('a', { exposeStrategy: 'Tunneling' }),
  sampleCluster('b', { exposeStrategy: 'NodePort' }),
  sampleCluster('c', { exposeStrategy: 'Tunneling' }),
];

test('rows of a strategy name the endpoints of its clusters and nothing else', () => {
  const mixed = planOf({ clusters });
  assert.deepEqual(find(mixed, 'PRT-11')?.targets, [
    'a.west.kubermatic.example.com:6443',
    'c.west.kubermatic.example.com:6443',
  ]);
  assert.deepEqual(find(mixed, 'PRT-11')?.vantages, ['users']);
  assert.deepEqual(find(mixed, 'PRT-8')?.clusters, ['a', 'c']);
  assert.deepEqual(find(mixed, 'PRT-9')?.clusters, ['b']);
  assert.deepEqual(find(mixed, 'PRT-8')?.vantages, ['datacenter/dc1/workers']);
  assert.equal(find(mixed, 'PRT-10'), undefined);
});

test('workers dial both endpoints, and the tunnel that they share', () => {
  assert.deepEqual(find(planOf({ clusters }), 'PRT-8')?.targets, [
    'a.west.kubermatic.example.com:6443',
    'konnectivity-server.a.west.kubermatic.example.com:6443',
    'c.west.kubermatic.example.com:6443',
    'konnectivity-server.c.west.kubermatic.example.com:6443',
    'tunnel.west.kubermatic.example.com:8088',
  ]);
});

test('another strategy swaps exactly the rows that depend on it', () => {
  const [nodePort, tunneling] = (['NodePort', 'Tunneling'] as const).map((exposeStrategy) =>
    idsOf(planOf({ clusters: [sampleCluster('web', { exposeStrategy })] })),
  ) as [string[], string[]];
  const without = (a: string[], b: string[]): string[] => a.filter((id) => !b.includes(id));
  assert.deepEqual(without(nodePort, tunneling), ['PRT-5', 'PRT-9', 'PRT-12']);
  assert.deepEqual(without(tunneling, nodePort), ['PRT-4', 'PRT-8', 'PRT-11', 'XPS-4', 'API-4']);
});

test('rows of a provider apply where it is used', () => {
  const prefixes = (parts: Partial<Model>): Set<string> =>
    new Set(idsOf(planOf(parts)).map((id) => id.split('-')[0] as string));
  const aws = prefixes({ datacenters: [sampleDatacenter('dc1', { provider: awsProvider('eu-central-1') })] });
  const vsphere = prefixes({ datacenters: [sampleDatacenter('dc1', { provider: vsphereProvider() })] });
  assert.ok(aws.has('AWS') && !aws.has('VS') && !aws.has('AZ') && !aws.has('OS'));
  assert.ok(vsphere.has('VS') && !vsphere.has('AWS'));
});

test('rows of AWS name the endpoints of the region', () => {
  const datacenters = [sampleDatacenter('dc1', { provider: awsProvider('eu-central-1') })];
  const aws = planOf({ datacenters });
  assert.deepEqual(find(aws, 'AWS-2')?.targets, ['s3.eu-central-1.amazonaws.com:443']);
  assert.deepEqual(find(aws, 'AWS-3')?.vantages, ['seed/west/nodes']);
  assert.ok(find(aws, 'PRT-7')?.targets.includes('ec2.eu-central-1.amazonaws.com:443'));
});

test('offline, rows about the internet give way to rows about the private registry', () => {
  const registry = { host: '172.20.0.2:5000', binaries: 'https://mirror.example.com' };
  const offline = planOf({ platform: samplePlatform({ egress: { mode: 'offline' }, registry }) });
  const ids = idsOf(offline);
  assert.deepEqual(
    ids.filter((id) => id.startsWith('EGR-')),
    [],
  );
  assert.deepEqual(
    ids.filter((id) => id.startsWith('OFF-')),
    ['OFF-1', 'OFF-2', 'OFF-3', 'OFF-4'],
  );
  assert.deepEqual(find(offline, 'OFF-1')?.targets, ['172.20.0.2:5000']);
});

test('monitoring of user clusters brings its names, storage and sizing', () => {
  const seeds = [sampleSeed('west', { monitoring: { userClusters: true } })];
  const monitored = planOf({ seeds });
  assert.deepEqual(find(monitored, 'DNS-11')?.targets, ['alertmanager.west.kubermatic.example.com']);
  assert.deepEqual(find(monitored, 'DNS-12')?.targets, ['grafana.west.kubermatic.example.com']);
  assert.ok(['CRT-7', 'MLA-1', 'MLA-5'].every((id) => idsOf(monitored).includes(id)));
  assert.equal(find(planOf(), 'DNS-11'), undefined);
});

test('vantages are places of the plan, and every requirement is about something', () => {
  const { requirements, places } = planOf({ clusters });
  for (const requirement of requirements) {
    assert.deepEqual(
      requirement.vantages.filter((place) => places[place] === undefined),
      [],
      requirement.id,
    );
    assert.ok(requirement.targets.length > 0, requirement.id);
  }
});

test('kibana is asked for only where the old logging is in use', () => {
  const old = samplePlatform({ monitoring: { services: ['kibana'] } });
  assert.deepEqual(find(planOf({ platform: old }), 'CRT-5')?.targets, ['kibana.kubermatic.example.com']);
  assert.equal(find(planOf(), 'CRT-5'), undefined);
});

test('what was planned before does not show: rows after a change equal fresh ones', () => {
  const base = sampleModel({ clusters });
  const changes: Partial<Model>[] = [
    {},
    { clusters: clusters.slice(1) },
    { clusters: [sampleCluster('a', { exposeStrategy: 'NodePort' }), ...clusters.slice(1)] },
    {
      clusters: [
        sampleCluster('a', { exposeStrategy: 'Tunneling', kubernetesVersion: '1.35.8' }),
        ...clusters.slice(1),
      ],
    },
    { clusters: [sampleCluster('a', { egress: { mode: 'offline' }, registry: { host: '172.20.0.2:5000' } })] },
    {},
  ];
  for (const change of changes) {
    const model = { ...base, ...change };
    assert.deepEqual(plan(model).requirements, plan(structuredClone(model)).requirements);
  }
});

test('the issuer of Dex has the port of the ingress, where it is not the usual one', () => {
  const issuerOf = (spec: Partial<Model['platform']['spec']>) =>
    find(planOf({ platform: samplePlatform(spec) }), 'AUT-1')?.targets;
  const address = { ips: ['192.0.2.10'] };
  assert.deepEqual(issuerOf({}), ['https://kubermatic.example.com/dex']);
  assert.deepEqual(issuerOf({ ingress: { address, httpsPort: 443 } }), ['https://kubermatic.example.com/dex']);
  assert.deepEqual(issuerOf({ ingress: { address, httpsPort: 8443 } }), ['https://kubermatic.example.com:8443/dex']);
  const dex = { issuer: 'https://dex.kubermatic.example.com:9443' };
  assert.deepEqual(issuerOf({ ingress: { address, httpsPort: 8443 }, authentication: { dex } }), [dex.issuer]);
});

test('rows of a strategy apply as soon as clusters with it are planned', () => {
  const seeds = [sampleSeed('west', { exposeStrategy: 'Tunneling', plannedClusters: 1 })];
  const prepared = find(planOf({ seeds, clusters: [] }), 'PRT-8');
  assert.deepEqual([prepared?.vantages, prepared?.clusters], [['datacenter/dc1/workers'], []]);
  const unplanned = [sampleSeed('west', { exposeStrategy: 'Tunneling' })];
  assert.equal(find(planOf({ seeds: unplanned, clusters: [] }), 'PRT-8'), undefined);
});
