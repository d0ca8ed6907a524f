import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleContext } from '../testing/sample-context.ts';
import { sampleCluster, sampleDatacenter, samplePlatform, sampleSeed } from '../testing/sample-model.ts';
import { gatewayComponent } from './gateways.ts';
import { planEgress } from './index.ts';

const platform = samplePlatform({ proxy: { https: 'http://proxy.example.com:3128' } });
const seeds = [sampleSeed('west', { gateway: { address: { ips: ['10.50.0.3'] }, offers: ['split', 'single'] } })];
const shown = (clusters: ReturnType<typeof sampleCluster>[]) =>
  planEgress(sampleContext({ platform, seeds, datacenters: [sampleDatacenter('dc1')], clusters }))
    .egress.entries.filter((entry) => entry.component === gatewayComponent)
    .map(({ host, ports, from, clusters, requirement }) => [host, ports, from, clusters, requirement]);

const wildcard = '*.west.kubermatic.example.com';
const from = ['datacenter/dc1/workers'];
const tunnelled = { exposeStrategy: 'Tunneling', workers: { route: 'proxy', entry: 'single' } } as const;

test('the proxy is told the names of the gateway that workers reach only through it', () => {
  assert.deepEqual(shown([sampleCluster('a', tunnelled), sampleCluster('b', tunnelled)]), [
    [wildcard, [443], from, ['a', 'b'], 'PRT-8'],
  ]);
});

test('on the split ports there is one entry for each of them', () => {
  const split = { ...tunnelled, workers: { route: 'proxy', entry: 'split' } } as const;
  assert.deepEqual(shown([sampleCluster('a', split), sampleCluster('b', tunnelled)]), [
    [wildcard, [6443], from, ['a'], 'PRT-8'],
    [wildcard, [8088], from, ['a'], 'PRT-8'],
    [wildcard, [443], from, ['b'], 'PRT-8'],
  ]);
});

test('workers with a way of their own need nothing from the proxy', () => {
  assert.deepEqual(shown([sampleCluster('a', { exposeStrategy: 'Tunneling' })]), []);
});

test('planned clusters that will come through the proxy are on its list already', () => {
  const planned = seeds.map((seed) => ({ ...seed, spec: { ...seed.spec, plannedClusters: 4 } }));
  const datacenters = [sampleDatacenter('dc1', tunnelled)];
  const { entries } = planEgress(sampleContext({ platform, seeds: planned, datacenters, clusters: [] })).egress;
  const gateway = entries.filter((entry) => entry.component === gatewayComponent);
  assert.deepEqual(
    gateway.map((entry) => [entry.host, entry.ports, entry.from, entry.clusters]),
    [[wildcard, [443], from, []]],
  );
});
