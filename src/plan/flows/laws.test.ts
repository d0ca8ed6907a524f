// Laws of all flows, over platforms of every shape.
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Cluster, Model } from '../../model/schema/index.ts';
import { newCache, noCache } from '../cache.ts';
import { catalogue } from '../catalogue/index.ts';
import type { Flow } from '../schema/index.ts';
import { arbitraryModel } from '../testing/arbitrary-model.ts';
import { flowsOf, keyOf, placesOf } from '../testing/flows-of.ts';

const runs = { numRuns: 100 };
const law = (name: string, holds: (model: Model) => void): void => {
  test(name, () => fc.assert(fc.property(arbitraryModel(), holds), runs));
};

const clustersByKey = (flows: readonly Flow[]): Map<string, readonly string[]> =>
  new Map(flows.map((flow) => [keyOf(flow), flow.clusters]));
const withModelAndCluster = fc
  .tuple(arbitraryModel(), fc.nat())
  .filter(([model]) => model.clusters.length > 0)
  .map(([model, n]) => ({ model, chosen: model.clusters[n % model.clusters.length] as Cluster }));

law('every flow names a row of the catalogue', (model) => {
  const rows = new Set(catalogue.map((row) => row.id));
  for (const flow of flowsOf(model)) ok(rows.has(flow.requirement), keyOf(flow));
});

law('both ends of every flow are places', (model) => {
  const places = placesOf(model);
  for (const flow of flowsOf(model)) ok(flow.from in places && flow.to in places, keyOf(flow));
});

law('nothing has to be opened from a seed to workers (PRT-19)', (model) => {
  for (const flow of flowsOf(model)) ok(!(flow.from.startsWith('seed/') && flow.to.endsWith('/workers')), keyOf(flow));
});

law('no two flows are the same flow', (model) => {
  const flows = flowsOf(model);
  deepEqual(new Set(flows.map(keyOf)).size, flows.length);
});

law('clusters of a flow exist, are sorted and named once', (model) => {
  const names = new Set(model.clusters.map((cluster) => cluster.metadata.name));
  for (const { clusters } of flowsOf(model)) {
    deepEqual(clusters, [...new Set(clusters)].sort());
    ok(clusters.every((name) => names.has(name)));
  }
});

law('every row of the port table is TCP (PRT-16)', (model) => {
  for (const flow of flowsOf(model)) ok(!flow.requirement.startsWith('PRT-') || flow.protocol === 'tcp', keyOf(flow));
});

law('the workers of every cluster have exactly one way to their control plane', (model) => {
  const ways = flowsOf(model).filter((flow) => ['PRT-8', 'PRT-9', 'PRT-10'].includes(flow.requirement));
  for (const { metadata } of model.clusters) {
    const own = ways.filter((flow) => flow.clusters.includes(metadata.name));
    equal(own.length, 1, `${metadata.name}: ${own.map(keyOf)}`);
  }
});

test('the order of documents does not matter', () => {
  const shuffled = arbitraryModel().chain((model) =>
    fc.record({
      model: fc.constant(model),
      clusters: fc.shuffledSubarray([...model.clusters], { minLength: model.clusters.length }),
      datacenters: fc.shuffledSubarray([...model.datacenters], { minLength: model.datacenters.length }),
      seeds: fc.shuffledSubarray([...model.seeds], { minLength: model.seeds.length }),
    }),
  );
  fc.assert(
    fc.property(shuffled, ({ model, ...order }) => deepEqual(flowsOf({ ...model, ...order }), flowsOf(model))),
    runs,
  );
});

test('removing a cluster removes only what was its own', () => {
  fc.assert(
    fc.property(withModelAndCluster, ({ model, chosen }) => {
      const name = chosen.metadata.name;
      const before = clustersByKey(flowsOf(model));
      // The platform's own, and what planned clusters will need.
      const withoutClusters = clustersByKey(flowsOf({ ...model, clusters: [] }));
      const after = clustersByKey(flowsOf({ ...model, clusters: model.clusters.filter((c) => c !== chosen) }));
      for (const [key, clusters] of before) {
        const others = clusters.filter((other) => other !== name);
        const stays = others.length > 0 || withoutClusters.has(key);
        deepEqual(after.get(key), stays ? others : undefined, key);
      }
      for (const key of after.keys()) ok(before.has(key), key);
    }),
    runs,
  );
});

test('changing the strategy of a cluster changes only the rows of the strategies', () => {
  const strategies = fc.constantFrom('NodePort' as const, 'LoadBalancer' as const, 'Tunneling' as const);
  const rows = [4, 5, 6, 8, 9, 10, 11, 12, 13].map((n) => `PRT-${n}`);
  fc.assert(
    fc.property(withModelAndCluster, strategies, ({ model, chosen }, exposeStrategy) => {
      const changed = { ...chosen, spec: { ...chosen.spec, exposeStrategy } };
      const rest = (clusters: readonly Cluster[]) =>
        clustersByKey(
          // ACC-4 is the installer testing the same entries.
          flowsOf({ ...model, clusters }).filter((flow) => ![...rows, 'ACC-4'].includes(flow.requirement)),
        );
      deepEqual(rest(model.clusters.map((c) => (c === chosen ? changed : c))), rest(model.clusters));
    }),
    runs,
  );
});

test('a plan that reuses the last one equals a plan from scratch', () => {
  const edit = fc.record({
    drop: fc.boolean(),
    exposeStrategy: fc.constantFrom('NodePort' as const, 'Tunneling' as const),
  });
  fc.assert(
    fc.property(withModelAndCluster, edit, ({ model, chosen }, { drop, exposeStrategy }) => {
      const cache = newCache();
      flowsOf(model, cache);
      const changed = drop ? [] : [{ ...chosen, spec: { ...chosen.spec, exposeStrategy } }];
      const next = { ...model, clusters: model.clusters.flatMap((c) => (c === chosen ? changed : [c])) };
      deepEqual(flowsOf(next, cache), flowsOf(next, noCache));
      deepEqual(flowsOf(model, cache), flowsOf(model, noCache));
    }),
    runs,
  );
});
