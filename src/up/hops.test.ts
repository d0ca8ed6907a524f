import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { plan } from '../plan/index.ts';
import { oneClusterModel } from '../plan/testing/one-cluster.ts';
import type { SeedGateway } from './gateway/seed-gateway.ts';
import { type HopFacts, hopsOf } from './hops.ts';
import type { Hop } from './view.ts';

const planned = plan(oneClusterModel({ cluster: { exposeStrategy: 'Tunneling' } }));
const gateway = { healthy: true, problem: undefined, clusterProblems: new Map() } as unknown as SeedGateway;
const good = { healthy: true };
const facts: HopFacts = {
  plan: planned,
  traffic: new Map(),
  gateway: () => gateway,
  controlPlane: () => ({ ready: true }),
  workers: () => ({ nodeAgent: good, konnectivityAgent: good, nodes: { ...good, ready: 2, total: 2 } }),
  lastWorked: (_, healthy) => (healthy ? 1000 : undefined),
};
const hop = (id: string, changes: Partial<HopFacts> = {}): Hop =>
  hopsOf({ ...facts, ...changes }, ['web']).find((one) => one.id === id) ?? assert.fail(`no ${id}`);

describe('the way to a cluster', () => {
  it('leads from users over the gateway to the API server, and from workers to the gateway', () => {
    const ways = hopsOf(facts, ['web']).map(({ id, from, to }) => `${id}: ${from} → ${to}`);
    assert.deepEqual(ways, [
      'gateway/west: users → gateway/west',
      'api/web: gateway/west → cluster/web',
      'konnectivity/web: workers/web → gateway/west',
      'agent/web: workers/web → gateway/west',
    ]);
    assert.ok(hopsOf(facts, ['web']).every(({ healthy, lastWorked }) => healthy && lastWorked === 1000));
  });

  it('names the row that asks for each opening', () => {
    assert.equal(hop('api/web').requirement, 'PRT-11');
    assert.equal(hop('agent/web').requirement, 'PRT-8');
    assert.equal(hop('agent/web').address, 'tunnel.west.kubermatic.example.com:8088');
  });

  it('says what is broken where it is broken', () => {
    const why = 'the port is closed';
    const workers = () => ({
      nodeAgent: { healthy: false, why, fix: 'open it' },
      konnectivityAgent: good,
      nodes: { ...good, ready: 2, total: 2 },
    });
    const { healthy, why: said, fix } = hop('agent/web', { workers });
    assert.deepEqual([healthy, said, fix], [false, why, 'open it']);
    assert.equal(hop('konnectivity/web', { workers }).healthy, true);
    assert.equal(hop('api/web', { controlPlane: () => ({ ready: false, reason: 'etcd starts' }) }).why, 'etcd starts');
  });

  it('blames the gateway, and not the control plane behind it, when it is the gateway', () => {
    const broken = { ...gateway, healthy: false, problem: { why: 'the port is taken' } } as SeedGateway;
    assert.equal(hop('api/web', { gateway: () => broken }).why, 'the port is taken');
  });

  it('knows nothing of workers that nobody plays here', () => {
    assert.equal(hop('agent/web', { workers: () => undefined }).healthy, undefined);
  });
});
