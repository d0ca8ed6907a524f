import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noAllocations } from '../model/index.ts';
import type { Model } from '../model/schema/index.ts';
import { buildContext } from './build-context.ts';
import { newCache, type PlanCache } from './cache.ts';
import { workerNetworksOf } from './context.ts';
import { kubernetesRuntime } from './runtime.ts';
import { oneCluster, oneClusterModel } from './testing/one-cluster.ts';
import { sampleCluster, sampleDatacenter, sampleModel, samplePool, sampleSeed } from './testing/sample-model.ts';

const contextOf = (model: Model, cache?: PlanCache) => buildContext(model, noAllocations, kubernetesRuntime, cache);

describe('the context', () => {
  it('leaves out clusters whose datacenter or seed does not exist', () => {
    const context = contextOf(
      sampleModel({
        datacenters: [sampleDatacenter(), sampleDatacenter('lost', { seed: 'nowhere' })],
        clusters: [
          sampleCluster('a'),
          sampleCluster('b', { datacenter: 'nowhere' }),
          sampleCluster('c', { datacenter: 'lost' }),
        ],
      }),
    );
    assert.deepEqual(
      context.clusters.map((c) => c.name),
      ['a'],
    );
  });

  it('sorts what comes in another order', () => {
    const context = contextOf(sampleModel({ clusters: ['c', 'a', 'b'].map((name) => sampleCluster(name)) }));
    const names = context.clusters.map((c) => c.name);
    assert.deepEqual(names, ['a', 'b', 'c']);
    assert.deepEqual(
      context.model.clusters.map((cluster) => cluster.metadata.name),
      names,
    );
  });

  it('keeps a sorted model as it is', () => {
    const model = sampleModel();
    assert.equal(contextOf(model).model, model);
  });

  it('groups clusters by seed and datacenter', () => {
    const { clustersOfSeed, clustersOfDatacenter } = contextOf(
      sampleModel({
        datacenters: [sampleDatacenter('dc1'), sampleDatacenter('dc2')],
        clusters: [sampleCluster('a'), sampleCluster('b', { datacenter: 'dc2' })],
      }),
    );
    assert.equal(clustersOfSeed.get('west')?.length, 2);
    assert.equal(clustersOfDatacenter.get('dc2')?.[0]?.name, 'b');
  });
});

describe('the context of a cluster', () => {
  it('is the same object as long as nothing that it came from changes', () => {
    const model = sampleModel({ clusters: [sampleCluster('a'), sampleCluster('b')] });
    const cache = newCache();
    const before = contextOf(model, cache);
    const clusters = [model.clusters[0] as never, sampleCluster('b', { tenant: 'x' })];
    const after = contextOf({ ...model, clusters }, cache);
    assert.equal(after.clusters[0], before.clusters[0]);
    assert.notEqual(after.clusters[1], before.clusters[1]);
  });

  it('is another one when the address of its gateway changes by a pool', () => {
    const seed = sampleSeed('west', { gateway: { address: { pool: 'vips' } } });
    const model = { ...oneClusterModel(), seeds: [seed] };
    const withPool = (range: string): Model => ({
      ...model,
      pools: [samplePool('vips', { seed: 'west', ranges: [range] })],
    });
    const gatewayIn = (range: string) => contextOf(withPool(range)).clusters[0]?.gateway.addresses;
    assert.deepEqual(gatewayIn('192.0.2.1'), ['192.0.2.1']);
    assert.deepEqual(gatewayIn('192.0.2.2'), ['192.0.2.2']);
  });

  it('has addresses of its own only if it is exposed by a load balancer', () => {
    const loadBalancerIPs = ['192.0.2.7'];
    assert.deepEqual(oneCluster({ cluster: { loadBalancerIPs } }).ownAddresses, []);
    const balanced = oneCluster({ cluster: { loadBalancerIPs, exposeStrategy: 'LoadBalancer' } });
    assert.deepEqual(balanced.ownAddresses, loadBalancerIPs);
  });

  it('draws its address from the pool of its own seed', () => {
    const pools = [samplePool('vips', { seed: 'west', ranges: ['192.0.2.64/26'] })];
    const { ownAddresses } = oneCluster({ pools, cluster: { exposeStrategy: 'LoadBalancer' } });
    assert.deepEqual(ownAddresses, ['192.0.2.64']);
  });

  it('has the workers of its tenant, where it has one', () => {
    const datacenter = { tenants: [{ name: 'red', networks: ['10.2.64.0/24'] }] };
    assert.deepEqual(workerNetworksOf(oneCluster({ datacenter })), ['10.2.0.0/24']);
    assert.deepEqual(workerNetworksOf(oneCluster({ datacenter, cluster: { tenant: 'red' } })), ['10.2.64.0/24']);
  });
});

describe('a gateway', () => {
  it('never takes the address that another seed drew from its own pool', () => {
    const { gateways } = contextOf(
      sampleModel({
        seeds: ['east', 'west'].map((name) => sampleSeed(name, { gateway: { address: { pool: 'vips' } } })),
        pools: [samplePool('vips', { seed: 'east', ranges: ['192.0.2.64/26'] })],
      }),
    );
    assert.deepEqual(gateways.get('east')?.addresses, ['192.0.2.64']);
    assert.deepEqual(gateways.get('west')?.addresses, []);
  });

  it('has the addresses that were entered by hand, or the name that a cloud gave', () => {
    const gatewayAt = (address: object) => oneCluster({ seed: { gateway: { address } } }).gateway;
    assert.deepEqual(gatewayAt({ ips: ['192.0.2.1'] }), {
      addresses: ['192.0.2.1'],
      hostname: undefined,
      dynamic: false,
    });
    assert.deepEqual(gatewayAt({ hostname: 'lb.example.net', dynamic: true }), {
      addresses: [],
      hostname: 'lb.example.net',
      dynamic: true,
    });
  });
});
