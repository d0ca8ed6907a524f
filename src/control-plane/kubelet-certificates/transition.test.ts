import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClusterState, readClusterState, settledFor, writeClusterState } from '../cluster-state.ts';
import { FakeRuntime } from '../testing/fake-runtime.ts';
import { issuedMark, type MarkedNode, verifyWhenIssued } from './transition.ts';

const before: ClusterState = { strategy: 'Tunneling', kubernetesVersion: '1.36.3' };

async function clusterFrom(state: ClusterState | undefined): Promise<FakeRuntime> {
  const runtime = new FakeRuntime();
  runtime.isThere = true;
  if (state !== undefined) await writeClusterState(runtime.store, state);
  return runtime;
}

const joined = (name: string, issued: boolean): MarkedNode => ({
  metadata: { name, ...(issued && { annotations: { [issuedMark]: 'issued' } }) },
});
const demo: MarkedNode = { metadata: { name: 'shop-1', labels: { 'causeway.dev/worker': 'demo' } } };

test('a cluster from before asks kubelets for a certificate when all nodes have one, and goes on doing so', async () => {
  const runtime = await clusterFrom(before);
  const verifies = async (): Promise<boolean> => settledFor({}, await readClusterState(runtime)).verifiesKubelets;
  for (const nodes of [
    [joined('one', false)],
    [joined('one', true), joined('two', false)],
    [demo, joined('two', false)],
  ]) {
    assert.equal(await verifyWhenIssued(runtime, 'shop', nodes), false);
    assert.equal(await verifies(), false);
  }
  assert.equal(await verifyWhenIssued(runtime, 'shop', [demo, joined('one', true)]), true);
  assert.deepEqual(await readClusterState(runtime), { ...before, verifiesKubelets: true });
  assert.equal(await verifyWhenIssued(runtime, 'shop', [joined('late', false)]), false);
  assert.equal(await verifies(), true);
});

test('one without nodes asks for it at once, and a new one always did', async () => {
  assert.equal(await verifyWhenIssued(await clusterFrom(before), 'shop', []), true);
  const fresh = await clusterFrom(undefined);
  assert.equal(await verifyWhenIssued(fresh, 'shop', []), false);
  assert.equal(settledFor({}, await readClusterState(fresh)).verifiesKubelets, true);
});
