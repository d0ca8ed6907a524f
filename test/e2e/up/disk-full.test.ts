// A disk that is full, with real programs on a real file system that has no room left.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { test } from 'node:test';
import { undoAfter } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import { localPlatform } from '../../support/local-platform.ts';
import { needRoot } from '../../support/programs.ts';
import { needReal } from '../../support/real-programs.ts';
import { running } from './running.ts';

const flags = ['--port', '0', '--workers', 'none', '--clusters'];

test('a cluster for which the disk has no room says so, others go on, and room heals it', async (t) => {
  if (!needRoot(t, 'a file system of its own')) return;
  const real = await needReal(
    t,
    ...(['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl'] as const),
    'konnectivity-server',
  );
  if (real === undefined) return;
  const undo = undoAfter(t);
  const local = localPlatform();
  undo.after(() => local.remove());
  const state = local.at('.causeway');
  mkdirSync(state);
  // A store takes 64 MB for its log at once, and as much again.
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=180m,mode=700', 'tmpfs', state]);
  undo.after(() => execFileSync('umount', ['--lazy', state]));
  const platform = running(local, real.kubectl);
  undo.after(() => platform.causeway('down'));
  const statusOf = async (name: string) => (await platform.status()).clusters.find((cluster) => cluster.name === name);

  const first = await platform.causeway('up', '--detach', '--wait', '2m', ...flags, 'tunneling');
  assert.equal(first.code, 0, first.stdout + first.stderr);
  await platform.causeway('down');
  // No room for another log, whichever of the two stores is started first; the one that is there has its own.
  execFileSync('mount', ['-o', 'remount,size=100m', state]);
  void platform.causeway('up', '--detach', '--wait', '10s', ...flags, 'tunneling,nodeport');
  const reason = async () => (await statusOf('nodeport').catch(() => undefined))?.reason;
  await until(async () => /disk is full/.test((await reason()) ?? ''), 60_000).catch(async () =>
    assert.fail(await reason()),
  );
  await until(async () => (await statusOf('tunneling'))?.ready === true, 60_000);

  execFileSync('mount', ['-o', 'remount,size=500m', state]);
  await until(async () => (await statusOf('nodeport'))?.ready === true, 90_000);
});
