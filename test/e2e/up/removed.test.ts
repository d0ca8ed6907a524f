import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { test } from 'node:test';
import { platformHome } from '../../../src/runtime/local/home.ts';
import { run } from '../../support/child-process.ts';
import { type CliResult, causewayLater } from '../../support/cli.ts';
import { main } from '../../support/gateway/own-gateway.ts';
import { undoAfter } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import { type LocalPlatform, localPlatform } from '../../support/local-platform.ts';

const accepts = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host, () => resolve(socket.destroy().connecting === false));
    socket.once('error', () => resolve(false));
  });

/** A platform that is quickly there. */
function withoutClusters(undo: ReturnType<typeof undoAfter>): LocalPlatform {
  const local = localPlatform();
  undo.after(() => local.remove());
  for (const name of readdirSync(local.at('clusters'))) rmSync(local.at('clusters', name));
  return local;
}

test('a platform without clusters has its gateway open, and ends by itself when its directory is removed', async (t) => {
  const undo = undoAfter(t);
  const local = withoutClusters(undo);
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

test('a platform goes on when nobody reads its output any more, and is stopped in order', async (t) => {
  const undo = undoAfter(t);
  const local = withoutClusters(undo);
  const up = run(undo, { program: process.execPath, args: [main, 'up', '--port', '0'], cwd: local.directory });
  await until(() => up.said().includes('Ctrl-C stops it.'), 60_000);
  // As "up | head", or "up | tee" when Ctrl-C ends tee first.
  up.child.stdout?.destroy();
  up.child.stderr?.destroy();
  // A mistake is told at once, to nobody.
  local.edit('platform.yaml', (text) => text.replace('kind: Platform', 'kind: Platfrom'));
  const status = (): Promise<CliResult> => causewayLater(['status', local.directory]);
  await until(async () => /manifests have errors/.test((await status()).stdout), 30_000);
  assert.equal(up.hasEnded(), false);
  up.child.kill('SIGINT');
  await until(up.hasEnded, 30_000);
  assert.equal(up.child.exitCode, 0);
  const { controlSocket } = platformHome(local.directory);
  assert.equal(existsSync(controlSocket), false, 'it did not come to the end of stopping');
});
