// A real kubelet with real containers, whose only way to its control plane is what the plan's firewall lets through.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isTrue } from '../../../src/reconcile/index.ts';
import { dockerImage } from '../../../src/runtime/local/workers/real/images.ts';
import { namespaceFile, onWorker } from '../../../src/runtime/local/workers/real/layout.ts';
import { until } from '../../support/gateway/until.ts';
import { goProgram } from '../../support/go-programs.ts';
import { needProgram } from '../../support/programs.ts';
import { needReal } from '../../support/real-programs.ts';
import { createSeed, type Seed } from './platform.ts';
import { needRealWorker, remainsOf } from './scene.ts';

const run = promisify(execFile);
const image = 'docker.io/local/asker:1';
const node = 'tunneling-real';
const answer = 'v1.36.3 as system:serviceaccount:default:default';

test('a real worker joins through the gateway and runs pods that reach their API server', async (t) => {
  const go = needProgram(t, 'go');
  const real = await needReal(
    t,
    'etcd',
    'kube-apiserver',
    'kube-controller-manager',
    'kube-scheduler',
    'konnectivity-server',
    'kubectl',
    'kubelet',
    'kube-proxy',
    'konnectivity-agent',
    'containerd',
    'containerd-shim-runc-v2',
    'ctr',
    'bridge',
    'host-local',
    'loopback',
  );
  if (!needRealWorker(t) || go === undefined || real === undefined || !needProgram(t, 'openssl')) return;
  const seed = await createSeed(t, real.kubectl);
  const { worker, input, kubectl, layout } = seed;
  const ask = (): Promise<string> => kubectl('exec', 'asker', '--', '/program', 'ask');

  await t.test('its node becomes Ready, with a certificate that its token got it', async () => {
    await worker.reconcile(input);
    await ready(seed);
    const requests = await kubectl('get', 'csr', '-o', 'jsonpath={.items[*].spec.signerName}');
    // Whether it has asked for the certificate to serve with by now is another matter.
    assert.ok(requests.split(' ').includes('kubernetes.io/kube-apiserver-client-kubelet'), requests);
  });

  await t.test('demo nodes of an earlier run leave, with the pods that hung on them', async () => {
    const demo = { name: 'tunneling-1', labels: { 'causeway.dev/worker': 'demo' } };
    const file = path.join(seed.directory, 'demo-node.json');
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: demo }));
    await kubectl('create', '-f', file);
    await kubectl('run', 'stranded', '--image=example.invalid/none', '--overrides={"spec":{"nodeName":"tunneling-1"}}');
    seed.managed.desireNodes('real');
    await until(async () => (await kubectl('get', 'nodes', '-o', 'name')) === `node/${node}\n`, 20_000);
    await until(async () => (await kubectl('get', 'pods', '-o', 'name')) === '', 20_000);
    const { nodes } = seed.managed.observe();
    assert.deepEqual([nodes?.ready, nodes?.total], [1, 1]);
  });

  await t.test('logs and exec of a pod come through konnectivity', async () => {
    await importImage(seed, real.ctr, await goProgram(go, podSource));
    const word = `word-${Math.random()}`;
    await kubectl('run', 'asker', `--image=${image}`, '--image-pull-policy=Never', `--env=WORD=${word}`);
    await kubectl('wait', '--for=condition=Ready', 'pod/asker', '--timeout=60s');
    assert.match(await kubectl('logs', 'asker'), new RegExp(`^${word}$`, 'm'));
    assert.equal((await ask()).trim(), answer);
  });

  await t.test('the pod reads the version at its service address, with its own token', async () => {
    await until(async () => (await kubectl('logs', 'asker')).includes(answer), 30_000);
    const [host] = (await kubectl('get', 'service', 'kubernetes', '-o', 'jsonpath={.spec.clusterIP}')).split('\n');
    const environment = await kubectl(
      'get',
      'endpointslices',
      'kubernetes',
      '-o',
      'jsonpath={.endpoints[0].addresses}',
    );
    assert.notEqual(host, undefined);
    assert.equal(environment, JSON.stringify([seed.endpoint.tunnel?.agentIP]));
  });

  await t.test('without the one rule to the gateway nothing works, and with it everything again', async () => {
    await ask();
    await removeRule(seed);
    await endConnections(seed);
    await assert.rejects(ask());
    await until(() => / stdout F no answer: /.test(logOnDisk(seed)), 30_000);
    await until(() => unhealthy(seed).length === 2, 60_000);
    assert.deepEqual(unhealthy(seed), ['konnectivity-agent', 'node-agent']);
    await worker.reconcile(input);
    await until(() => ask().then(Boolean, () => false), 60_000);
    await until(() => unhealthy(seed).length === 0, 60_000);
  });

  await t.test('it stops without leaving anything, and comes back as the same node', async () => {
    const identity = (): Promise<string> => kubectl('get', 'node', node, '-o', 'jsonpath={.metadata.uid}');
    const before = await identity();
    await worker.stop();
    assert.deepEqual(remainsOf(layout), []);
    await worker.reconcile(input);
    await ready(seed);
    assert.equal(await identity(), before);
    await until(() => ask().then(Boolean, () => false), 60_000);
  });

  await t.test('removed, it is gone with all that it knew', async () => {
    await worker.remove();
    assert.deepEqual(remainsOf(layout), []);
    assert.throws(() => readFileSync(path.join(layout.root, 'kubelet', 'kubeconfig')), { code: 'ENOENT' });
  });
});

