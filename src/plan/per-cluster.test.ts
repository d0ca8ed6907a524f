import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noAllocations } from '../model/index.ts';
import type { Cluster, Model } from '../model/schema/index.ts';
import { buildContext } from './build-context.ts';
import { newCache } from './cache.ts';
import { listPerCluster, perCluster } from './per-cluster.ts';
import { kubernetesRuntime } from './runtime.ts';
import { sampleCluster, sampleModel } from './testing/sample-model.ts';

const model = sampleModel({ clusters: ['a', 'b', 'c'].map((name) => sampleCluster(name)) });
/** All of them one after the other with the same cache. */
const cache = newCache();
const contextOf = (of: Model) => buildContext(of, noAllocations, kubernetesRuntime, cache);
const withB = (spec: Partial<Cluster['spec']>): Model => ({
  ...model,
  clusters: model.clusters.with(1, sampleCluster('b', spec)),
});

describe('a record per cluster', () => {
  const versions = perCluster((c) => ({ version: c.cluster.spec.kubernetesVersion }));

  it('is the same object while no part of it changes, whatever else does', () => {
    const before = versions(contextOf(model));
    assert.equal(versions(contextOf(withB({ tenant: 'red' }))), before);
  });

  it('is another one when a part changes, with the other parts as they were', () => {
    const before = versions(contextOf(model));
    const after = versions(contextOf(withB({ kubernetesVersion: '1.34.0' })));
    assert.deepEqual(after.b, { version: '1.34.0' });
    assert.deepEqual(before.b, { version: '1.36.3' });
    assert.equal(after.a, before.a);
  });

  it('follows clusters that come and go, in order', () => {
    const fewer = { ...model, clusters: model.clusters.slice(1) };
    assert.deepEqual(Object.keys(versions(contextOf(fewer))), ['b', 'c']);
    assert.deepEqual(Object.keys(versions(contextOf(model))), ['a', 'b', 'c']);
  });

  it('keeps two clusters apart that say the same, when one is renamed', () => {
    versions(contextOf(model));
    const renamed = { ...model, clusters: model.clusters.with(1, sampleCluster('bb')) };
    assert.deepEqual(Object.keys(versions(contextOf(renamed))), ['a', 'bb', 'c']);
  });
});

it('a list per cluster may hold plain texts', () => {
  const names = listPerCluster((c) => c.name);
  const before = names(contextOf(model));
  assert.deepEqual(before, ['a', 'b', 'c']);
  assert.equal(names(contextOf(withB({ tenant: 'red' }))), before);
});
