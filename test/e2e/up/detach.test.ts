// `up --detach` where not all can be had: it returns, and says what is missing and why.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { causewayLater } from '../../support/cli.ts';
import { undoAfter } from '../../support/gateway/undo.ts';
import { localPlatform } from '../../support/local-platform.ts';
import { needPlatformPrograms } from '../../support/platform-programs.ts';
import { projectRoot } from '../../support/source-tree.ts';
import { running } from './running.ts';

const setClock = pathToFileURL(path.join(projectRoot, 'test/support/set-clock.ts'));

test('up --detach says what is not ready and why, and what is goes on', async (t) => {
  const real = await needPlatformPrograms(t);
  if (real === undefined) return;
  const undo = undoAfter(t);
  const local = localPlatform();
  undo.after(() => local.remove());
  const platform = running(local, real.kubectl);
  undo.after(() => platform.causeway('down'));
  // The one that has an address of its own.
  const taken = createServer((socket) => socket.destroy()).listen(30_000, `${local.network}.0.10`);
  await once(taken, 'listening');
  undo.after(() => new Promise((resolve) => taken.close(resolve)));

  // It waits for as long as it says, also when the clock of the machine is set meanwhile.
  const env = { NODE_OPTIONS: `--import=${setClock}`, CLOCK_SET_IN: 'up --detach' };
  const { code, stdout, stderr } = await causewayLater(
    ['up', '--detach', '--port', '0', '--wait', '40s', '--clusters', 'loadbalancer,tunneling'],
    { cwd: local.directory, env },
  );
  assert.equal(code, 1, stdout + stderr);
  assert.match(stdout, /^The platform on \S+ is starting\.$/m);
  assert.match(
    stdout,
    /^loadbalancer .* no: the gateway does not serve it: cannot listen on \S+:30000: another program/m,
  );
  assert.match(stdout, /^tunneling .* 2\/2 +yes$/m);
  assert.match(stdout, /It goes on in the background; "\S*causeway down \." stops it\./);
  assert.equal((await platform.kubectl('tunneling', ['get', 'nodes'])).match(/ Ready /g)?.length, 2);
});
