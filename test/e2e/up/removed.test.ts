import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import { run } from '../../support/child-process.ts';
import { main } from '../../support/gateway/own-gateway.ts';
import { createUndoList } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import { localPlatform } from '../../support/local-platform.ts';

test('a platform whose directory is removed ends by itself', async (t) => {
  const undo = createUndoList();
  t.after(() => undo.run());
  const local = localPlatform();
  undo.after(() => local.remove());
  for (const name of readdirSync(local.at('clusters'))) rmSync(local.at('clusters', name));
  const up = run(undo, { program: process.execPath, args: [main, 'up', '--port', '0'], cwd: local.directory });
  await until(() => up.said().includes('Ctrl-C stops it.'), 60_000);
  local.remove();
  await until(up.hasEnded, 30_000).catch((error: Error) => assert.fail(`${error.message}\n${up.said()}`));
  assert.equal(up.child.exitCode, 0, up.said());
  assert.match(up.said(), /\.causeway is gone, so the platform ends/);
});
