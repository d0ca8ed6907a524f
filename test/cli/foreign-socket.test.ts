// The control socket of somebody else: its path is known in advance, so another user of the machine can be there first.
import assert from 'node:assert/strict';
import { chmodSync, lchownSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { platformHome } from '../../src/runtime/local/home.ts';
import { type Running, run } from '../support/child-process.ts';
import { type CliResult, causewayLater, copyOf, scratch } from '../support/cli.ts';
import { allCommands } from '../support/commands.ts';
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

/** They have a directory, and ask no platform that runs there. */
const offline = ['init', 'validate', 'plan', 'render', 'diff', 'explain', 'programs', 'install', 'gateway pki'];
/** Read a file beside the manifests. */
const files = ['audit list', 'audit verify'];
/** A command that is new is one of those, or it is tried. */
const asking = allCommands().filter(
  ({ name, command }) =>
    ![...offline, ...files].includes(name) &&
    (command.options.some(({ long }) => long === '--dir') ||
      command.registeredArguments.some((argument) => argument.name() === 'dir')),
);
const further: Readonly<Record<string, readonly string[]>> = {
  'cluster delete': ['--yes'],
  'cluster restore': ['--yes'],
  'credentials revoke': ['s1'],
};

test('refuses a control socket that another user made below the temporary directory, in every command', async (t) => {
  const where = scene(t);
  if (where === undefined) return;
  const impostor = await impostorAt(t, where.run);
  assert.ok(asking.length > 12, asking.map(({ name }) => name).join());
  for (const { name, command } of asking) {
    const isOption = command.options.some(({ long }) => long === '--dir');
    const named = command.registeredArguments.filter(({ required }) => required).map(() => 'tunneling');
    const place = isOption ? ['--dir', where.directory] : [where.directory];
    // kubectl takes what follows the cluster for itself.
    const args = [...name.split(' '), ...place, ...named, ...(further[name] ?? [])];
    assertRefused(await asRoot(where, args), impostor, args.join(' '));
  }
  assertRefused(await asRoot(where, ['up', where.directory, '--detach']), impostor, 'up --detach');
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
