// Demo workers behind a real gateway and a real proxy, in front of real control planes.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { until } from '../../support/gateway/until.ts';
import { needReal } from '../../support/real-programs.ts';
import { inputFor, type WorkerSide, workerSide } from './worker-side.ts';
import { createWorld } from './world.ts';

const patience = 60_000;

test('demo workers join over every way in, show logs, and go and come with what is on their way', async (t) => {
  const real = await needReal(
    t,
    ...(['etcd', 'kube-apiserver', 'kube-controller-manager', 'kubectl'] as const),
    ...(['konnectivity-server', 'konnectivity-agent', 'kwok'] as const),
  );
  if (real === undefined) return;
  const world = await createWorld(t, real, ['tunneling']);
  const direct = workerSide(t, world, real, 'tunneling');

  for (const planned of ['tunneling', 'nodeport', 'loadbalancer']) {
    await t.test(`${planned}: nodes are Ready, and logs of a pod come back`, async () => {
      await direct.workers.reconcile(inputFor(world, 'tunneling', planned));
      await until(() => direct.workers.look().konnectivityAgent.healthy, patience);
      await until(async () => (await direct.readyNodes()).length === 2, patience);
      await logsComeBack(direct, `says-${planned}`);
      await until(() => direct.workers.look().nodes.healthy);
    });
  }
});

async function logsComeBack(side: WorkerSide, pod: string): Promise<void> {
  const nonce = randomUUID();
  const spec = { nodeName: 'tunneling-1', containers: [{ name: 'main', image: 'nothing' }] };
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: pod, namespace: 'default' }, spec };
  await side.kubectl(['create', '-f', '-'], JSON.stringify(object));
  await side.say(pod, nonce);
  assert.match(await side.kubectl(['logs', pod, '--tail=1']), new RegExp(nonce));
}
