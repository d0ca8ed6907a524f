// Another version of Kubernetes under a cluster that has data and clients.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readClusterState } from '../../../src/control-plane/cluster-state.ts';
import type { Observed } from '../../../src/control-plane/component.ts';
import { createKubeClient } from '../../../src/kube/index.ts';
import { programs, thisPlatform } from '../../../src/programs/catalogue/index.ts';
import { bundleDirectory } from '../../../src/programs/config.ts';
import { script } from '../../../src/programs/testing/sandbox.ts';
import { ClusterBackups } from '../../../src/runtime/local/backup/cluster-backups.ts';
import { localCluster } from '../../../src/runtime/local/index.ts';
import { scratchDirectory } from '../../../src/runtime/local/testing/place.ts';
import { silentLog } from '../../../src/sys/log.ts';
import { createUndoList } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import { needReal } from '../../support/real-programs.ts';
import { needControlPlane, ready, startScene } from './scene.ts';
import { Starts, told } from './starts.ts';
import { configMap, configMaps, followConfigMaps, startWriter, trustOf } from './watch.ts';

const [older, broken, newer] = ['1.36.1', '1.36.2', '1.36.3'] as const;
const rolled = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];
const undo = createUndoList();
after(() => undo.run());

test('a cluster goes to another version of Kubernetes', async (t) => {
  const real = await needControlPlane(t);
  const others = await needReal(
    t,
    'kube-apiserver@1.36.1',
    'kube-controller-manager@1.36.1',
    'kube-scheduler@1.36.1',
    'etcdutl',
  );
  if (real === undefined || others === undefined) return;
  const starts = new Starts();
  const dir = scratchDirectory(t);
  script(
    bundleDirectory(dir, programs['kube-apiserver'], broken, thisPlatform),
    'kube-apiserver',
    'echo "this build is broken" >&2; exit 1',
  );
  let backups: ClusterBackups | undefined;
  const scene = await startScene(
    undo,
    { beforeUpgrade: async (input, from) => void (await backups?.beforeUpgrade(input, from)) },
    { kubernetesVersion: older },
    { log: starts.log, programs: { dir } },
  );
  const { cluster, driver, input, directory, server } = scene;
  backups = new ClusterBackups({ place: localCluster(input), driver, log: silentLog, manifests: directory });
  undo.after(() => backups?.stop());
  backups.want(input);
  const saved = () => (backups as ClusterBackups).list();
  const client = createKubeClient({ server, ...trustOf(scene) });
  undo.after(() => client.close());
  starts.watch(driver, client);
  const want = (kubernetesVersion: string) => cluster.reconcile({ ...input, kubernetesVersion });
  await client.post(configMaps, configMap('old'));
  const pidOf = (wanted: string) => driver.look().find(({ name }) => name === wanted)?.pid;
  const untouched = ['etcd', 'konnectivity-server'].map((name) => [name, pidOf(name)] as const);
  const assertUntouched = (): void => {
    for (const [name, pid] of untouched) assert.equal(pidOf(name), pid, `${name} was started again without need`);
  };

  await t.test('whose program does not start: it says why, and what to do, and nothing else has changed', async () => {
    await want(broken);
    const said = (): string => (cluster.isReady() ? 'it is ready' : cluster.observe().ready.message);
    await until(() => /said last: this build is broken/.test(said()), 60_000).catch(() => assert.fail(said()));
    assert.match(cluster.observe().ready.message, /^kube-apiserver: it ended \(exit code 1\)/);
    assert.match(cluster.observe().ready.fix ?? '', /to go back, set kubernetesVersion to 1\.36\.1$/);
    assert.deepEqual(versions(driver.look()).slice(1), allOf(older).slice(1));
    assertUntouched();
    assert.equal((await readClusterState(localCluster(input)))?.kubernetesVersion, older);
  });

  await t.test('and back again, with its data', async () => {
    await want(older);
    await ready(cluster);
    assert.deepEqual(versions(driver.look()).slice(1), allOf(older).slice(1));
    assertUntouched();
    assert.equal(await told(client), older);
    assert.ok(await client.get(`${configMaps}/old`));
  });

  const follower = followConfigMaps(scene);
  undo.after(() => follower.close());
  await until(() => follower.names.has('old'), 30_000);
  const writer = startWriter(client);
  undo.after(() => writer.stop());

  await t.test(
    'the API server first, then its clients one at a time, and never one that is newer than it',
    async () => {
      await until(() => writer.written.length > 3, 30_000);
      const reasons: string[] = [];
      const forget = cluster.onChange(() =>
        reasons.push(cluster.isReady() ? 'ready' : cluster.observe().ready.message),
      );
      await want(newer);
      await ready(cluster);
      forget();
      const young = starts.ofVersion(newer);
      assert.deepEqual([...new Set(young.map(({ name }) => name))], rolled);
      for (const { name, apiServer } of young.filter(({ name }) => name !== 'kube-apiserver'))
        assert.equal(await apiServer, newer, `${name} was started before its API server was of its version`);
      const managerThen = young.find(({ name }) => name === 'kube-scheduler')?.seen.find(isManager);
      assert.deepEqual([managerThen?.version, managerThen?.healthy], [newer, true]);
      assert.match(reasons[0] ?? '', /^kube-apiserver/);
      assert.equal(reasons.at(-1), 'ready');
      assert.deepEqual(versions(driver.look()), allOf(newer));
      assertUntouched();
    },
  );

  await t.test('its store was saved before, at each attempt', async () => {
    const all = await saved();
    assert.deepEqual(
      all.map(({ reason, kubernetesVersion }) => [reason, kubernetesVersion]),
      Array(2).fill(['upgrade', older]),
    );
    const began = starts.ofVersion(newer)[0]?.at ?? 0;
    assert.ok((all[0]?.at ?? Number.POSITIVE_INFINITY) <= began, 'the API server was replaced first');
  });

  await t.test('what was written before and meanwhile is there, and who watches has missed nothing of it', async () => {
    const sofar = writer.written.length;
    await until(() => writer.written.length > sofar, 30_000);
    await writer.stop();
    const kept = new Set((await client.list(configMaps)).map(({ metadata }) => metadata.name));
    for (const name of ['old', ...writer.written]) assert.ok(kept.has(name), `${name} is lost`);
    await until(() => writer.written.every((name) => follower.names.has(name)), 30_000);
    assert.ok(follower.breaks > 0, 'the watch did not see the API server go');
    assert.equal(await told(client), newer);
  });

  await t.test('an older minor version is refused, and changes nothing', async () => {
    await assert.rejects(want('1.35.4'), { code: 'CW-VERSION-CHANGE', fix: 'set its version to 1.36.3' });
    assert.equal(cluster.isReady(), true);
    assert.deepEqual(versions(driver.look()), allOf(newer));
  });
});

const isManager = ({ name }: Observed): boolean => name === 'kube-controller-manager';
const versions = (seen: readonly Observed[]) =>
  rolled.map((wanted) => [wanted, seen.find(({ name }) => name === wanted)?.version]);
const allOf = (version: string) => rolled.map((name) => [name, version]);
