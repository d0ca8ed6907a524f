// The network of a real worker, without Kubernetes: what its firewall lets through, and that nothing of it stays.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { hostsFile, workerAddresses } from '../../../src/runtime/local/workers/real/addresses.ts';
import { createControlGroup } from '../../../src/runtime/local/workers/real/control-groups.ts';
import { onWorker } from '../../../src/runtime/local/workers/real/layout.ts';
import { createMounts, hasMounts, writeNames } from '../../../src/runtime/local/workers/real/mounts.ts';
import { createNetwork, hasNetwork, loadFirewall } from '../../../src/runtime/local/workers/real/network.ts';
import { claim, cleanUp, release, releaseAbandoned } from '../../../src/runtime/local/workers/real/registry.ts';
import { silentLog } from '../../../src/sys/log.ts';
import { cluster, createScene, needRealWorker, remainsOf, type Scene } from './scene.ts';

const run = promisify(execFile);

async function createWorkerNetwork(t: TestContext): Promise<Scene> {
  const scene = await createScene(t);
  const { layout, planned, endpoint } = scene;
  const { plan, model } = planned;
  t.after(() => release(layout));
  const addresses = workerAddresses(layout.id, cluster, plan, model);
  mkdirSync(layout.root, { recursive: true });
  await claim({ layout, addresses });
  createControlGroup(layout.controlGroup);
  await createNetwork(layout, addresses);
  await createMounts(layout);
  await writeNames(layout, hostsFile(endpoint, plan));
  await loadFirewall(layout, addresses.inPlan, plan);
  return scene;
}

/** A server at the gateway's address that says one word. */
async function listen(t: TestContext, port: number, host: string): Promise<void> {
  const server = createServer((socket) => socket.end('welcome')).listen({ host, port });
  t.after(() => server.close());
  await once(server, 'listening');
}

/** What a program on the worker hears; undefined when nobody answers. */
async function heard({ layout }: Scene, host: string, port: number, seconds = 10): Promise<string | undefined> {
  const [nsenter = '', ...entering] = onWorker(layout);
  const dial = ['timeout', String(seconds), 'bash', '-c', `cat < /dev/tcp/${host}/${port}`];
  return run(nsenter, [...entering, ...dial]).then(
    ({ stdout }) => stdout,
    () => undefined,
  );
}

test('a worker reaches the gateway by its name, on the ports of the matrix and on no other', async (t) => {
  if (!needRealWorker(t)) return;
  const scene = await createWorkerNetwork(t);
  const { sni = 0, tunnel = 0, single = 0 } = scene.planned.plan.gateway.local?.listeners ?? {};
  for (const port of [sni, tunnel, single]) await listen(t, port, scene.gateway);
  assert.equal(await heard(scene, scene.endpoint.apiServer.host ?? '', sni), 'welcome');
  assert.equal(await heard(scene, scene.gateway, tunnel), 'welcome');
  // It is open for those behind the proxy, and this worker is not one of them.
  assert.equal(await heard(scene, scene.gateway, single, 1), undefined);
});

test('the rest of the machine is out of its reach', async (t) => {
  if (!needRealWorker(t)) return;
  const scene = await createWorkerNetwork(t);
  const port = scene.planned.plan.gateway.local?.listeners.sni ?? 0;
  const { wires } = workerAddresses(scene.layout.id, cluster, scene.planned.plan, scene.planned.model);
  const others = [scene.gateway.replace(/2$/, '3'), wires.host];
  for (const address of [scene.gateway, ...others]) await listen(t, port, address);
  for (const address of others) assert.equal(await heard(scene, address, port, 1), undefined);
  assert.equal(await heard(scene, scene.gateway, port), 'welcome');
});

test('a sweep ends whoever is on it, and leaves nothing', async (t) => {
  if (!needRealWorker(t)) return;
  const { layout, home } = await createWorkerNetwork(t);
  const [nsenter = '', ...entering] = onWorker(layout);
  const child = spawn(nsenter, [...entering, 'sleep', '1000']);
  const ended = once(child, 'exit');
  await once(child, 'spawn');
  assert.ok(remainsOf(layout).length > 0);
  await cleanUp(layout);
  assert.deepEqual(await ended, [null, 'SIGKILL']);
  assert.equal(hasNetwork(layout), false);
  assert.equal(await hasMounts(layout), false);
  assert.deepEqual(
    remainsOf(layout).filter((what) => !what.startsWith('/run/causeway-workers/')),
    [],
  );
  assert.equal(existsSync(home.state), true, 'the platform keeps what it has');
  // And a second one finds nothing to do.
  await cleanUp(layout);
});

test('what a killed run left is removed when its directory is gone, and not before', async (t) => {
  if (!needRealWorker(t)) return;
  const { layout } = await createWorkerNetwork(t);
  await releaseAbandoned(silentLog);
  assert.equal(hasNetwork(layout), true);
  rmSync(layout.root, { recursive: true });
  await releaseAbandoned(silentLog);
  assert.deepEqual(remainsOf(layout), []);
});

test('the end of one worker takes no files from another', async (t) => {
  if (!needRealWorker(t)) return;
  const [first, second] = [await createWorkerNetwork(t), await createWorkerNetwork(t)];
  const [nsenter = '', ...entering] = onWorker(first.layout);
  const mounted = async (): Promise<string[]> => {
    const { stdout } = await run(nsenter, [...entering, 'cat', '/proc/self/mounts']);
    const places = stdout.split('\n').map((line) => line.split(' ')[1] ?? '');
    return ['/run/containerd', '/var/lib/kubelet', '/var/lib/cni', '/var/log'].filter((place) =>
      places.includes(place),
    );
  };
  const before = await mounted();
  assert.equal(before.length, 4);
  await release(second.layout);
  assert.deepEqual(await mounted(), before);
});
