import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { clusterHome, platformHome } from './home.ts';

test('sockets are where the user has a place for them, and never relative to where we were started', () => {
  assert.match(
    platformHome('/shop', { XDG_RUNTIME_DIR: '/run/user/7' }).controlSocket,
    /^\/run\/user\/7\/cw-\w{10}\/up/,
  );
  for (const env of [{}, { XDG_RUNTIME_DIR: '' }, { XDG_RUNTIME_DIR: 'run' }])
    assert.ok(platformHome('/shop', env).run.startsWith(`${tmpdir()}/causeway-`));
});

test('paths of sockets stay short, however long those of the manifests and names are', () => {
  const home = platformHome(`/${'long/'.repeat(100)}`, { XDG_RUNTIME_DIR: '/run/user/1000' });
  const { konnectivitySocket } = clusterHome(home, 'x'.repeat(200));
  for (const socket of [home.controlSocket, konnectivitySocket]) assert.ok(Buffer.byteLength(socket) <= 107, socket);
});
