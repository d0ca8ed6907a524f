import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Cluster, Model } from '../../model/schema/index.ts';
import { addressesOf, allocated, poolOf, seedPoolModel } from '../testing/address-plans.ts';
import { sampleCluster } from '../testing/sample-model.ts';

const ownBalancer = sampleCluster('web', { exposeStrategy: 'LoadBalancer' });
const model = seedPoolModel(['192.0.2.0/29'], [ownBalancer]);
const withClusters = (...clusters: Cluster[]): Model => ({ ...model, clusters });

it('addresses are the same object after a change that has nothing to do with them', () => {
  const before = addressesOf(model);
  const limited = { ...ownBalancer, spec: { ...ownBalancer.spec, limits: { maxConnections: 5 } } };
  assert.equal(addressesOf(withClusters(limited)), before);
});

it('an address that a cluster without a datacenter has by hand is taken from the moment it appears', () => {
  assert.deepEqual(allocated(poolOf(addressesOf(model), 'vips'))['cluster/web'], ['192.0.2.2']);
  const lost = sampleCluster('zoo', { datacenter: 'nowhere', loadBalancerIPs: ['192.0.2.2'] });
  assert.deepEqual(allocated(poolOf(addressesOf(withClusters(ownBalancer, lost)), 'vips'))['cluster/web'], [
    '192.0.2.3',
  ]);
  assert.deepEqual(allocated(poolOf(addressesOf(model), 'vips'))['cluster/web'], ['192.0.2.2']);
});
