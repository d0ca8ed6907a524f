// The two commands of the README as a person types them: in one clone, in any order, again and again. `up` leaves a bundle
// behind, which answers from then on; every other command from that bundle is in test/cli/bundle.test.ts.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { type Running, run } from '../../support/child-process.ts';
import { cloneProject } from '../../support/clone.ts';
import { undoAfter } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import { localPlatform } from '../../support/local-platform.ts';

test('"./causeway up" and "./causeway test" work in one clone, in any order and repeatedly', async (t) => {
  const undo = undoAfter(t);
  const clone = cloneProject(undo);
  const local = localPlatform();
  undo.after(() => local.remove());
  for (const name of readdirSync(local.at('clusters'))) rmSync(local.at('clusters', name));
  const bundle = path.join(clone.root, 'node_modules/.causeway-bundle/current');
  const nowhere = 'http://127.0.0.1:9';

  const start = (): Running =>
    run(undo, {
      program: './causeway',
      args: ['up', local.directory, '--port', '0'],
      cwd: clone.root,
      env: {
        ...{ CAUSEWAY_NODE: process.execPath, CAUSEWAY_CACHE: path.join(clone.scratch, 'cache'), CAUSEWAY_DEBUG: '' },
        // kubectl, which nobody needs here, is not fetched.
        ...{ CAUSEWAY_KUBERNETES_MIRROR: nowhere, GOPROXY: 'off' },
      },
    });
  const up = async (): Promise<void> => {
    const platform = start();
    await until(() => platform.said().includes('Ctrl-C stops it.') || platform.hasEnded(), 120_000);
    await until(() => existsSync(bundle) || platform.hasEnded(), 120_000);
    platform.child.kill('SIGINT');
    await until(platform.hasEnded, 60_000);
    assert.equal(platform.child.exitCode, 0, platform.said());
    assert.doesNotMatch(platform.said(), /internal error|Cannot find/);
  };
  const tests = async (): Promise<void> => {
    const { code, stdout, stderr } = await clone.start(['test', '--only', 'src/core/memo'], {
      cwd: clone.root,
      as: './causeway',
    });
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /^\d+ passed, 0 failed$/m);
  };
  for (const command of [tests, up, tests, up, tests]) await command();
});
