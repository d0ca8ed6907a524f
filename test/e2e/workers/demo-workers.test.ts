// Demo workers behind a real gateway and a real proxy, in front of real control planes.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { until } from '../../support/gateway/until.ts';
import { needProgram } from '../../support/programs.ts';
import { needReal } from '../../support/real-programs.ts';
import { inputFor, type WorkerSide, workerSide } from './worker-side.ts';
import { createWorld, type Real, type World } from './world.ts';

const patience = 60_000;

test('demo workers join over every way in, show logs, and go and come with what is on their way', async (t) => {
  const real = await needReal(
    t,
    ...(['etcd', 'kube-apiserver', 'kube-controller-manager', 'kubectl'] as const),
    ...(['konnectivity-server', 'konnectivity-agent', 'kwok'] as const),
  );
  if (real === undefined) return;
  const world = await createWorld(t, real, ['tunneling', 'single-port']);
  const direct = workerSide(t, world, real, 'tunneling');

  for (const planned of ['loadbalancer', 'nodeport', 'tunneling'])
    await t.test(`${planned}: nodes are Ready, and logs of a pod come back`, async () => {
      await direct.workers.stop();
      await untilNoneIsReady(direct);
      await direct.workers.reconcile(inputFor(world, 'tunneling', planned));
      await untilReady(direct);
      await logsComeBack(direct, `says-${planned}`);
    });

  await t.test('pods come and go as those of a kubelet do, and a job is done', () => podsComeAndGo(direct));
  await t.test('a pod reaches the API server through the node agent', async () => {
    assert.match(await direct.fromPod()(['get', '--raw', '/version']), /"gitVersion": "v1\./);
  });

  await t.test('single-port: the same through squid', async (t) => void (await throughProxy(t, world, real, 'squid')));
  await t.test('single-port: the same through a proxy of ours', async (t) => {
    const proxied = await throughProxy(t, world, real, 'ours');
    if (proxied === undefined) return;

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
      await until(() => direct.workers.look().nodeAgent?.healthy === false, patience);
      assert.match(whyOf(direct), new RegExp(world.gatewayAddress.replaceAll('.', '\\.')));
      await world.startGateway();
      await Promise.all([direct, proxied].map(untilReady));
      await logsComeBack(direct, 'says-it-is-back');
    });
  });
});

async function throughProxy(
  t: TestContext,
  world: World,
  real: Real,
  kind: 'squid' | 'ours',
): Promise<WorkerSide | undefined> {
  if (kind === 'squid' && needProgram(t, 'squid') === undefined) return undefined;
  const side = workerSide(t, world, real, 'single-port', kind === 'ours' ? { squid: 'never' } : {});
  await untilNoneIsReady(side);
  await side.workers.reconcile(inputFor(world, 'single-port'));
  await untilReady(side);
  await logsComeBack(side, `says-${kind}`);
  return side;
}

async function untilReady({ workers, readyNodes }: WorkerSide): Promise<void> {
  const explain = (error: Error): never => {
    throw new Error(`${error.message}\n${JSON.stringify(workers.look(), null, 1)}`);
  };
  await until(async () => (await readyNodes()).length === 2, patience).catch(explain);
  await until(() => Object.values(workers.look()).every(({ healthy }) => healthy), patience).catch(explain);
}

const untilNoneIsReady = ({ readyNodes }: WorkerSide): Promise<void> =>
  until(async () => (await readyNodes()).length === 0, patience);

const whyOf = ({ workers }: WorkerSide): string => workers.look().nodes.why ?? '';

const podOn = (nodeName: string | undefined, name: string, owner?: object): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', ...(owner && { ownerReferences: [owner] }) },
    spec: { nodeName, containers: [{ name: 'main', image: 'nothing' }] },
  });

/** What was written for the pod beside its node is what the control plane shows of it. */
async function logsComeBack({ kubectl, readyNodes, say }: WorkerSide, name: string): Promise<void> {
  const nonce = randomUUID();
  const [nodeName] = await readyNodes();
  await kubectl(['create', '-f', '-'], podOn(nodeName, name));
  await say(name, nonce);
  assert.match(await kubectl(['logs', name]), new RegExp(`${name} is on ${nodeName}.*\n${nonce}`));
}

async function podsComeAndGo({ kubectl, readyNodes }: WorkerSide): Promise<void> {
  const [nodeName] = await readyNodes();
  const job = { apiVersion: 'batch/v1', kind: 'Job', name: 'sums', uid: randomUUID() };
  await kubectl(['create', '-f', '-'], podOn(nodeName, 'sums-1', job));
  await kubectl(['wait', 'pod/sums-1', '--for=jsonpath={.status.phase}=Succeeded', '--timeout=20s']);
  await kubectl(['create', '-f', '-'], podOn(nodeName, 'short'));
  await kubectl(['wait', 'pod/short', '--for=condition=Ready', '--timeout=20s']);
  assert.match(await kubectl(['get', 'pod', 'short', '-o', 'jsonpath={.status.podIP}']), /^172\.25\./);
  await kubectl(['delete', 'pod', 'short', '--timeout=20s']);
}
