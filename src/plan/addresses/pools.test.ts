import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addressesOf, allocated, clustersNamed, poolOf, seedPoolModel } from '../testing/address-plans.ts';
import {
  sampleCluster,
  sampleDatacenter,
  sampleModel,
  samplePlatform,
  samplePool,
  sampleSeed,
} from '../testing/sample-model.ts';

const loadBalancer = { exposeStrategy: 'LoadBalancer' } as const;
const tunneling = { exposeStrategy: 'Tunneling' } as const;
const lockVips = (entries: Record<string, string[]>) => ({ pools: { vips: entries }, nodePorts: {} });

describe('virtual IPs of a seed', () => {
  it('are two with Tunneling: gateway and ingress', () => {
    const pool = poolOf(
      addressesOf(seedPoolModel(['10.9.0.1-10.9.0.9'], clustersNamed(['a', 'b'], tunneling))),
      'vips',
    );
    assert.deepEqual(
      pool.needs.map((need) => [need.for, need.count, need.requirement]),
      [
        ['gateway', 1, 'VS-6'],
        ['ingress', 1, 'VS-6'],
      ],
    );
    assert.deepEqual([pool.owner, pool.capacity, pool.needed], ['Seed/west', 9, 2]);
    assert.deepEqual(allocated(pool), { gateway: ['10.9.0.1'], ingress: ['10.9.0.2'] });
  });

  it('are one more for each cluster with LoadBalancer', () => {
    const clusters = [...clustersNamed(['a', 'c'], loadBalancer), sampleCluster('b', tunneling)];
    const pool = poolOf(addressesOf(seedPoolModel(['10.9.0.0/28'], clusters)), 'vips');
    assert.deepEqual(
      pool.needs.map((need) => need.for),
      ['gateway', 'ingress', 'cluster/a', 'cluster/c'],
    );
  });

  it('are not drawn for what has an address or a name already', () => {
    const model = seedPoolModel(
      ['10.9.0.0/28'],
      [
        sampleCluster('by-hand', { ...loadBalancer, loadBalancerIPs: ['10.9.0.1'] }),
        sampleCluster('cloud', { ...loadBalancer, loadBalancerHostname: 'lb.cloud.example.net' }),
      ],
      { gateway: { address: { pool: 'vips', hostname: 'gw.cloud.example.net' } } },
    );
    assert.deepEqual(
      poolOf(addressesOf(model), 'vips').needs.map((need) => need.for),
      ['ingress'],
    );
  });

  it('come from the pool that the seed names, or from its only one', () => {
    const pools = ['one', 'two'].map((name, i) => samplePool(name, { seed: 'west', ranges: [`10.${i}.9.0/28`] }));
    const planned = (pool: string | undefined, count: number) =>
      addressesOf(
        sampleModel({
          seeds: [sampleSeed('west', { loadBalancer: { type: 'metallb', pool } })],
          clusters: clustersNamed(['a'], loadBalancer),
          pools: pools.slice(0, count),
        }),
      ).pools.map((p) => p.allocations.length);
    assert.deepEqual(planned('two', 2), [0, 1]);
    assert.deepEqual(planned(undefined, 1), [1]);
    assert.deepEqual(planned(undefined, 2), [0, 0], 'nobody said which');
  });

  it('are never addresses that mean something else on a layer-2 segment', () => {
    const segment = { type: 'metallb', mode: 'L2', segment: '10.9.0.0/29', segmentGateway: '10.9.0.1' } as const;
    const model = seedPoolModel(['10.9.0.0/29'], clustersNamed(['a', 'b', 'c', 'd'], loadBalancer), {
      loadBalancer: segment,
    });
    const pool = poolOf(addressesOf(model), 'vips');
    assert.equal(pool.capacity, 5);
    assert.deepEqual(Object.values(allocated(pool)).flat(), [
      '10.9.0.2',
      '10.9.0.3',
      '10.9.0.4',
      '10.9.0.5',
      '10.9.0.6',
    ]);
  });

  it('use every address of a routed range, its first and last too', () => {
    const pool = poolOf(addressesOf(seedPoolModel(['10.9.0.0/31'], [])), 'vips');
    assert.deepEqual(allocated(pool), { gateway: ['10.9.0.0'], ingress: ['10.9.0.1'] });
  });

  it('leave out what is excluded or entered by hand elsewhere', () => {
    const byHand = sampleCluster('by-hand', { workloadAddresses: { ips: ['10.9.0.1'] } });
    const model = seedPoolModel(['10.9.0.0/29'], [byHand], {
      exclude: ['10.9.0.2-10.9.0.3'],
      api: { host: '10.9.0.4' },
    });
    const pool = poolOf(addressesOf(model), 'vips');
    assert.deepEqual(allocated(pool), { gateway: ['10.9.0.0'], ingress: ['10.9.0.5'] });
    assert.equal(pool.capacity, 4);
  });

  it('are missing, not invented, when the pool is exhausted', () => {
    const pool = poolOf(
      addressesOf(seedPoolModel(['10.9.0.1-10.9.0.3'], clustersNamed(['a', 'b'], loadBalancer))),
      'vips',
    );
    assert.deepEqual([pool.capacity, pool.needed], [3, 4]);
    assert.deepEqual(Object.keys(allocated(pool)), ['gateway', 'ingress', 'cluster/a']);
  });

  it('are one of each family where the pool has both', () => {
    const pool = poolOf(addressesOf(seedPoolModel(['10.9.0.0/30', '2001:db8::/64'], [])), 'vips');
    assert.deepEqual(allocated(pool), { gateway: ['10.9.0.0', '2001:db8::1'], ingress: ['10.9.0.1', '2001:db8::2'] });
    assert.equal(pool.capacity, 4, 'the smaller family decides');
  });
});

