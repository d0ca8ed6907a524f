// Certificates of two minutes, renewed under programs that run and a watch that is open.
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { pkiFiles } from '../../../src/runtime/local/file-store.ts';
import { createUndoList } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import { kubectlWith, needControlPlane, ready, type Scene, startScene } from './scene.ts';
import { openWatch } from './watch.ts';

const lifetimeMs = 120_000;

test('a watch stays open while two-minute certificates are renewed, and past the end of the old ones', async (t) => {
  const real = await needControlPlane(t);
  if (real === undefined) return;
  const undo = createUndoList();
  t.after(() => undo.run());
  // Most of the two minutes are over when the cluster starts, so that nobody has to wait for them.
  let behind = 70_000;
  const scene = await startScene(undo, { lifetimeMs, now: () => Date.now() - behind });
  const files = pkiFiles(scene.input.home.pki);
  const kubectl = kubectlWith(
    real.kubectl,
    scene.directory,
    (await scene.cluster.kubeconfig({ person: 'ann', role: 'admin' }, { server: scene.server })).text,
  );
  const old = new X509Certificate(readFileSync(files.apiServer.cert));
  assert.equal(await shown(scene, scene.input.ports.apiServer), old.serialNumber);
  const watch = openWatch(scene);
  undo.after(watch.close);
  await until(() => watch.isOpen());

  behind = -15_000;
  await scene.cluster.reconcile(scene.input);
  const fresh = new X509Certificate(readFileSync(files.apiServer.cert));
  assert.notEqual(fresh.serialNumber, old.serialNumber);
  await until(async () => (await shown(scene, scene.input.ports.apiServer)) === fresh.serialNumber, 70_000);
  await until(() => Date.now() > old.validToDate.getTime() + 1000, 60_000);

  await kubectl('create', 'configmap', 'late');
  await until(() => watch.saw('late'));
  assert.equal(watch.isOpen(), true);
  await ready(scene.cluster);
  assert.deepEqual(
    scene.driver.look().map(({ name, restarts }) => [name, restarts]),
    scene.driver.look().map(({ name }) => [name, 0]),
  );
  const konnectivity = new X509Certificate(readFileSync(files.konnectivity.cert)).serialNumber;
  assert.equal(await shown(scene, scene.input.ports.konnectivityAgents), konnectivity);
  const etcd = scene.driver.look().find(({ name }) => name === 'etcd')?.pid;
  assert.ok(etcd);
  process.kill(etcd, 'SIGKILL');
  await until(() => !scene.cluster.isReady());
  await ready(scene.cluster);
  await kubectl('create', 'configmap', 'after-a-new-handshake-with-etcd');
});

/** The number of the certificate that is shown on this port. */
function shown({ input }: Scene, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const ca = readFileSync(pkiFiles(input.home.pki).ca.cert);
    const socket = connect({ host: '127.0.0.1', port, ca, ALPNProtocols: ['h2'] }, () => {
      resolve(socket.getPeerX509Certificate()?.serialNumber ?? '');
      socket.destroy();
    });
    socket.once('error', reject);
  });
}
