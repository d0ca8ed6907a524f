import assert from 'node:assert/strict';
import { it } from 'node:test';
import { noAllocations } from '../../model/index.ts';
import type { Cluster, Model } from '../../model/schema/index.ts';
import { newCache } from '../cache.ts';
import { addressesOf, allocated, poolOf, seedPoolModel } from '../testing/address-plans.ts';
import { sampleCluster } from '../testing/sample-model.ts';

const ownBalancer = sampleCluster('web', { exposeStrategy: 'LoadBalancer' });
const model = seedPoolModel(['192.0.2.0/29'], [ownBalancer]);
const withClusters = (...clusters: Cluster[]): Model => ({ ...model, clusters });

it('addresses are the same object after a change that has nothing to do with them', () => {
  const cache = newCache();
  const before = addressesOf(model, noAllocations, cache);
  const limited = { ...ownBalancer, spec: { ...ownBalancer.spec, limits: { maxConnections: 5 } } };
  assert.equal(addressesOf(withClusters(limited), noAllocations, cache), before);
});

it('an address that a cluster without a datacenter has by hand is taken from the moment it appears', () => {
  const cache = newCache();
  const ofWeb = (of: Model) => allocated(poolOf(addressesOf(of, noAllocations, cache), 'vips'))['cluster/web'];
  assert.deepEqual(ofWeb(model), ['192.0.2.2']);
  const lost = sampleCluster('zoo', { datacenter: 'nowhere', loadBalancerIPs: ['192.0.2.2'] });
  assert.deepEqual(ofWeb(withClusters(ownBalancer, lost)), ['192.0.2.3']);
  assert.deepEqual(ofWeb(model), ['192.0.2.2']);
});