describe('virtual IPs of applications', () => {
  const model = (spec: object, clusters = clustersNamed(['a', 'b'])) =>
    sampleModel({
      datacenters: [sampleDatacenter('dc1')],
      clusters,
      pools: [samplePool('apps', { datacenter: 'dc1', ranges: ['10.8.0.0/24'], ...spec })],
    });

  it('are one for each cluster of the datacenter', () => {
    const pool = poolOf(addressesOf(model({})), 'apps');
    assert.deepEqual(
      pool.needs.map((need) => need.requirement),
      ['VS-7', 'VS-7'],
    );
    assert.deepEqual(allocated(pool), { 'cluster/a': ['10.8.0.0'], 'cluster/b': ['10.8.0.1'] });
  });

  it('are as many as the pool or the cluster says', () => {
    const clusters = [
      sampleCluster('all'),
      sampleCluster('by-hand', { workloadAddresses: { ips: ['10.8.0.200'] } }),
      sampleCluster('none', { workloadAddresses: { count: 0 } }),
      sampleCluster('one', { workloadAddresses: { count: 1 } }),
    ];
    const pool = poolOf(addressesOf(model({ allocation: { count: 2 } }, clusters)), 'apps');
    assert.deepEqual(allocated(pool), { 'cluster/all': ['10.8.0.0', '10.8.0.1'], 'cluster/one': ['10.8.0.2'] });
    assert.equal(pool.needed, 3);
  });

  it('are one network each where the pool hands out prefixes', () => {
    const pool = poolOf(addressesOf(model({ allocation: { prefix: 28 }, exclude: ['10.8.0.3'] })), 'apps');
    assert.deepEqual(allocated(pool), { 'cluster/a': ['10.8.0.16/28'], 'cluster/b': ['10.8.0.32/28'] });
    assert.equal(pool.capacity, 15, 'the network with the excluded address is not whole');
  });

  it('can be networks out of an IPv6 pool of any size', () => {
    const pool = poolOf(addressesOf(model({ ranges: ['2001:db8::/32'], allocation: { prefix: 64 } })), 'apps');
    assert.deepEqual(allocated(pool), { 'cluster/a': ['2001:db8::/64'], 'cluster/b': ['2001:db8:0:1::/64'] });
    assert.equal(pool.capacity, 2 ** 32);
  });

  it('are nothing for a cluster that belongs nowhere', () => {
    const pool = poolOf(addressesOf(model({}, clustersNamed(['a'], { datacenter: 'missing' }))), 'apps');
    assert.deepEqual(pool.needs, []);
  });
});

