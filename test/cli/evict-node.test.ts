// `causeway cluster evict-node`: who is shut out of a cluster, and let in again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { causewayLater } from '../support/cli.ts';
import { controlledSample } from '../support/controlled-sample.ts';

test('shuts a node out, lists it, and lets it in again', async (t) => {
  const { directory, platform } = await controlledSample(t);
  const cluster = (name: string, ...args: string[]) => causewayLater(['cluster', name, ...args, '--dir', directory]);
  assert.equal((await cluster('evicted-nodes', 'tunneling')).stdout, 'none\n');
  const { code, stdout, stderr } = await cluster('evict-node', 'tunneling', 'rack-7.example');
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(
    stdout,
    /^rack-7\.example is shut out of tunneling: .*\n.*causeway cluster join tunneling" makes it anew\n$/,
  );
  assert.equal(platform.evictedNodes('tunneling').length, 1);
  assert.match(
    (await cluster('evicted-nodes', 'tunneling')).stdout,
    /^NODE +EVICTED\s+rack-7\.example +20\d\d-.*Z\s*$/,
  );
  const listed = JSON.parse((await cluster('evicted-nodes', 'tunneling', '-o', 'json')).stdout) as { node: string }[];
  assert.deepEqual(
    listed.map(({ node }) => node),
    ['rack-7.example'],
  );
  const back = await cluster('readmit-node', 'tunneling', 'rack-7.example');
  assert.deepEqual([back.code, platform.evictedNodes('tunneling')], [0, []]);
});

test('says which name is wrong: of the cluster, or of the node', async (t) => {
  const { directory } = await controlledSample(t);
  const cluster = (name: string, ...args: string[]) => causewayLater(['cluster', name, ...args, '--dir', directory]);
  const mistyped = await cluster('evict-node', 'tuneling', 'n1');
  assert.match(mistyped.stderr, /fix: did you mean tunneling\?/);
  assert.notEqual(mistyped.code, 0);
  const noNode = await cluster('evict-node', 'tunneling', 'No such');
  assert.match(noNode.stderr, /is no name of a node/);
  assert.notEqual(noNode.code, 0);
  const notEvicted = await cluster('readmit-node', 'tunneling', 'n1');
  assert.match(notEvicted.stderr, /evicted node "n1" of tunneling/);
  assert.notEqual(notEvicted.code, 0);
});
