// Every command that works on a platform finds it by the same rule: the directory that is named, else here, else ./platform.
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { run } from '../support/child-process.ts';
import { causeway, commandLine, copyOf, edit, exampleDir, scratch } from '../support/cli.ts';
import { allCommands, type Outcome, outcomesOf } from '../support/commands.ts';
import { until } from '../support/gateway/until.ts';

/** Their directory is another one, and they say so. */
const exceptions: Record<string, string> = {
  init: 'writes a new set of manifests',
  diff: 'reads inside revisions',
  programs: 'a directory with programs',
  install: 'a directory on PATH',
  'gateway pki': 'writes keys',
};
/** Starts a platform, and writes one where there is none: test/e2e/up has it. */
const notRunHere = ['up'];

const values: Record<string, readonly string[]> = {
  cluster: ['tunneling'],
  node: ['tunneling-1'],
  resource: ['Cluster/tunneling'],
  out: ['out', '--check'],
};

/** What a command wants that commander takes for optional: one or the other. */
const wanted: Record<string, readonly string[]> = { 'credentials revoke': ['s1'] };

interface DirectoryCommand {
  readonly name: string;
  /** What it needs besides. */
  readonly args: readonly string[];
  /** How it is told the directory. */
  named(directory: string): readonly string[];
}

const commands = allCommands().flatMap(({ name, command }): DirectoryCommand[] => {
  const argument = command.registeredArguments.find((one) => one.name() === 'dir');
  const option = command.options.find(({ long }) => long === '--dir');
  const description = argument?.description ?? option?.description;
  if (description === undefined || name in exceptions || notRunHere.includes(name)) return [];
  assert.match(description, /\(default: here, or \.\/platform\)/, `${name} tells another rule`);
  const needed = [
    ...(wanted[name] ?? []),
    ...command.options
      .filter(({ mandatory }) => mandatory)
      .flatMap(({ long }) => [long ?? '', ...valueFor(long?.slice(2))]),
    ...command.registeredArguments.filter(({ required }) => required).flatMap((one) => valueFor(one.name())),
  ];
  const named = (directory: string): string[] => (argument === undefined ? ['--dir', directory] : [directory]);
  return [{ name, args: needed, named }];
});

function valueFor(name = ''): readonly string[] {
  return values[name] ?? assert.fail(`give this test a value for ${name}`);
}

/** A directory with manifests that belong to no platform of it, as in a checkout of Causeway. */
function manifestsOfOthers(t: TestContext): string {
  const cwd = scratch(t);
  cpSync(exampleDir('vsphere'), path.join(cwd, 'examples/vsphere'), { recursive: true });
  writeFileSync(path.join(cwd, 'compose.yaml'), 'services: {}\n');
  return cwd;
}

test('there are such commands', () => {
  const names = commands.map(({ name }) => name);
  for (const name of ['validate', 'plan', 'render', 'explain', 'status', 'kubeconfig', 'logs', 'cluster restore'])
    assert.ok(names.includes(name), `${name} does not take a directory`);
});

/** Outcomes of every command: without a directory, and with each of these. */
function outcomesIn(cwd: string, ...directories: readonly string[]): Map<string, Outcome[]> {
  const runs = commands.flatMap(({ name, args, named }) =>
    [undefined, ...directories].map((directory) => ({
      cwd,
      args: [...name.split(' '), ...(directory === undefined ? [] : named(directory)), ...args],
    })),
  );
  const outcomes = outcomesOf(runs);
  const each = directories.length + 1;
  return new Map(commands.map(({ name }, at) => [name, outcomes.slice(at * each, (at + 1) * each)]));
}

test('every command means the platform that is here', (t) => {
  for (const [name, [unnamed, here]] of outcomesIn(copyOf(t, 'local'), '.')) assert.deepEqual(unnamed, here, name);
});

test('every command means ./platform where none is here, and nothing else below', (t) => {
  const cwd = manifestsOfOthers(t);
  cpSync(exampleDir('local'), path.join(cwd, 'platform'), { recursive: true });
  for (const [name, [unnamed, platform, other]] of outcomesIn(cwd, 'platform', 'examples/vsphere')) {
    assert.deepEqual(unnamed, platform, name);
    // What is valid looks the same everywhere.
    if (name !== 'validate') assert.notDeepEqual(unnamed, other, name);
  }
});

test('every command says so where there is no platform', (t) => {
  for (const [name, [unnamed]] of outcomesIn(manifestsOfOthers(t)))
    assert.equal(unnamed?.code, 'CW-CLI-NO-PLATFORM', name);
});

test('up writes no first platform beside manifests whose Platform is mistyped', async (t) => {
  const dir = copyOf(t, 'local');
  edit(path.join(dir, 'platform.yaml'), 'kind: Platform', 'kind: Platfrom');
  const up = run(t, { program: process.execPath, args: [commandLine, 'up', '--port', '0'], cwd: dir });
  const isWritten = (): boolean => existsSync(path.join(dir, 'platform'));
  await until(() => up.hasEnded() || isWritten(), 30_000);
  assert.equal(isWritten(), false);
  assert.equal(up.child.exitCode, 2, up.said());
  assert.match(
    up.said(),
    /^error: platform\.yaml is a manifest, but none of kind Platform is here.*\n {2}fix: mend the kind/,
  );
});

test('nothing is computed from manifests with errors: findings, and the exit code of findings', (t) => {
  const dir = copyOf(t, 'vsphere');
  edit(path.join(dir, 'pools/management.yaml'), /ranges: .*/, 'ranges: [10.30.0.11-10.30.0.12]');
  mkdirSync(path.join(dir, '../out'));
  for (const args of [
    ['plan'],
    ['plan', '-o', 'json'],
    ['plan', '--by', 'cluster'],
    ['explain', 'Cluster/shop'],
    ['render', '--out', '../out'],
  ]) {
    const { code, stdout, stderr } = causeway(args, { cwd: dir });
    assert.equal(code, 3, args.join(' '));
    assert.equal(stdout, '', args.join(' '));
    assert.match(stderr, /CW-POOL/, args.join(' '));
  }
});
