// The clock of the platform is set by an hour or a day, forward and back, and certificates are made by it meanwhile: the API
// server and etcd, whose clock is right, go on with them. The machine's own clock is never set.
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import { pkiFiles } from '../../../src/runtime/local/file-store.ts';
import { createUndoList } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import { kubectlWith, needControlPlane, ready, startScene } from './scene.ts';

const hour = 3_600_000;
const jumps = { 'an hour ahead': hour, 'an hour behind': -hour, 'a day ahead': 24 * hour, 'a day behind': -24 * hour };

test('API server and etcd take certificates and kubeconfigs of a platform whose clock is set', async (t) => {
  const real = await needControlPlane(t);
  if (real === undefined) return;
  const undo = createUndoList();
  t.after(() => undo.run());
  let ahead = 0;
  const { cluster, driver, input, directory, server } = await startScene(undo, { now: () => Date.now() + ahead });
  const files = pkiFiles(input.home.pki);
  const authority = readFileSync(files.ca.cert, 'utf8');
  const numbers = (): string[] =>
    [files.apiServer, files.etcd, files.apiServerEtcd].map(
      ({ cert }) => new X509Certificate(readFileSync(cert)).serialNumber,
    );
  const kubeconfig = async (): Promise<string> =>
    (await cluster.kubeconfig({ person: 'ann', role: 'admin', ttlMs: 48 * hour }, { server })).text;

  for (const [name, jump] of Object.entries(jumps)) {
    ahead = jump;
    const before = numbers();
    // Whatever is due, lost or renamed is made anew at that moment.
    for (const { cert } of [files.apiServer, files.etcd, files.apiServerEtcd]) rmSync(cert);
    cluster.forgetKeys();
    await cluster.reconcile(input);
    assert.ok(numbers().every((number) => !before.includes(number)));
    await until(() => cluster.isReady());
    const etcd = driver.look().find((component) => component.name === 'etcd')?.pid ?? assert.fail('no etcd');
    process.kill(etcd, 'SIGKILL');
    await until(() => !cluster.isReady());
    await ready(cluster);
    await kubectlWith(real.kubectl, directory, await kubeconfig())('create', 'configmap', name.replaceAll(' ', '-'));
  }

  ahead = 0;
  cluster.forgetKeys();
  await cluster.reconcile(input);
  await ready(cluster);
  const names = await kubectlWith(real.kubectl, directory, await kubeconfig())('get', 'configmaps', '-o', 'name');
  for (const name of Object.keys(jumps))
    assert.match(names, new RegExp(`configmap/${name.replaceAll(' ', '-')}$`, 'm'));
  assert.equal(readFileSync(files.ca.cert, 'utf8'), authority);
});
