import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as soon } from 'node:timers/promises';
import { CausewayError } from '../core/errors.ts';
import { DemoNodes } from './demo-nodes.ts';
import { ApiRefusal, type NodeClient } from './node-client.ts';

/** An API server with nodes, whose watch stays open until the test ends. */
function fakeApi(t: TestContext, present: Record<string, boolean>, refuse?: Error) {
  const over = new AbortController();
  t.after(() => over.abort());
  const done: string[] = [];
  const client: NodeClient = {
    ask: async <Answer>(method: string, path: string, body?: object) => {
      if (method === 'GET') {
        if (refuse !== undefined) throw refuse;
        if (path.startsWith('/api/v1/pods'))
          return { items: [{ metadata: { name: 'web', namespace: 'store' } }] } as Answer;
        return { metadata: { resourceVersion: '1' }, items: Object.entries(present).map(nodeObject) } as Answer;
      }
      const { metadata } = (body ?? {}) as { metadata?: { name: string } };
      done.push(metadata === undefined ? `${method} ${path}` : `${method} ${metadata.name}`);
      throw new ApiRefusal(method === 'POST' ? 409 : 404, 'somebody was faster');
    },
    watch: (_path, _take, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
  };
  const nodes = new DemoNodes('shop', client, () => {});
  return { nodes, done, signal: over.signal };
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
  assert.deepEqual(nodes.look(), { healthy: false, ready: 1, total: 2, why: '1 of 2 nodes are not Ready' });
});

test('is healthy when all are Ready', async (t) => {
  const { nodes, signal } = fakeApi(t, { 'shop-1': true, 'shop-2': true });
  nodes.keep(2, signal);
  await settled();
  assert.deepEqual(nodes.look(), { healthy: true, ready: 2, total: 2 });
});

test('tells what is in the way, and what to do', async (t) => {
  const { nodes, signal } = fakeApi(t, {}, new CausewayError('CW-X', 'the proxy says no', 'ask the proxy team'));
  nodes.keep(2, signal);
  await settled();
  const why = { why: 'the proxy says no', fix: 'ask the proxy team' };
  assert.deepEqual(nodes.look(), { healthy: false, ready: 0, total: 2, ...why });
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
