import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as soon } from 'node:timers/promises';
import type { KubeClient } from '../kube/index.ts';
import { fakeCollection } from '../kube/testing/fake-collection.ts';
import { silentLog } from '../sys/log.ts';
import { ClusterNodes, type NodeObject } from './cluster-nodes.ts';
import { kindOfNode } from './own-nodes.ts';

const node = (name: string, kind?: string, ready = true): NodeObject => ({
  metadata: { name, uid: name, ...(kind === undefined ? {} : { labels: { 'causeway.dev/worker': kind } }) },
  status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'Unknown' }] },
});

/** An API server with these nodes, on each of which there is one pod. What is removed is told to who watches. */
function scene(t: TestContext, present: readonly NodeObject[], refusals = 0) {
  const removed: string[] = [];
  let left = refusals;
  const { watch, tell } = fakeCollection(present);
  const client = {
    watch,
    list: async (path: string) => [
      { metadata: { name: `on-${decodeURIComponent(path).split('=').at(-1)}`, namespace: 'store' } },
    ],
    remove: async (path: string) => {
      if (left-- > 0) throw new Error('not now');
      removed.push(path);
      const gone = present.find(({ metadata }) => path === `/api/v1/nodes/${metadata.name}`);
      if (gone !== undefined) tell('DELETED', gone);
      return true;
    },
  } as unknown as KubeClient;
  const nodes = new ClusterNodes({ cluster: 'shop', client: () => client, log: silentLog, changed: () => {} });
  t.after(() => nodes.stop());
  nodes.follow();
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await soon();
  };
  return { nodes, removed, settled };
}

const demo = [node('shop-1', 'demo'), node('shop-2', 'demo', false)];
const others = [node('by-hand'), node('shop-9'), node('machine-7', 'demo'), node('shop-3', 'mine')];

test('all nodes are counted, whoever brought them', async (t) => {
  const { nodes, settled } = scene(t, [...demo, ...others]);
  assert.equal(nodes.look(), undefined);
  await settled();
  assert.deepEqual(nodes.look(), { ready: 5, total: 6, leaving: [] });
});

test('nodes of another kind are removed with their pods, and those of others never', async (t) => {
  const { nodes, removed, settled } = scene(t, [...demo, ...others, node('shop-real', 'real')]);
  nodes.want('real');
  await settled();
  assert.deepEqual(removed, [
    '/api/v1/nodes/shop-1',
    '/api/v1/namespaces/store/pods/on-shop-1?gracePeriodSeconds=0',
    '/api/v1/nodes/shop-2',
    '/api/v1/namespaces/store/pods/on-shop-2?gracePeriodSeconds=0',
  ]);
  assert.deepEqual(nodes.look(), { ready: 5, total: 5, leaving: [] });
});

test('without workers no node of our own stays', async (t) => {
  const { nodes, removed, settled } = scene(t, [...demo, ...others, node('shop-real', 'real')]);
  await settled();
  nodes.want('none');
  assert.deepEqual(nodes.look()?.leaving, ['shop-1', 'shop-2', 'shop-real']);
  await settled();
  assert.equal(removed.filter((path) => path.startsWith('/api/v1/nodes/')).length, 3);
  assert.deepEqual(nodes.look(), { ready: 4, total: 4, leaving: [] });
});

test('demo nodes stay where demo nodes are wanted: how many is not decided here', async (t) => {
  const { nodes, removed, settled } = scene(t, [...demo, ...others]);
  nodes.want('demo');
  await settled();
  assert.deepEqual(removed, []);
});

test('a removal that failed is tried again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { nodes, removed, settled } = scene(t, demo, 1);
  nodes.want('none');
  await settled();
  assert.deepEqual([removed, nodes.look()?.leaving], [[], ['shop-1', 'shop-2']]);
  t.mock.timers.tick(5_000);
  await settled();
  assert.deepEqual(nodes.look(), { ready: 0, total: 0, leaving: [] });
});

test('a node is ours by its label and its name together', () => {
  const kinds = [...demo, ...others, node('shop-real', 'real'), node('shop-real'), node('shop-0', 'demo')];
  assert.deepEqual(
    kinds.map((one) => kindOfNode('shop', one)),
    ['demo', 'demo', undefined, undefined, undefined, undefined, 'real', undefined, undefined],
  );
});
