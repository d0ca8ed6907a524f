import assert from 'node:assert/strict';
import { test } from 'node:test';
import { topology } from '../schema/topology.ts';
import { sampleApi } from '../testing/sample-api.ts';
import { topologyOf } from './topology.ts';

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
  assert.match(broken[0]?.why ?? '', /^2 of 4 fail; one because connection refused/);
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
  const rows = Object.fromEntries(edges.map(({ id, flow }) => [id, `${flow?.requirement} ${flow?.openedBy}`]));
  assert.deepEqual(rows, {
    'gateway/local': 'PRT-11 you',
    'api/loadbalancer': 'PRT-13 you',
    'konnectivity/loadbalancer': 'PRT-10 you',
    'api/nodeport': 'PRT-12 you',
    'konnectivity/nodeport': 'PRT-9 you',
    'api/single-port': 'PRT-11 you',
    'konnectivity/single-port': 'PRX-1 you',
    'agent/single-port': 'PRX-1 you',
    'proxy/single-port': 'PRT-8 you',
    'api/tunneling': 'PRT-11 you',
    'konnectivity/tunneling': 'PRT-8 you',
    'agent/tunneling': 'PRT-8 you',
  });
});
