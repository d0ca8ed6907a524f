import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Seed } from '../../model/schema/index.ts';
import type { NodePortPlan } from '../schema/index.ts';
import { addressesOf, clustersNamed } from '../testing/address-plans.ts';
import { sampleCluster, sampleModel, sampleSeed } from '../testing/sample-model.ts';

type Gateway = Partial<Seed['spec']['gateway']>;
type Lock = Record<string, { apiServer: number; konnectivity: number }>;

function portsOf(clusters = clustersNamed(['a', 'b']), gateway: Gateway = {}, lock: Lock = {}): NodePortPlan {
  const seeds = [sampleSeed('west', { gateway: { address: {}, ...gateway } })];
  return addressesOf(sampleModel({ seeds, clusters }), { pools: {}, nodePorts: { west: lock } })
    .nodePorts[0] as NodePortPlan;
}
const pairs = (plan: NodePortPlan) =>
  Object.fromEntries(plan.allocations.map((a) => [a.cluster, [a.apiServer, a.konnectivity]]));

describe('node ports', () => {
  it('are two for each cluster that is told apart by port', () => {
    const clusters = [
      sampleCluster('lb', { exposeStrategy: 'LoadBalancer' }),
      sampleCluster('np', { exposeStrategy: 'NodePort' }),
      sampleCluster('tunnel', { exposeStrategy: 'Tunneling' }),
    ];
    const plan = portsOf(clusters);
    assert.deepEqual(pairs(plan), { lb: [30000, 30001], np: [30002, 30003] });
    assert.deepEqual([plan.range, plan.capacity, plan.needed], ['30000-32767', 2768, 4]);
  });

  it('leave out reserved ports and those of the gateway', () => {
    const plan = portsOf(clustersNamed(['a']), { nodePortRange: '6442-6446', reservedNodePorts: [6444] });
    assert.deepEqual(pairs(plan), { a: [6442, 6445] });
    assert.equal(plan.capacity, 3);
  });

  it('stay with their cluster, even if reserved since', () => {
    const plan = portsOf(undefined, { reservedNodePorts: [31000] }, { b: { apiServer: 31000, konnectivity: 30000 } });
    assert.deepEqual(pairs(plan), { a: [30001, 30002], b: [31000, 30000] });
    assert.deepEqual(
      plan.allocations.map((allocation) => allocation.locked),
      [false, true],
    );
  });

  it('of a removed cluster are handed out last', () => {
    const lock = { gone: { apiServer: 30000, konnectivity: 30001 } };
    assert.deepEqual(pairs(portsOf(undefined, { nodePortRange: '30000-30003' }, lock)), {
      a: [30002, 30003],
      b: [30000, 30001],
    });
  });

  it('are missing when the range is used up', () => {
    const plan = portsOf(undefined, { nodePortRange: '30000-30002' });
    assert.deepEqual(pairs(plan), { a: [30000, 30001] });
    assert.deepEqual([plan.capacity, plan.needed], [3, 4]);
  });

  it('are given to a cluster whose name every object knows', () => {
    assert.deepEqual(pairs(portsOf(clustersNamed(['constructor']))), { constructor: [30000, 30001] });
  });
});