const podSource = fileURLToPath(new URL('pod', import.meta.url));
// Nothing is in the image but the program, so it cannot look for a library.
process.env.CGO_ENABLED = '0';

async function ready({ worker, driver }: Seed): Promise<void> {
  await until(() => isTrue(worker.look().nodes), 120_000).catch(async () => {
    const words = await driver.tail({ scope: 'worker/tunneling', name: 'kubelet' }, 20);
    throw new Error(`${worker.look().nodes.message}\n${words.join('\n')}`);
  });
}

/** Those of its programs that say so themselves. */
const unhealthy = ({ driver }: Seed): string[] =>
  driver
    .look()
    .filter(({ healthy }) => !healthy)
    .map(({ name }) => name)
    .sort();

async function importImage({ layout, directory }: Seed, ctr: string, program: string): Promise<void> {
  const file = path.join(directory, 'asker.tar');
  writeFileSync(file, dockerImage({ name: image, program: readFileSync(program) }));
  const address = ['--address', '/run/containerd/containerd.sock', '--namespace', 'k8s.io'];
  await onIt({ layout }, ctr, ...address, 'images', 'import', file);
}

/** A command on the worker. */
async function onIt({ layout }: Pick<Seed, 'layout'>, ...command: string[]): Promise<string> {
  const [nsenter = '', ...entering] = onWorker(layout);
  return (await run(nsenter, [...entering, ...command])).stdout;
}

/** What the pod said, where its worker keeps it: nobody else can read it while the way is closed. */
const logOnDisk = ({ layout }: Seed): string =>
  globSync(path.join(layout.root, 'log/pods/default_asker_*/asker/*.log'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('');

/** As somebody at the firewall would by mistake. */
async function removeRule({ layout }: Seed): Promise<void> {
  const nft = async (...args: string[]): Promise<string> =>
    (await run('nsenter', [`--net=${namespaceFile(layout.router)}`, 'nft', ...args])).stdout;
  const rules = await nft('-a', 'list', 'chain', 'inet', 'causeway', 'forward');
  const rule = rules.split('\n').filter((line) => line.includes('PRT-8 datacenter/local/workers'));
  const handle = /# handle (\d+)$/.exec(rule.join())?.[1];
  assert.equal(rule.length, 1, rules);
  await nft('delete', 'rule', 'inet', 'causeway', 'forward', 'handle', handle ?? '');
}

/** A firewall lets open connections be; these end as they do when a gateway restarts. */
const endConnections = ({ layout, gateway }: Seed): Promise<string> =>
  onIt({ layout }, 'ss', '--kill', '--tcp', '--numeric', 'dst', gateway);
