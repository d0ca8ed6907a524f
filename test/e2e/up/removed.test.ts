import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { test } from 'node:test';
import { run } from '../../support/child-process.ts';
import { main } from '../../support/gateway/own-gateway.ts';
import { undoAfter } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import { localPlatform } from '../../support/local-platform.ts';

const accepts = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host, () => resolve(socket.destroy().connecting === false));
    socket.once('error', () => resolve(false));
  });

test('a platform without clusters has its gateway open, and ends by itself when its directory is removed', async (t) => {
  const undo = undoAfter(t);
  const local = localPlatform();
  undo.after(() => local.remove());
  for (const name of readdirSync(local.at('clusters'))) rmSync(local.at('clusters', name));
  const up = run(undo, { program: process.execPath, args: [main, 'up', '--port', '0'], cwd: local.directory });
  await until(() => up.said().includes('Ctrl-C stops it.'), 60_000);
  assert.equal(
    await accepts(`${local.network}.0.2`, 6443),
    true,
    'the gateway does not listen, and all is said to be ready',
  );
  local.remove();
  await until(up.hasEnded, 30_000).catch((error: Error) => assert.fail(`${error.message}\n${up.said()}`));
  assert.equal(up.child.exitCode, 0, up.said());
  assert.match(up.said(), /\.causeway is gone, so the platform ends/);
});
