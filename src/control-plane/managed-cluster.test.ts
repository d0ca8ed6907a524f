import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { CausewayError } from '../core/errors.ts';
import { writeClusterState } from './cluster-state.ts';
import type { ControlPlaneInput } from './control-plane.ts';
import { createManagedCluster, type ManagedCluster } from './managed-cluster.ts';
import { FakeDriver } from './testing/fake-driver.ts';
import { FakeRuntime } from './testing/fake-runtime.ts';
import { sampleInput } from './testing/input.ts';

interface Stage {
  readonly cluster: ManagedCluster;
  readonly driver: FakeDriver;
  readonly runtime: FakeRuntime;
  readonly input: ControlPlaneInput;
}

function stageOf(t: TestContext): Stage {
  const [driver, runtime] = [new FakeDriver(), new FakeRuntime()];
  const cluster = createManagedCluster({ driver, runtime });
  t.after(() => cluster.stop());
  return { cluster, driver, runtime, input: sampleInput() };
}

describe('a managed cluster', () => {
  it('says at every moment why it is not ready', async (t) => {
    const { cluster, driver, input } = stageOf(t);
    const notStarted = { status: 'False', reason: 'NotStarted', message: 'it has not been started yet' };
    assert.deepEqual(cluster.observe().ready, notStarted);
    const { done, requeueAfterMs } = await cluster.reconcile(input);
    assert.deepEqual([done, requeueAfterMs], [false, 60_000]);
    const starting = { status: 'False', reason: 'Starting', message: 'etcd: it is starting' };
    assert.deepEqual(cluster.observe().ready, starting);
    driver.healthy.add('etcd');
    await cluster.reconcile(input);
    assert.equal(cluster.observe().ready.message, 'kube-apiserver: it is starting');
    driver.healthy.add('kube-apiserver');
    await cluster.reconcile(input);
    // The driver says that it is healthy; nothing is there, though, and that is told too.
    assert.match(cluster.observe().ready.message, /^cannot talk to the API server at https:\/\/127\.0\.0\.1:1/);
    assert.deepEqual(
      cluster.observe().conditions.map(({ type, status }) => [type, status]),
      [
        ['CertificatesValid', 'True'],
        ['ApiServerReady', 'False'],
      ],
    );
  });

  it('starts nothing without certificates, says why with the fix, and goes on when it is fixed', async (t) => {
    const { cluster, driver, runtime, input } = stageOf(t);
    const { get } = runtime.store;
    runtime.store.get = () => Promise.reject(new CausewayError('CW-KEYS-OPEN', 'open to other users', 'chmod 700 pki'));
    await cluster.reconcile(input);
    assert.match(cluster.observe().ready.message, /open to other users/);
    assert.match(cluster.observe().ready.fix ?? '', /^chmod 700/);
    assert.deepEqual(driver.applied, []);
    runtime.store.get = get;
    await cluster.reconcile(input);
    assert.equal(driver.applied.length, 1);
  });

  it('is asked for again after a minute, or when a certificate is due, and gets further at most once by the same', async (t) => {
    const { input } = stageOf(t);
    let now = Date.now();
    const cluster = createManagedCluster({
      driver: new FakeDriver(),
      runtime: new FakeRuntime(),
      now: () => now,
      lifetimeMs: 3_600_000,
    });
    t.after(() => cluster.stop());
    assert.equal((await cluster.reconcile(input)).progress, true);
    assert.equal((await cluster.reconcile(input)).progress, false);
    let due = (await cluster.reconcile(input)).requeueAfterMs ?? 0;
    for (; due === 60_000; now += 60_000) due = (await cluster.reconcile(input)).requeueAfterMs ?? 0;
    assert.ok(due >= 500 && due < 60_000);
  });

  it('keeps what runs as it was described before when a change is refused', async (t) => {
    const { cluster, driver, runtime, input } = stageOf(t);
    await cluster.reconcile(input);
    await writeClusterState(runtime.store, { strategy: 'Tunneling', kubernetesVersion: '1.36.3' });
    runtime.isThere = true;
    driver.healthy.add('etcd');
    const older = { ...input, kubernetesVersion: '1.35.4' };
    await assert.rejects(cluster.reconcile(older), { code: 'CW-VERSION-CHANGE' });
    // It was looked at all the same.
    assert.equal(cluster.observe().ready.message, 'kube-apiserver: it is starting');
    assert.equal(driver.wanted.includes('kube-apiserver@1.35.4'), false);
  });

  it('warns of an authority that ends, for as long as it does', async (t) => {
    const { input } = stageOf(t);
    let now = Date.now();
    const cluster = createManagedCluster({ driver: new FakeDriver(), runtime: new FakeRuntime(), now: () => now });
    t.after(() => cluster.stop());
    await cluster.reconcile(input);
    assert.deepEqual(cluster.observe().warnings, []);
    now += 3500 * 24 * 3_600_000;
    await cluster.reconcile(input);
    assert.match(cluster.observe().warnings[0] ?? '', /^the authority ca\.crt ends on 20/);
    await cluster.reconcile({ ...input });
    assert.equal(cluster.observe().warnings.length, 4);
  });

  it('has no kubeconfig before it has certificates', async (t) => {
    const { cluster } = stageOf(t);
    const none = { code: 'CW-CLUSTER-STARTING' };
    await assert.rejects(cluster.kubeconfig({ person: 'ann', role: 'admin' }, { server: 'https://127.0.0.1:1' }), none);
    await assert.rejects(cluster.workerCredentials(), none);
    await assert.rejects(cluster.bootstrapToken(1000), none);
  });

  it('is removed with all that it kept, after nothing of it runs', async (t) => {
    const { cluster, driver, runtime, input } = stageOf(t);
    await cluster.reconcile(input);
    assert.ok(runtime.store.values.size > 0);
    let stopped: readonly string[] = [];
    const { remove } = runtime;
    runtime.remove = () => {
      stopped = [...driver.removed];
      return remove();
    };
    await cluster.remove();
    assert.deepEqual([stopped, runtime.store.values.size], [['cluster/web'], 0]);
  });

  it('can be removed even where what is wanted of it was refused from the start', async (t) => {
    const { cluster, runtime, input } = stageOf(t);
    runtime.isThere = true;
    await writeClusterState(runtime.store, { strategy: 'NodePort', kubernetesVersion: '1.36.3' });
    await assert.rejects(cluster.reconcile(input), { code: 'CW-STRATEGY-CHANGE' });
    await cluster.remove();
    assert.equal(runtime.store.values.size, 0);
  });
});
