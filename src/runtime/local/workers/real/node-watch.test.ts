import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodeObject } from '../../../../control-plane/index.ts';
import { verdictFalse, verdictTrue } from '../../../../reconcile/index.ts';
import { nodeSeen } from './node-watch.ts';

const node = (status: string): NodeObject => ({
  metadata: { name: 'web-real', uid: '1' },
  status: { conditions: [{ type: 'Ready', status }] },
});

test('a node is Ready when the API server says so, and not when somebody has deleted it', () => {
  assert.deepEqual(nodeSeen('web-real', [node('True')]), { ...verdictTrue('NodesReady'), ready: 1, total: 1 });
  assert.equal(nodeSeen('web-real', [node('Unknown')]).message, 'node web-real is not Ready');
  const missing = verdictFalse('NodeMissing', 'the API server has no node web-real');
  assert.deepEqual(nodeSeen('web-real', []), { ...missing, ready: 0, total: 1 });
});
