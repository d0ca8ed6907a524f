// Demo workers behind a real gateway and a real proxy, in front of real control planes.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { createAuthority, issueServer, validFor } from '../../../src/pki/index.ts';
import { isTrue } from '../../../src/reconcile/index.ts';
import { until } from '../../support/gateway/until.ts';
import { needProgram } from '../../support/programs.ts';
import { needReal } from '../../support/real-programs.ts';
import type { Kubectl } from '../control-plane/scene.ts';
import { needControlPlane } from '../control-plane/scene.ts';
import { inputFor, type WorkerSide, workerSide } from './worker-side.ts';
import { createWorld, type World } from './world.ts';

const timeoutMs = 60_000;

test('demo workers join over every way in, show logs, and go and come with what is on their way', async (t) => {
  const [real, ofWorkers] = [await needControlPlane(t), await needReal(t, 'kwok', 'konnectivity-agent')];
  if (real === undefined || ofWorkers === undefined) return;
  const { kubectl } = real;
  const world = await createWorld(t, ['tunneling', 'single-port']);
  const direct = await workerSide(t, world, 'tunneling', { kubectl });

  for (const planned of ['loadbalancer', 'nodeport', 'tunneling'])
    await t.test(`${planned}: nodes are Ready, and logs of a pod come back`, async () => {
      await direct.workers.stop();
      await untilNoneIsReady(direct);
      await direct.workers.reconcile(inputFor(world, 'tunneling', planned));
      await untilReady(direct);
      await logsComeBack(direct, `says-${planned}`);
    });

  await t.test(
    'whoever serves in the place of a kubelet shows nothing without a certificate of the cluster',
    async () => {
      const { kubectl, workers } = direct;
      const validity = validFor(new Date(), 1);
      const another = await createAuthority('kubelets of somebody', validity);
      const issuers = {
        'unknown authority': (address: string) => issueServer(another, [address], validity),
        'not 127.0.0.99|is valid for 127.0.0.99': () => inputFor(world, 'tunneling').kubeletCertificate('127.0.0.99'),
      };
      for (const [why, kubeletCertificate] of Object.entries(issuers)) {
        await workers.stop();
        await workers.reconcile({ ...inputFor(world, 'tunneling'), kubeletCertificate });
        await untilReady(direct);
        await assert.rejects(kubectl('logs', 'says-tunneling'), new RegExp(`x509: .*(${why})`));
      }
      await workers.stop();
      await workers.reconcile(inputFor(world, 'tunneling'));
      await untilReady(direct);
      await until(() => kubectl('logs', 'says-tunneling').then(Boolean, () => false), timeoutMs);
    },
  );

  await t.test('pods go as those of a kubelet do, and a job is done', () => podsComeAndGo(direct));
  await t.test('a pod reaches the API server through the node agent', async () => {
    const kubectl = await direct.fromPod();
    assert.match(await kubectl('get', '--raw', '/version'), /"gitVersion": "v1\./);
  });

  await t.test('nodes of another version say so', async () => {
    const version = '1.36.1';
    await direct.workers.reconcile({ ...inputFor(world, 'tunneling'), kubernetesVersion: version });
    await until(async () => (await direct.kubectl('get', 'nodes')).split(`v${version}`).length === 3, timeoutMs);
    await untilReady(direct);
  });

  await t.test('single-port: the same through squid', async (t) => {
    if (needProgram(t, 'squid') === undefined) return;
    await throughProxy(world, await workerSide(t, world, 'single-port', { kubectl }), 'squid');
  });
  await t.test('single-port: the same through a proxy of ours', async (t) => {
    const proxied = await workerSide(t, world, 'single-port', { kubectl, squid: 'never' });
    await throughProxy(world, proxied, 'ours');

    await t.test('without the proxy, nodes behind it are lost and others are not; with it they are back', async () => {
      await proxied.proxies.drop('single-port');
      await untilNoneIsReady(proxied);
      assert.equal((await direct.readyNodes()).length, 2);
      assert.match(whyOf(proxied), /127\.\d+\.\d+\.3:3128/);
      await proxied.workers.reconcile(inputFor(world, 'single-port'));
      await untilReady(proxied);
    });

    await t.test('without the gateway all are lost, and with it all are back', async () => {
      await world.stopGateway();
      await Promise.all([direct, proxied].map(untilNoneIsReady));
      await until(() => direct.workers.look().nodeAgent?.status === 'False', timeoutMs);
      assert.match(whyOf(direct), new RegExp(world.gatewayAddress.replaceAll('.', '\\.')));
      await world.startGateway();
      await Promise.all([direct, proxied].map(untilReady));
      await logsComeBack(direct, 'says-it-is-back');
    });
  });
});

async function throughProxy(world: World, side: WorkerSide, kind: string): Promise<void> {
  await untilNoneIsReady(side);
  await side.workers.reconcile(inputFor(world, 'single-port'));
  await untilReady(side);
  await logsComeBack(side, `says-${kind}`);
}

/** With what is known of it, where it does not become so. */
async function podReady(kubectl: Kubectl, name: string): Promise<void> {
  try {
    await kubectl('wait', `pod/${name}`, '--for=condition=Ready', '--timeout=30s');
  } catch (error) {
    const known = await Promise.all([
      kubectl('describe', 'pod', name).catch(String),
      kubectl('get', 'nodes', '-o', 'wide').catch(String),
    ]);
    throw new Error([(error as Error).message, ...known].join('\n'));
  }
}

async function untilReady({ workers, readyNodes }: WorkerSide): Promise<void> {
  const explain = (error: Error): never => {
    throw new Error(`${error.message}\n${JSON.stringify(workers.look(), null, 1)}`);
  };
  await until(async () => (await readyNodes()).length === 2, timeoutMs).catch(explain);
  const parts = () => {
    const { kind: _, ...all } = workers.look();
    return Object.values(all);
  };
  await until(() => parts().every(isTrue), timeoutMs).catch(explain);
}

const untilNoneIsReady = ({ readyNodes }: WorkerSide): Promise<void> =>
  until(async () => (await readyNodes()).length === 0, timeoutMs);

const whyOf = ({ workers }: WorkerSide): string => workers.look().nodes.message;

/** What was written for the pod beside its node is what the control plane shows of it. */
async function logsComeBack({ kubectl, say }: WorkerSide, name: string): Promise<void> {
  const nonce = randomUUID();
  await kubectl('run', name, '--image=nothing');
  await podReady(kubectl, name);
  await say(name, nonce);
  assert.match(await kubectl('logs', name), new RegExp(`${name} is on .*\n${nonce}`));
}

async function podsComeAndGo({ kubectl }: WorkerSide): Promise<void> {
  await kubectl('create', 'job', 'sums', '--image=nothing');
  await kubectl('wait', 'job/sums', '--for=condition=Complete', '--timeout=30s');
  await kubectl('run', 'short', '--image=nothing');
  await podReady(kubectl, 'short');
  assert.match(await kubectl('get', 'pod', 'short', '-o', 'jsonpath={.status.podIP}'), /^172\.25\./);
  await kubectl('delete', 'pod', 'short', '--timeout=30s');
}
