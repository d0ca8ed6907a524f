// The first start on a machine that has none of the programs: what is told meanwhile, and how it ends.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { ObservedComponent } from '../../../src/runtime/platform-runtime.ts';
import { isRunning } from '../../../src/sys/is-running.ts';
import { run } from '../../support/child-process.ts';
import { causewayLater, commandLine } from '../../support/cli.ts';
import { createUndoList } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import { localPlatform } from '../../support/local-platform.ts';

/** A Go that never comes to an end, and says which process it is. */
const slowGo = (pidFile: string): string => `#!/bin/sh
[ "$1" = env ] && exec echo go1.99.0
echo $$ > ${pidFile}
exec sleep 600
`;

test('while programs are built, status tells so, and Ctrl-C ends it all at once', async (t) => {
  const undo = createUndoList();
  t.after(() => undo.run());
  const local = localPlatform();
  undo.after(() => local.remove());
  const pidFile = local.at('.tools/pid');
  mkdirSync(local.at('.tools'));
  writeFileSync(local.at('.tools/go'), slowGo(pidFile), { mode: 0o755 });
  const nowhere = 'http://127.0.0.1:9';
  const up = run(undo, {
    program: process.execPath,
    args: [commandLine, 'up', local.directory, '--clusters', 'tunneling', '--port', '0'],
    env: {
      CAUSEWAY_CACHE: local.at('.tools/cache'),
      CAUSEWAY_PROGRAMS: '',
      PATH: `${local.at('.tools')}:/usr/bin:/bin`,
      ...{ CAUSEWAY_KUBERNETES_MIRROR: nowhere, CAUSEWAY_GITHUB_MIRROR: nowhere, CAUSEWAY_GITHUB_API: nowhere },
    },
  });
  await until(() => /^etcd \S+: building/m.test(up.said()) || up.hasEnded(), 60_000);
  assert.match(up.said(), /^page: http:\/\/127\.0\.0\.1:\d+\/\?token=/m);
  let stdout = '';
  // A component looks for its program before it hears how far that is.
  await until(async () => {
    stdout = (await causewayLater(['status', local.directory])).stdout;
    return !stdout.includes('is being looked for');
  });
  assert.match(stdout, /^Getting etcd \S+: building, \d+ s\.$/m);
  assert.match(stdout, /^tunneling .* starting \(\d of \d+ steps\): etcd: its program etcd \S+ is not here yet/m);
  const forScripts = await causewayLater(['status', local.directory, '-o', 'json']);
  const { clusters, components } = JSON.parse(forScripts.stdout);
  assert.deepEqual([clusters.length, clusters[0].name, clusters[0].ready], [1, 'tunneling', false]);
  assert.match(clusters[0].reason, /^etcd: its program etcd \S+ is not here yet/);
  assert.equal(clusters[0].endpoint, `https://${local.network}.0.2:6443`);
  assert.ok(components.some(({ name, healthy }: ObservedComponent) => name === 'etcd' && !healthy));
  const go = Number(await fileText(pidFile));
  assert.ok(isRunning(go));
  up.child.kill('SIGINT');
  await until(up.hasEnded, 30_000);
  assert.equal(up.child.exitCode, 0, up.said());
  await until(() => !isRunning(go));
});

async function fileText(file: string): Promise<string> {
  await until(() =>
    readFile(file, 'utf8')
      .then((text) => text.endsWith('\n'))
      .catch(() => false),
  );
  return readFile(file, 'utf8');
}
