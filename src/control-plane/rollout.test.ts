import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeClient } from '../kube/index.ts';
import { type Verdict, verdictTrue } from '../reconcile/index.ts';
import { readClusterState, writeClusterState } from './cluster-state.ts';
import { controlPlaneWorkloads } from './components/index.ts';
import type { ControlPlaneInput } from './control-plane.ts';
import { Rollout, type RolloutOptions } from './rollout.ts';
import { FakeDriver } from './testing/fake-driver.ts';
import { FakeRuntime, fakeComponents } from './testing/fake-runtime.ts';
import { sampleInput, workloadInput } from './testing/input.ts';

const all = ['etcd', 'kube-apiserver', 'konnectivity-server', 'kube-controller-manager', 'kube-scheduler'];

interface Stage {
  readonly driver: FakeDriver;
  /** What the API server says of itself. */
  version: string;
  readonly saved: string[];
  want(version: string): Promise<Verdict>;
  rollout(): Rollout;
  /** As after a restart of our process. */
  restart(): void;
  readonly input: ControlPlaneInput;
  readonly runtime: FakeRuntime;
}

/** A cluster that was made with `made`, if it was made at all. */
async function stageOf(made?: string, options: Partial<RolloutOptions> = {}): Promise<Stage> {
  const input = sampleInput();
  const runtime = new FakeRuntime();
  runtime.isThere = true;
  if (made !== undefined) await writeClusterState(runtime.store, { strategy: 'Tunneling', kubernetesVersion: made });
  const driver = new FakeDriver();
  const saved: string[] = [];
  const create = (): Rollout =>
    new Rollout({ driver, runtime, beforeUpgrade: async (_, from) => void saved.push(from), ...options });
  let rollout = create();
  const stage = {
    driver,
    saved,
    input,
    runtime,
    rollout: () => rollout,
    version: made ?? '1.36.3',
    restart: () => {
      rollout = create();
      driver.applied.length = 0;
    },
    want: (version: string) => {
      const wanted = { ...input, kubernetesVersion: version };
      const client = { get: async () => ({ gitVersion: `v${stage.version}` }) } as unknown as KubeClient;
      return rollout.ensure(wanted, fakeComponents(controlPlaneWorkloads(workloadInput(wanted))), client);
    },
  };
  return stage;
}

describe('a new cluster', () => {
  it('starts whole, and waits for store and API server by name', async () => {
    const stage = await stageOf();
    assert.match((await stage.want('1.36.3')).message, /^etcd: it is starting/);
    assert.equal(stage.driver.applied[0]?.length, all.length);
    stage.driver.healthy.add('etcd');
    assert.match((await stage.want('1.36.3')).message, /^kube-apiserver: it is starting/);
    stage.driver.healthy.add('kube-apiserver');
    assert.deepEqual(await stage.want('1.36.3'), verdictTrue());
    assert.equal((await readClusterState(stage.runtime))?.kubernetesVersion, '1.36.3');
    assert.deepEqual([stage.driver.applied.length, stage.saved], [1, []]);
  });

  it('remembers what it was made with, through an upgrade too; one from before does not get it', async () => {
    for (const [from, podSecurity] of [
      [undefined, 'baseline'],
      ['1.36.1', undefined],
    ] as const) {
      const stage = await stageOf(from);
      for (const name of all) stage.driver.healthy.add(name);
      stage.version = from ?? '1.36.1';
      await stage.want('1.36.1');
      stage.version = '1.36.3';
      await stage.want('1.36.3');
      const { kubernetesVersion, podSecurity: known } = (await readClusterState(stage.runtime)) ?? {};
      assert.deepEqual([kubernetesVersion, known], ['1.36.3', podSecurity]);
    }
  });
});

