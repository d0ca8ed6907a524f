import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as soon } from 'node:timers/promises';
import { CausewayError } from '../../../core/errors.ts';
import { type KubeClient, KubeError } from '../../../kube/index.ts';
import { fakeCollection } from '../../../kube/testing/fake-collection.ts';
import { verdictFalse, verdictTrue } from '../../../reconcile/index.ts';
import { DemoNodes } from './demo-nodes.ts';

/** An API server with nodes, whose watch stays open until the test ends. */
function fakeApi(t: TestContext, present: Record<string, boolean>, refuse?: Error, unavailable = false) {
  const controller = new AbortController();
  t.after(() => controller.abort());
  const done: string[] = [];
  const client = {
    watch: fakeCollection(Object.entries(present).map(nodeObject), refuse).watch,
    list: async () => [{ metadata: { name: 'web', namespace: 'store' } }],
    post: async (_path: string, { metadata }: { metadata: { name: string } }) => {
      done.push(`POST ${metadata.name}`);
      throw done.length === 1 && unavailable
        ? new KubeError(503, 'not now')
        : new KubeError(409, 'somebody was faster');
    },
    remove: async (path: string) => {
      done.push(`DELETE ${path}`);
      return false;
    },
  } as unknown as KubeClient;
  const nodes = new DemoNodes('shop', client, () => {});
  return { nodes, done, signal: controller.signal };
}

const nodeObject = ([name, ready]: [string, boolean]) => ({
  metadata: { name, uid: name, labels: { 'causeway.dev/worker': 'demo' } },
  status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'Unknown' }] },
});

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await soon();
}

test('registers the nodes that are missing, removes those too many, and does not mind who was faster', async (t) => {
  // One has our label, and somebody else's name: it is not ours to remove.
  const { nodes, done, signal } = fakeApi(t, { 'shop-1': true, 'shop-3': true, 'machine-7': true });
  nodes.keep(2, signal);
  await settled();
  assert.deepEqual(done, [
    'POST shop-2',
    'DELETE /api/v1/nodes/shop-3',
    // Somebody else starts it again, on a node that is there.
    'DELETE /api/v1/namespaces/store/pods/web?gracePeriodSeconds=0',
  ]);
});

test('tells how many are Ready, and why it is not all', async (t) => {
  const { nodes, signal } = fakeApi(t, { 'shop-1': true, 'shop-2': false });
  nodes.keep(2, signal);
  await settled();
  const notReady = verdictFalse('NodesNotReady', '1 of 2 nodes are not Ready');
  assert.deepEqual(nodes.look(), { ...notReady, ready: 1, total: 2 });
});

test('is healthy when all are Ready', async (t) => {
  const { nodes, signal } = fakeApi(t, { 'shop-1': true, 'shop-2': true });
  nodes.keep(2, signal);
  await settled();
  assert.deepEqual(nodes.look(), { ...verdictTrue('NodesReady'), ready: 2, total: 2 });
});

test('tells what is in the way, and what to do', async (t) => {
  const { nodes, signal } = fakeApi(t, {}, new CausewayError('CW-X', 'the proxy says no', 'ask the proxy team'));
  nodes.keep(2, signal);
  await settled();
  const refused = verdictFalse('CW-X', 'the proxy says no', 'ask the proxy team');
  assert.deepEqual(nodes.look(), { ...refused, ready: 0, total: 2 });
});

test('a node that could not be registered is tried again, although nothing has changed', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { nodes, done, signal } = fakeApi(t, { 'shop-1': true }, undefined, true);
  nodes.keep(2, signal);
  await settled();
  assert.equal(nodes.look().message, 'not now');
  t.mock.timers.tick(5_000);
  await settled();
  assert.deepEqual([done, nodes.look().message], [['POST shop-2', 'POST shop-2'], '1 of 2 nodes are not Ready']);
});

test('another number of nodes is another number, without asking again', async (t) => {
  const { nodes, done, signal } = fakeApi(t, { 'shop-1': true, 'shop-2': true });
  nodes.keep(2, signal);
  await settled();
  nodes.want(3);
  await settled();
  assert.deepEqual(done, ['POST shop-3']);
  assert.deepEqual([nodes.has('shop-3'), nodes.has('shop-4')], [true, false]);
});
