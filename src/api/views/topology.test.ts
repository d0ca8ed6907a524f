import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterDetail } from '../schema/clusters.ts';
import { topology } from '../schema/topology.ts';
import { sampleApi } from '../testing/sample-api.ts';
import { topologyOf, topologyOfCluster } from './topology.ts';

test('of many clusters each datacenter is one node, and what is broken in it still shows', async (t) => {
  const { platform } = await sampleApi(t, { trouble: ['tunneling'] });
  const { nodes, edges, aggregated } = topology.parse(topologyOf(platform.view(), 2));
  assert.equal(aggregated, true);
  const local = nodes.find(({ id }) => id === 'workers-of/local');
  assert.deepEqual([local?.count, local?.healthy], [3, false]);
  assert.equal(nodes.find(({ id }) => id === 'workers-of/behind-proxy')?.healthy, true);
  const broken = edges.filter(({ healthy }) => healthy === false);
  assert.deepEqual(
    broken.map(({ from, to }) => [from, to]),
    [['workers-of/local', 'gateway/local']],
  );
  assert.match(broken[0]?.why ?? '', /^3 of 7 fail; one because connection refused/);
  const ids = new Set(nodes.map(({ id }) => id));
  assert.deepEqual(
    edges.filter(({ from, to }) => !ids.has(from) || !ids.has(to)),
    [],
  );
});

test('the same view is drawn once', async (t) => {
  const { platform } = await sampleApi(t, { tickMs: 60_000 });
  const view = platform.view();
  assert.equal(topologyOf(view), topologyOf(view));
});

test('every line has its flow and who opens that, whatever the strategy and with a proxy between', async (t) => {
  const { platform } = await sampleApi(t);
  const { edges } = topology.parse(topologyOf(platform.view()));
  const rows = edges.map(({ id, ports, flows }) => {
    const opened = flows.map(({ requirement, openedBy }) => `${requirement} ${openedBy}`);
    return `${id} ${ports.join(',')}: ${opened.join(', ')}`;
  });
  assert.deepEqual(rows, [
    'gateway/local 6443,30000,30002: PRT-13 you, PRT-12 you, PRT-11 you',
    'api/loadbalancer 443: ',
    'kubelet/loadbalancer 30000: PRT-10 you',
    'konnectivity/loadbalancer 30001: PRT-10 you',
    'api/nodeport 443: ',
    'kubelet/nodeport 30002: PRT-9 you',
    'konnectivity/nodeport 30003: PRT-9 you',
    'api/single-port 443: ',
    'kubelet/single-port 3128: PRX-1 you',
    'konnectivity/single-port 3128: PRX-1 you',
    'agent/single-port 3128: PRX-1 you',
    'proxy/single-port 8443: PRT-8 you',
    'api/tunneling 443: ',
    'kubelet/tunneling 6443: PRT-8 you',
    'konnectivity/tunneling 6443: PRT-8 you',
    'agent/tunneling 8088: PRT-8 you',
  ]);
});

test('the way of one cluster has its own ports at the gateway, and not those of others', async (t) => {
  const { platform, json } = await sampleApi(t);
  const { edges } = topology.parse(topologyOfCluster(platform.view(), 'nodeport'));
  const ports = Object.fromEntries(edges.map((edge) => [edge.id, edge.ports]));
  assert.deepEqual(ports, {
    'gateway/local': [30002],
    'api/nodeport': [443],
    'kubelet/nodeport': [30002],
    'konnectivity/nodeport': [30003],
  });
  const { hops } = clusterDetail.parse(await json('viewer', '/api/v1/clusters/nodeport'));
  assert.deepEqual(
    hops.map((hop) => [hop.id, hop.ports, hop.flows.map(({ requirement }) => requirement)]),
    [
      ['gateway/local', [30002], ['PRT-12']],
      ['api/nodeport', [443], []],
      ['kubelet/nodeport', [30002], ['PRT-9']],
      ['konnectivity/nodeport', [30003], ['PRT-9']],
    ],
  );
});

test('a line that stands for many has all of their ports and flows', async (t) => {
  const { platform } = await sampleApi(t);
  const { edges } = topology.parse(topologyOf(platform.view(), 2));
  const workers = edges.find(({ from }) => from === 'workers-of/local');
  assert.deepEqual(workers?.ports, [6443, 8088, '30000-30003']);
  assert.deepEqual(workers?.flows.map(({ requirement }) => requirement).sort(), ['PRT-10', 'PRT-8', 'PRT-9']);
  assert.equal(workers?.address, undefined);
  assert.equal(workers?.seenFrom, 'the demo workers on this machine');
});

test('what starts is neither broken nor fine, one by one and in the picture of many', async (t) => {
  const { platform } = await sampleApi(t, { starting: ['tunneling'] });
  const { nodes, edges } = topology.parse(topologyOf(platform.view()));
  const cluster = nodes.find(({ id }) => id === 'cluster/tunneling');
  const workers = nodes.find(({ id }) => id === 'workers/tunneling');
  assert.deepEqual(
    [cluster?.healthy, cluster?.starting, workers?.healthy, workers?.starting],
    [undefined, true, undefined, true],
  );
  const own = edges.filter(({ id }) => id.endsWith('/tunneling'));
  assert.ok(own.length >= 3 && own.every(({ healthy, starting }) => healthy === undefined && starting));
  const many = topology.parse(topologyOf(platform.view(), 1));
  const datacenter = many.nodes.find(({ id }) => id === 'cluster-of/local');
  assert.deepEqual([datacenter?.healthy, datacenter?.starting], [undefined, true]);
  assert.deepEqual(
    many.edges.filter(({ healthy }) => healthy === false),
    [],
  );
});
