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
