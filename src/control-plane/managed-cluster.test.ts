import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { until } from '../../test/support/gateway/until.ts';
import { writeClusterState } from './cluster-state.ts';
import type { ControlPlaneInput } from './control-plane.ts';
import { createManagedCluster, type ManagedCluster } from './managed-cluster.ts';
import { privateDirectory } from './private-files.ts';
import { FakeDriver } from './testing/fake-driver.ts';
import { fakeComponents } from './testing/fake-runtime.ts';
import { homeIn, sampleInput, scratchDirectory } from './testing/input.ts';

function stageOf(t: TestContext): { cluster: ManagedCluster; driver: FakeDriver; input: ControlPlaneInput } {
  const driver = new FakeDriver();
  const cluster = createManagedCluster({ driver, resolve: fakeComponents });
  t.after(() => cluster.stop());
  return { cluster, driver, input: sampleInput(homeIn(scratchDirectory(t))) };
}

describe('a managed cluster', () => {
  it('says at every moment why it is not ready', async (t) => {
    const { cluster, driver, input } = stageOf(t);
    assert.deepEqual([cluster.look().ready, cluster.look().reason], [false, 'it has not been started yet']);
    await cluster.reconcile(input);
    assert.deepEqual([cluster.look().ready, cluster.look().reason], [false, 'etcd: it is starting']);
    driver.healthy.add('etcd');
    await cluster.reconcile(input);
    assert.equal(cluster.look().reason, 'kube-apiserver: it is starting');
    driver.healthy.add('kube-apiserver');
    await cluster.reconcile(input);
    // The driver says that it is healthy; nothing is there, though, and that is told too.
    assert.match(cluster.look().reason ?? '', /^cannot talk to the API server at https:\/\/127\.0\.0\.1:21004/);
    assert.deepEqual(
      cluster.look().steps.map(({ name, healthy }) => [name, healthy]),
      [
        ['certificates', true],
        ['components', false],
      ],
    );
  });

  it('starts nothing without certificates, says why with the fix, and goes on when it is fixed', async (t) => {
    const { cluster, driver, input } = stageOf(t);
    mkdirSync(input.home.pki, { recursive: true });
    chmodSync(input.home.pki, 0o755);
    await cluster.reconcile(input);
    assert.match(cluster.look().reason ?? '', /open to other users/);
    assert.match(cluster.look().next ?? '', /^chmod 700/);
    assert.deepEqual(driver.applied, []);
    chmodSync(input.home.pki, 0o700);
    await until(() => driver.applied.length === 1);
  });

  it('warns of an authority that ends, for as long as it does', async (t) => {
    const { input } = stageOf(t);
    let now = Date.now();
    const cluster = createManagedCluster({ driver: new FakeDriver(), resolve: fakeComponents, now: () => now });
    t.after(() => cluster.stop());
    await cluster.reconcile(input);
    assert.deepEqual(cluster.look().warnings, []);
    now += 3500 * 24 * 3_600_000;
    await cluster.reconcile(input);
    assert.match(cluster.look().warnings[0] ?? '', /^the authority ca\.crt ends on 20/);
    await cluster.reconcile({ ...input });
    assert.equal(cluster.look().warnings.length, 3);
  });

  it('has no kubeconfig before it has certificates', async (t) => {
    const { cluster } = stageOf(t);
    const none = { code: 'CW-CLUSTER-STARTING' };
    await assert.rejects(cluster.kubeconfig('admin', { server: 'https://127.0.0.1:1' }), none);
    await assert.rejects(cluster.workerCredentials(), none);
    await assert.rejects(cluster.bootstrapToken(1000), none);
  });

  it('is removed with its own directories, and with nothing of a neighbour', async (t) => {
    const { cluster, driver, input } = stageOf(t);
    await cluster.reconcile(input);
    const neighbour = path.join(path.dirname(input.home.root), 'neighbour');
    mkdirSync(neighbour);
    await cluster.remove();
    assert.deepEqual(driver.removed, ['cluster/web']);
    assert.deepEqual([input.home.root, neighbour].map(existsSync), [false, true]);
  });

  it('can be removed even where what is wanted of it was refused from the start', async (t) => {
    const { cluster, input } = stageOf(t);
    privateDirectory(path.join(input.home.etcd, 'member'));
    writeClusterState(input.home, { strategy: 'NodePort', kubernetesVersion: '1.36.3' });
    await assert.rejects(cluster.reconcile(input), { code: 'CW-STRATEGY-CHANGE' });
    await cluster.remove();
    assert.equal(existsSync(input.home.root), false);
  });
});