describe('another version', () => {
  const old = ['kube-controller-manager@1.36.1', 'kube-scheduler@1.36.1'];
  const young = ['kube-controller-manager@1.36.3', 'kube-scheduler@1.36.3'];
  const upgraded = async (): Promise<Stage> => {
    const stage = await running();
    stage.version = '1.36.3';
    // The driver may still tell of those that are about to end.
    for (const name of ['kube-controller-manager', 'kube-scheduler']) stage.driver.versions.set(name, '1.36.1');
    await stage.want('1.36.3');
    return stage;
  };
  const running = async (options?: Partial<RolloutOptions>): Promise<Stage> => {
    const stage = await stageOf('1.36.1', options);
    for (const name of all) stage.driver.healthy.add(name);
    assert.equal((await stage.want('1.36.1')).status, 'True');
    return stage;
  };

  it('comes to the API server first, and to the others when it answers', async () => {
    const stage = await running();
    assert.equal((await stage.want('1.36.3')).message, 'kube-apiserver is being replaced by version 1.36.3');
    assert.deepEqual(stage.driver.wanted, ['etcd', 'kube-apiserver@1.36.3', 'konnectivity-server', ...old]);
    stage.version = '1.36.3';
    assert.equal((await stage.want('1.36.3')).status, 'True');
    await stage.want('1.36.3');
    assert.deepEqual(stage.driver.wanted, ['etcd', 'kube-apiserver@1.36.3', 'konnectivity-server', ...young]);
    assert.equal((await readClusterState(stage.runtime))?.kubernetesVersion, '1.36.3');
  });

  it('comes to one after the other, and to the next when the one before works', async () => {
    const stage = await upgraded();
    const { driver, input } = stage;
    assert.deepEqual(driver.wanted.slice(-2), [young[0], old[1]]);
    assert.match(
      stage.rollout().problemOf(input)?.message ?? '',
      /^kube-controller-manager is being replaced by version/,
    );
    driver.healthy.delete('kube-controller-manager');
    driver.versions.delete('kube-controller-manager');
    await stage.want('1.36.3');
    assert.deepEqual(driver.wanted.slice(-2), [young[0], old[1]]);
    driver.healthy.add('kube-controller-manager');
    await stage.want('1.36.3');
    assert.deepEqual(driver.wanted.slice(-2), young);
    assert.match(
      stage.rollout().problemOf(input)?.message ?? '',
      /^kube-scheduler is being replaced by version 1\.36\.3$/,
    );
    driver.versions.delete('kube-scheduler');
    assert.equal(stage.rollout().problemOf(input), undefined);
  });

  it('stops at one that does not start, and leaves the next as it was', async () => {
    const stage = await upgraded();
    stage.driver.healthy.delete('kube-controller-manager');
    stage.driver.said.set('kube-controller-manager', { why: 'it ended (exit code 1)' });
    await stage.want('1.36.3');
    assert.equal(stage.rollout().problemOf(stage.input)?.message, 'kube-controller-manager: it ended (exit code 1)');
    assert.deepEqual(stage.driver.wanted.slice(-2), [young[0], old[1]]);
  });

  it('that cannot be had says why, and the old one goes on', async () => {
    const stage = await running();
    stage.driver.versions.set('kube-apiserver', '1.36.1');
    stage.driver.said.set('kube-apiserver', { why: 'kube-apiserver 1.36.3 cannot be had', next: 'it is tried again' });
    const { message, fix } = await stage.want('1.36.3');
    assert.equal(message, 'kube-apiserver is being replaced by version 1.36.3: kube-apiserver 1.36.3 cannot be had');
    assert.match(fix ?? '', /^it is tried again; to go back, set kubernetesVersion to 1\.36\.1$/);
    assert.deepEqual(stage.driver.wanted.slice(-2), old);
  });

  it('that was given up has the store saved again when it is wanted again', async () => {
    const stage = await running();
    await stage.want('1.36.3');
    assert.equal((await stage.want('1.36.1')).status, 'True');
    assert.deepEqual(stage.driver.wanted, ['etcd', 'kube-apiserver@1.36.1', 'konnectivity-server', ...old]);
    await stage.want('1.36.3');
    assert.deepEqual(stage.saved, ['1.36.1', '1.36.1']);
  });

  it('leaves the store as it is', async () => {
    const stage = await running();
    await stage.want('1.36.3');
    stage.version = '1.36.3';
    await stage.want('1.36.3');
    const stores = stage.driver.applied.map((specs) => specs.find(({ name }) => name === 'etcd'));
    for (const store of stores) assert.deepEqual(store, stores[0]);
  });

  it('comes only after the store was saved, once', async () => {
    const stage = await running();
    await stage.want('1.36.3');
    await stage.want('1.36.3');
    assert.deepEqual(stage.saved, ['1.36.1']);
  });

  it('does not come where the store cannot be saved', async () => {
    const full = (): Promise<void> => Promise.reject(new Error('the disk is full'));
    const stage = await running({ beforeUpgrade: full });
    await assert.rejects(stage.want('1.36.3'), /the disk is full/);
    assert.ok(stage.driver.wanted.includes('kube-apiserver@1.36.1'));
  });

  it('after a restart has the store saved before anything else runs', async () => {
    const stage = await running();
    stage.restart();
    stage.driver.healthy.clear();
    assert.match((await stage.want('1.36.3')).message, /^etcd/);
    assert.deepEqual([stage.driver.wanted, stage.saved], [['etcd'], []]);
    stage.driver.healthy.add('etcd');
    await stage.want('1.36.3');
    assert.deepEqual(stage.saved, ['1.36.1']);
    assert.deepEqual(stage.driver.wanted, ['etcd', 'kube-apiserver@1.36.3', 'konnectivity-server']);
  });
});
