import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { plan } from '../plan/index.ts';
import { oneClusterModel } from '../plan/testing/one-cluster.ts';
import { verdictFalse, verdictStarting, verdictTrue } from '../reconcile/index.ts';
import type { SeedGateway } from './gateway/seed-gateway.ts';
import { type HopFacts, hopsOf } from './hops.ts';
import type { Hop } from './view.ts';

const planned = plan(oneClusterModel({ cluster: { exposeStrategy: 'Tunneling' } }));
const gateway = {
  healthy: true,
  isStarting: false,
  problem: undefined,
  clusterProblems: new Map(),
} as unknown as SeedGateway;
const good = verdictTrue();
const facts: HopFacts = {
  plan: planned,
  traffic: new Map(),
  gateway: () => gateway,
  upstreams: () => undefined,
  controlPlane: () => verdictTrue(),
  workers: () => ({ kind: 'demo', nodeAgent: good, konnectivityAgent: good, nodes: { ...good, ready: 2, total: 2 } }),
  lastWorked: (_, healthy) => (healthy ? 1000 : undefined),
  hasWorked: () => false,
  isStarting: () => false,
};
const hop = (id: string, changes: Partial<HopFacts> = {}): Hop =>
  hopsOf({ ...facts, ...changes }, ['web']).find((one) => one.id === id) ?? assert.fail(`no ${id}`);

const rows = ({ flows }: Hop): string[] => flows.map(({ requirement }) => requirement);

describe('the path to a cluster', () => {
  it('leads from users over the gateway to the API server, and from workers to the gateway', () => {
    const paths = hopsOf(facts, ['web']).map(({ id, from, to }) => `${id}: ${from} → ${to}`);
    assert.deepEqual(paths, [
      'gateway/west: users → gateway/west',
      'api/web: gateway/west → cluster/web',
      'kubelet/web: workers/web → gateway/west',
      'konnectivity/web: workers/web → gateway/west',
      'agent/web: workers/web → gateway/west',
    ]);
    assert.ok(hopsOf(facts, ['web']).every(({ healthy, lastWorked }) => healthy && lastWorked === 1000));
  });

  it('names the row that asks for each opening', () => {
    assert.deepEqual(rows(hop('gateway/west')), ['PRT-11']);
    assert.deepEqual(rows(hop('agent/web')), ['PRT-8']);
    assert.equal(hop('agent/web').address, 'tunnel.west.kubermatic.example.com:8088');
    // No firewall stands inside the seed.
    assert.deepEqual(rows(hop('api/web')), []);
  });

  it('has its row and its ports in the network of a tenant, too', () => {
    const tenants = [{ name: 'retail', networks: ['10.2.7.0/24'] }];
    const ofTenant = plan(
      oneClusterModel({ datacenter: { tenants }, cluster: { tenant: 'retail', exposeStrategy: 'NodePort' } }),
    );
    const { apiServer, konnectivity } = ofTenant.endpoints.web ?? assert.fail('it is planned');
    const at = (id: string): Hop => hop(id, { plan: ofTenant });
    assert.deepEqual(
      at('kubelet/web').flows.map(({ from }) => from),
      ['datacenter/dc1/tenants/retail/workers'],
    );
    assert.deepEqual(at('kubelet/web').ports, [apiServer.port]);
    assert.deepEqual(at('konnectivity/web').ports, [konnectivity.port]);
    assert.deepEqual(at('gateway/west').ports, [apiServer.port]);
  });

  it('leads to where the runtime has the control plane', () => {
    const host = '127.0.0.1';
    const upstreams = { apiServer: { host, port: 20_009 }, konnectivity: { host, port: 20_003 } };
    const { address, ports: shown } = hop('api/web', { upstreams: () => upstreams });
    assert.deepEqual([address, shown], ['127.0.0.1:20009', [20_003, 20_009]]);
    assert.deepEqual(hop('api/web').ports, [443]);
  });

  it('says from where it was seen to work or to fail, and nothing where nobody looks', () => {
    assert.equal(hop('gateway/west').seenFrom, 'this machine');
    assert.equal(hop('api/web').seenFrom, 'this machine');
    assert.equal(hop('agent/web').seenFrom, 'the demo workers on this machine');
    assert.equal(hop('agent/web', { workers: () => undefined }).seenFrom, undefined);
  });

  it('says what is broken where it is broken', () => {
    const why = 'the port is closed';
    const workers = () => ({
      kind: 'demo' as const,
      nodeAgent: verdictFalse('NotConnected', why, 'open it'),
      konnectivityAgent: good,
      nodes: { ...good, ready: 2, total: 2 },
    });
    const { healthy, why: said, fix } = hop('agent/web', { workers });
    assert.deepEqual([healthy, said, fix], [false, why, 'open it']);
    assert.equal(hop('konnectivity/web', { workers }).healthy, true);
    assert.equal(hop('api/web', { controlPlane: () => verdictFalse('Starting', 'etcd starts') }).why, 'etcd starts');
  });

  it('blames the gateway, and not the control plane behind it, when it is the gateway', () => {
    const broken = { ...gateway, healthy: false, problem: verdictFalse('Taken', 'the port is taken') } as SeedGateway;
    assert.equal(hop('api/web', { gateway: () => broken }).why, 'the port is taken');
  });

  it('starts while its cluster does, and until it has worked once', () => {
    const starting = { isStarting: () => true, controlPlane: () => verdictFalse('Starting', 'etcd starts') };
    const { healthy, starting: starts, why, lastWorked } = hop('api/web', starting);
    assert.deepEqual([healthy, starts, why, lastWorked], [undefined, true, 'etcd starts', undefined]);
    assert.equal(hop('api/web', { ...starting, hasWorked: () => true }).healthy, false, 'it worked and has stopped');
    assert.equal(hop('api/web', { ...starting, isStarting: () => false }).healthy, false, 'its time is over');
  });

  it('starts also where its agent is not there yet, and nothing is known of one that nobody plays here', () => {
    const nodes = { ...verdictStarting(), ready: 0, total: 2 };
    const workers = () => ({ kind: 'demo' as const, konnectivityAgent: verdictStarting(), nodes });
    assert.equal(hop('agent/web', { isStarting: () => true, workers }).starting, true);
    assert.equal(hop('agent/web', { isStarting: () => true, workers: () => undefined }).starting, undefined);
  });

  it('does not work because its gateway does: nobody has looked at the control plane yet', () => {
    const unseen = { isStarting: () => true, controlPlane: () => undefined };
    assert.deepEqual([hop('api/web', unseen).healthy, hop('api/web', unseen).lastWorked], [undefined, undefined]);
  });

  it('starts at a gateway that was not tried yet, and fails at one that was', () => {
    const young = { ...gateway, healthy: false, isStarting: true, problem: verdictStarting() };
    assert.equal(hop('gateway/west', { gateway: () => young as SeedGateway }).starting, true);
    assert.equal(hop('gateway/west', { gateway: () => undefined }).starting, true);
    const taken = { ...young, isStarting: false, problem: verdictFalse('Taken', 'the port is taken') };
    assert.deepEqual(hop('gateway/west', { gateway: () => taken as SeedGateway }).healthy, false);
  });

  it('knows nothing of workers that nobody plays here', () => {
    assert.equal(hop('agent/web', { workers: () => undefined }).healthy, undefined);
  });
});
