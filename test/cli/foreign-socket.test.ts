// The control socket of somebody else: its path is known in advance, so another user of the machine can be there first.
import assert from 'node:assert/strict';
import { chmodSync, lchownSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { platformHome } from '../../src/runtime/local/home.ts';
import { type Running, run } from '../support/child-process.ts';
import { type CliResult, causewayLater, copyOf, scratch } from '../support/cli.ts';
import { until } from '../support/gateway/until.ts';
import { impostorUser, poison } from '../support/impostor.ts';
import { needRoot } from '../support/programs.ts';

interface Scene {
  /** Manifests of root. */
  readonly directory: string;
  /** Everybody may write there, as to /tmp. */
  readonly tmp: string;
  /** Where root's platform on the directory has its sockets, by its path alone. */
  readonly run: string;
}

/** Undefined where there can be no second user. */
function scene(t: TestContext): Scene | undefined {
  if (!needRoot(t, 'a process of another user')) return undefined;
  const [directory, root] = [copyOf(t, 'local'), scratch(t)];
  const tmp = path.join(root, 'tmp');
  mkdirSync(tmp);
  chmodSync(root, 0o755);
  chmodSync(tmp, 0o1777);
  const { run: usual } = platformHome(directory, {});
  return { directory, tmp, run: path.join(tmp, `causeway-${process.getuid?.()}`, path.basename(usual)) };
}

/** Another user answers there. */
async function impostorAt(t: TestContext, at: string): Promise<Running> {
  const program = path.resolve(import.meta.dirname, '../support/impostor.ts');
  const impostor = run(t, { program: process.execPath, args: [program, at] });
  await until(() => impostor.said().includes(`serves as user ${impostorUser}`));
  return impostor;
}

const asRoot = ({ tmp }: Scene, args: readonly string[], runtime = ''): Promise<CliResult> =>
  causewayLater(args, { env: { TMPDIR: tmp, XDG_RUNTIME_DIR: runtime } });

function assertRefused({ code, stdout, stderr }: CliResult, impostor: Running, what: string): void {
  assert.notEqual(code, 0, what);
  assert.match(stderr, /is not only yours.*CW-UP-RUN-DIRECTORY\]\n {2}fix: .*XDG_RUNTIME_DIR/, what);
  assert.equal(stdout, '', what);
  assert.ok(!stderr.includes(poison), what);
  assert.doesNotMatch(impostor.said(), /connected/, `${what} connected`);
}

test('refuses a control socket that another user made below the temporary directory, in every command', async (t) => {
  const where = scene(t);
  if (where === undefined) return;
  const impostor = await impostorAt(t, where.run);
  const dir = ['--dir', where.directory];
  for (const args of [
    ['kubeconfig', 'tunneling', ...dir],
    ['cluster', 'join', 'tunneling', ...dir],
    ['status', where.directory],
    ['logs', ...dir],
    ['cluster', 'backup', 'tunneling', ...dir],
    ['cluster', 'backups', 'tunneling', ...dir],
    ['cluster', 'delete', 'tunneling', '--yes', ...dir],
    ['down', where.directory],
    ['up', where.directory, '--detach'],
    ['up', where.directory],
  ])
    assertRefused(await asRoot(where, args), impostor, args.join(' '));
});

test('refuses a link of another user in the place of its own directory', async (t) => {
  const where = scene(t);
  if (where === undefined) return;
  const elsewhere = path.join(where.tmp, 'mine');
  const impostor = await impostorAt(t, path.join(elsewhere, path.basename(where.run)));
  symlinkSync(elsewhere, path.dirname(where.run));
  lchownSync(path.dirname(where.run), impostorUser, impostorUser);
  assertRefused(await asRoot(where, ['kubeconfig', 'tunneling', '--dir', where.directory]), impostor, 'a link');
});

test('refuses a runtime directory of another user', async (t) => {
  const where = scene(t);
  if (where === undefined) return;
  const runtime = path.join(where.tmp, 'run-user');
  const impostor = await impostorAt(t, path.join(runtime, path.basename(where.run)));
  const args = ['kubeconfig', 'tunneling', '--dir', where.directory];
  assertRefused(await asRoot(where, args, runtime), impostor, 'XDG_RUNTIME_DIR');
});
