import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodeObject } from '../../../../control-plane/index.ts';
import { nodeSeen } from './node-watch.ts';

const node = (status: string): NodeObject => ({
  metadata: { name: 'web-real', uid: '1' },
  status: { conditions: [{ type: 'Ready', status }] },
});

test('a node is Ready when the API server says so, and not when somebody has deleted it', () => {
  assert.deepEqual(nodeSeen('web-real', [node('True')]), { healthy: true, ready: 1, total: 1 });
  assert.equal(nodeSeen('web-real', [node('Unknown')]).why, 'node web-real is not Ready');
  const gone = nodeSeen('web-real', []);
  assert.deepEqual([gone.healthy, gone.ready, gone.why], [false, 0, 'the API server has no node web-real']);
});