describe('the lock', () => {
  it('keeps an address that was excluded or left the ranges since', () => {
    const model = seedPoolModel(['10.9.0.0/29'], [], { exclude: ['10.9.0.0-10.9.0.1'] });
    const pool = poolOf(addressesOf(model, lockVips({ gateway: ['10.9.0.1'], ingress: ['192.0.2.1'] })), 'vips');
    assert.deepEqual(allocated(pool), { gateway: ['10.9.0.1'], ingress: ['192.0.2.1'] });
    assert.ok(pool.allocations.every((allocation) => allocation.locked));
  });

  it('is added to when a user needs more', () => {
    const model = sampleModel({
      clusters: [sampleCluster('a', { workloadAddresses: { count: 2 } })],
      pools: [samplePool('vips', { datacenter: 'dc1', ranges: ['10.8.0.0/24'] })],
    });
    const pool = poolOf(addressesOf(model, lockVips({ 'cluster/a': ['10.8.0.7'] })), 'vips');
    assert.deepEqual(pool.allocations, [{ for: 'cluster/a', addresses: ['10.8.0.7', '10.8.0.0'], locked: false }]);
  });

  it('gets the IPv6 address that a pool has had since it was written', () => {
    const model = seedPoolModel(['10.9.0.0/29', '2001:db8::/64'], []);
    const pool = poolOf(addressesOf(model, lockVips({ gateway: ['10.9.0.3'], ingress: ['10.9.0.4'] })), 'vips');
    assert.deepEqual(allocated(pool).gateway, ['10.9.0.3', '2001:db8::1']);
  });

  it('hands out the addresses of a removed cluster last', () => {
    const model = seedPoolModel(['10.9.0.0/30'], clustersNamed(['new-1', 'new-2'], loadBalancer));
    const lock = lockVips({ gateway: ['10.9.0.3'], ingress: ['10.9.0.2'], 'cluster/old': ['10.9.0.0'] });
    const pool = poolOf(addressesOf(model, lock), 'vips');
    assert.deepEqual(
      [allocated(pool)['cluster/new-1'], allocated(pool)['cluster/new-2']],
      [['10.9.0.1'], ['10.9.0.0']],
    );
  });

  it('of one pool is respected by another whose ranges hold the same address', () => {
    const model = sampleModel({
      platform: samplePlatform({ ingress: { address: { pool: 'b' } } }),
      seeds: [sampleSeed('west', { gateway: { address: { pool: 'a' } } })],
      pools: [
        samplePool('a', { seed: 'west', ranges: ['10.9.1.0/30'] }),
        samplePool('b', { seed: 'west', ranges: ['10.9.0.0/30'] }),
      ],
    });
    const lock = { pools: { a: { gateway: ['10.9.0.0'] } }, nodePorts: {} };
    assert.deepEqual(allocated(poolOf(addressesOf(model, lock), 'b')), { ingress: ['10.9.0.1'] });
  });
});

describe('pools that overlap', () => {
  it('never hand out the same address: it belongs to the one whose name sorts first', () => {
    const model = sampleModel({
      platform: samplePlatform({ ingress: { address: { pool: 'b' } } }),
      seeds: [sampleSeed('west', { gateway: { address: { pool: 'a' } } })],
      pools: [
        samplePool('a', { seed: 'west', ranges: ['10.9.0.0/30'] }),
        samplePool('b', { seed: 'west', ranges: ['10.9.0.0/29'] }),
      ],
    });
    const addresses = addressesOf(model);
    assert.deepEqual(allocated(poolOf(addresses, 'a')), { gateway: ['10.9.0.0'] });
    assert.deepEqual(allocated(poolOf(addresses, 'b')), { ingress: ['10.9.0.4'] });
  });
});
