// What a person loses and gets back: a running cluster of real programs, and one whose platform is stopped.
import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { keysOf } from '../../../src/control-plane/backup/keys.ts';
import type { ControlPlaneInput } from '../../../src/control-plane/control-plane.ts';
import { ClusterBackups } from '../../../src/runtime/local/backup/cluster-backups.ts';
import { diskStore } from '../../../src/runtime/local/backup/disk-store.ts';
import { takeBackup } from '../../../src/runtime/local/backup/snapshot.ts';
import { localCluster } from '../../../src/runtime/local/index.ts';
import { scratchDirectory } from '../../../src/runtime/local/testing/place.ts';
import { silentLog } from '../../../src/sys/log.ts';
import { causeway } from '../../support/cli.ts';
import { createUndoList } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import { needReal } from '../../support/real-programs.ts';
import { kubectlWith, needControlPlane, ready, startScene } from '../control-plane/scene.ts';
import { startStore } from './scene.ts';

test('a running cluster that lost all it kept has its objects again, secrets too, and old kubeconfigs work', async (t) => {
  const real = await needControlPlane(t);
  if (real === undefined || !(await needReal(t, 'etcdutl'))) return;
  const undo = createUndoList();
  t.after(() => undo.run());
  const { cluster, driver, input, directory, server } = await startScene(undo);
  const kubectl = kubectlWith(
    real.kubectl,
    directory,
    (await cluster.kubeconfig({ person: 'ann', role: 'admin' }, { server })).text,
  );
  const keysChanged = (known: ControlPlaneInput): Promise<void> => {
    cluster.forgetKeys();
    return cluster.reconcile(known);
  };
  const backups = new ClusterBackups({
    place: localCluster(input),
    driver,
    log: silentLog,
    manifests: directory,
    everyMs: 200,
    keysChanged,
  });
  t.after(() => backups.stop());
  backups.want(input);

  await kubectl('create', 'secret', 'generic', 'kept', '--from-literal=word=precious');
  await until(async () => (await backups.list()).some(({ reason }) => reason === 'schedule'), 30_000);
  backups.stop();
  const { name } = await backups.take();
  await kubectl('create', 'configmap', 'too-late');
  rmSync(input.home.root, { recursive: true });

  const { backup, keys } = await backups.restore(name);
  assert.equal(keys, 'restored');
  assert.equal(backup.kubernetesVersion, input.kubernetesVersion);
  await ready(cluster);
  const words = async (): Promise<string> => kubectl('get', 'secret', 'kept', '-o', 'jsonpath={.data.word}');
  await until(
    () =>
      words()
        .then((word) => word === Buffer.from('precious').toString('base64'))
        .catch(() => false),
    60_000,
  );
  assert.doesNotMatch(await kubectl('get', 'configmaps'), /too-late/);
  await kubectl('create', 'configmap', 'new');
});

test('a cluster is restored while its platform is stopped, and what it had is put aside', async (t) => {
  const real = await needReal(t, 'etcd', 'etcdctl', 'etcdutl');
  if (!real) return;
  const store = await startStore(t, real.etcdctl);
  await store.write('/shop', 'open');
  const saved = diskStore(store.input.home.backups);
  const keys = await keysOf(store.keys, undefined);
  const { name } = await takeBackup(store.input, { reason: 'request', store: saved, keys });
  const snapshot = path.join(store.input.home.backups, `${name}.db`);

  const directory = scratchDirectory(t);
  causeway(['init', directory, '--template', 'local']);
  const restore = (...flags: string[]) =>
    causeway(['cluster', 'restore', 'tunneling', '--from', snapshot, '--dir', directory, ...flags]);
  assert.match(restore().stderr, /it is of another cluster, web \[CW-BACKUP-UNAUTHENTICATED\]/);
  assert.match(
    restore('--unauthenticated').stderr,
    /whether tunneling may go back to .*-request, taken \d+ s ago.*\[CW-CLI-YES\]/,
  );
  assert.ok(!existsSync(path.join(directory, '.causeway', 'clusters', 'tunneling', 'etcd')));
  assert.match(
    restore('--yes', '--unauthenticated').stdout,
    /^tunneling has the data of .*-request again\nits keys are those of the backup/,
  );
  assert.ok(existsSync(path.join(directory, '.causeway', 'clusters', 'tunneling', 'pki', 'encryption.json')));
  assert.ok(existsSync(path.join(directory, '.causeway', 'clusters', 'tunneling', 'etcd', 'member')));
  const [, aside = ''] = /what it had before is in (\S+);/.exec(restore('--yes', '--unauthenticated').stdout) ?? [];
  assert.ok(existsSync(path.join(aside, 'member')));
  const unknown = causeway(['cluster', 'restore', 'shop', '--dir', directory]);
  assert.match(unknown.stderr, /there is no cluster "shop"/);
  const none = causeway(['cluster', 'backups', 'nodeport', '--dir', directory]);
  assert.match(none.stdout, /^no backup of nodeport yet/);
});
