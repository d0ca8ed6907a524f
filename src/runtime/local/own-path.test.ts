import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { platformHome } from './home.ts';
import { ownControlSocket, ownRunDirectory } from './own-path.ts';

/** A home whose sockets are below `runtime`. */
async function scene(t: TestContext) {
  const root = mkdtempSync(path.join(tmpdir(), 'cw-own-'));
  const runtime = path.join(root, 'runtime');
  const home = platformHome(root, { XDG_RUNTIME_DIR: runtime });
  mkdirSync(home.run, { recursive: true, mode: 0o700 });
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(home.controlSocket, resolve));
  chmodSync(home.controlSocket, 0o600);
  t.after(() => {
    server.close();
    rmSync(root, { recursive: true, force: true });
  });
  return { root, runtime, home };
}

const refused = (message: RegExp) => ({ code: 'CW-UP-RUN-DIRECTORY', message, fix: /XDG_RUNTIME_DIR/ });

test('a socket of our own in directories of our own is used', async (t) => {
  const { home, runtime, root } = await scene(t);
  assert.equal(ownControlSocket(home), true);
  // As /var/run is one to /run.
  symlinkSync(runtime, path.join(root, 'link'));
  assert.equal(ownControlSocket(platformHome(root, { XDG_RUNTIME_DIR: path.join(root, 'link') })), true);
});

test('where nothing is, nothing is wrong', async (t) => {
  const { home, root } = await scene(t);
  rmSync(home.controlSocket);
  assert.equal(ownControlSocket(home), false);
  assert.equal(ownRunDirectory(platformHome(root, { XDG_RUNTIME_DIR: path.join(root, 'none/at/all') })), false);
});

test('a run directory or socket that others may use is refused', async (t) => {
  const { home } = await scene(t);
  chmodSync(home.controlSocket, 0o666);
  assert.throws(() => ownControlSocket(home), refused(/up\.sock is not only yours.*mode 666/));
  chmodSync(home.controlSocket, 0o600);
  for (const mode of [0o755, 0o710, 0o1777]) {
    chmodSync(home.run, mode);
    assert.throws(() => ownRunDirectory(home), refused(/cw-\w+ is not only yours/), mode.toString(8));
  }
});

test('a parent that others can write to is refused, unless it has the sticky bit', async (t) => {
  const { home, runtime } = await scene(t);
  for (const mode of [0o777, 0o770, 0o722]) {
    chmodSync(runtime, mode);
    assert.throws(() => ownControlSocket(home), refused(/runtime is not only yours.*exchange/), mode.toString(8));
  }
  chmodSync(runtime, 0o1777);
  assert.equal(ownControlSocket(home), true);
});

test('a link or a file in the place of directory or socket is refused', async (t) => {
  const { home, root } = await scene(t);
  rmSync(home.controlSocket);
  symlinkSync(path.join(root, 'elsewhere'), home.controlSocket);
  assert.throws(() => ownControlSocket(home), refused(/no socket/));
  rmSync(home.controlSocket);
  writeFileSync(home.controlSocket, '', { mode: 0o600 });
  assert.throws(() => ownControlSocket(home), refused(/no socket/));
  rmSync(home.run, { recursive: true });
  mkdirSync(path.join(root, 'other'), 0o700);
  symlinkSync(path.join(root, 'other'), home.run);
  assert.throws(() => ownRunDirectory(home), refused(/no directory/));
});

test('links that lead in a circle come to an end', async (t) => {
  const { root } = await scene(t);
  symlinkSync(path.join(root, 'b'), path.join(root, 'a'));
  symlinkSync(path.join(root, 'a'), path.join(root, 'b'));
  const home = platformHome(root, { XDG_RUNTIME_DIR: path.join(root, 'a') });
  assert.throws(() => ownRunDirectory(home), refused(/circle/));
});
