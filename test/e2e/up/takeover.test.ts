// A directory in which an older Causeway runs a platform: the present one goes on with it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import type { Status } from '../../../src/cli/up/summary.ts';
import { createUndoList } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import { localPlatform } from '../../support/local-platform.ts';
import { checkOut } from '../../support/old-checkout.ts';
import { needPlatformPrograms } from '../../support/platform-programs.ts';
import { needProgram } from '../../support/programs.ts';
import { running } from './running.ts';

/** The first one whose directories must be taken over. */
const oldCommit = '3b20896';
const clusters = ['tunneling', 'nodeport'] as const;

const undo = createUndoList();
after(() => undo.run());

test('a platform that an older version started is taken over with all that it had', async (t) => {
  const real = await needPlatformPrograms(t);
  if (real === undefined || !needProgram(t, 'git')) return;
  const { main, manifests } = checkOut(undo, oldCommit);
  const local = localPlatform(manifests);
  undo.after(() => local.remove());
  const old = running(local, real.kubectl, main);
  const present = running(local, real.kubectl);
  undo.after(() => present.causeway('down'));
  const selected = ['--clusters', clusters.join(',')];
  const caOf = (cluster: string): string => readFileSync(local.at('.causeway/clusters', cluster, 'pki/ca.crt'), 'utf8');
  const data = ['get', 'configmap', 'kept', '-o', 'jsonpath={.data.of}'];

  const started = await old.up(...selected);
  assert.equal(started.code, 0, started.stdout + started.stderr);
  for (const cluster of clusters) {
    await old.kubectl(cluster, ['create', 'configmap', 'kept', `--from-literal=of=${cluster}`]);
    writeFileSync(local.at(`${cluster}.old`), (await old.causeway('kubeconfig', cluster)).stdout, { mode: 0o600 });
  }
  const before = { status: await old.status(), authorities: clusters.map(caOf) };
  process.kill(pidOf(before.status, 'platform', 'causeway'), 'SIGKILL');

  const { code, stdout, stderr } = await present.up(...selected);
  assert.equal(code, 0, stdout + stderr);
  const now = await present.status();

  await t.test('nothing is started again but causeway, its gateway, API servers and controller managers', () => {
    // The first is this program: the new one is what was asked for. The gateway was part of it. API servers read an audit policy when they start,
    // and controller managers the authority of kubelets.
    const restarted = ['causeway', 'gateway-local', 'kube-apiserver', 'kube-controller-manager'];
    const pidsOf = ({ components }: Status): string[] =>
      components
        .filter(({ name }) => !restarted.includes(name))
        .map(({ scope, name, pid }) => `${scope}/${name} ${pid}`);
    assert.ok(pidsOf(now).length >= 5 * clusters.length, pidsOf(now).join('\n'));
    assert.deepEqual(pidsOf(now), pidsOf(before.status));
  });

  await t.test(
    'kubelets are asked for certificates when all nodes have one, and pods may do what they could',
    async () => {
      const argsOf = async (cluster: string): Promise<string> =>
        readFileSync(`/proc/${pidOf(await present.status(), `cluster/${cluster}`, 'kube-apiserver')}/cmdline`, 'utf8');
      const asks = (cluster: string): Promise<boolean> =>
        argsOf(cluster).then(
          (args) => args.includes('--kubelet-certificate-authority='),
          () => false,
        );
      const pod = { apiVersion: 'v1', spec: { hostNetwork: true } };
      for (const cluster of clusters) {
        await until(() => asks(cluster), 120_000);
        assert.doesNotMatch(await argsOf(cluster), /admission-control-config-file/);
        const run = ['run', 'trusted', '--image=nothing', `--overrides=${JSON.stringify(pod)}`];
        // The API server has just been started again: an answer may be lost.
        const isThere = (): Promise<boolean> =>
          present
            .kubectl(cluster, run)
            .catch(() => present.kubectl(cluster, ['get', 'pod', 'trusted']))
            .then(Boolean, () => false);
        await until(isThere, 60_000);
      }
    },
  );

  await t.test('authorities and data are the same', async () => {
    assert.deepEqual(clusters.map(caOf), before.authorities);
    for (const cluster of clusters) assert.equal(await present.kubectl(cluster, data), cluster);
  });

  await t.test('a kubeconfig from before, which names nobody and is good for a year, is refused', async () => {
    for (const cluster of clusters) {
      const args = ['--kubeconfig', local.at(`${cluster}.old`), '--cache-dir', local.at('.kube-cache'), ...data];
      await assert.rejects(promisify(execFile)(real.kubectl, args), /Forbidden.*causeway:admin/s);
    }
  });

  await t.test('it goes on to be changed: what is written now is there, and nodes answer', async () => {
    for (const cluster of clusters) {
      await present.kubectl(cluster, ['create', 'configmap', 'written', '--from-literal=by=present']);
      assert.equal((await present.kubectl(cluster, ['get', 'nodes'])).match(/ Ready /g)?.length, 2);
    }
  });
});

function pidOf({ components }: Status, scope: string, name: string): number {
  const pid = components.find((one) => one.scope === scope && one.name === name)?.pid;
  assert.ok(pid, `${name} of ${scope} does not run`);
  return pid;
}
