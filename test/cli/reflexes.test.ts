// What people type without thinking, and mistype.
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { causeway, causewayLater, exampleDir } from '../support/cli.ts';
import { allCommands, outcomesOf } from '../support/commands.ts';
import { controlledSample } from '../support/controlled-sample.ts';

test('cluster list shows the clusters as status does', async (t) => {
  const { directory } = await controlledSample(t);
  const list = await causewayLater(['cluster', 'list', '--dir', directory]);
  assert.equal(list.code, 0, list.stderr);
  assert.match(list.stdout, /^CLUSTER +STRATEGY +ENDPOINT +NODES +READY\n(.*\n)*tunneling +Tunneling /);
  const json = async (...args: string[]): Promise<unknown> =>
    JSON.parse((await causewayLater([...args, '-o', 'json'], { cwd: directory })).stdout);
  assert.deepEqual(await json('cluster', 'list'), ((await json('status')) as { clusters: unknown }).clusters);
});

for (const [what, meant, ...args] of [
  ['cluster "tuneling"', 'tunneling', 'kubeconfig', 'tuneling'],
  ['cluster "Tunneling"', 'tunneling', 'kubeconfig', 'Tunneling'],
  ['cluster "tuneling"', 'tunneling', 'cluster', 'join', 'tuneling'],
  ['cluster "tuneling"', 'tunneling', 'cluster', 'delete', 'tuneling', '--yes'],
  ['component "etdc"', 'etcd', 'logs', 'etdc'],
  ['cluster "tuneling" has etcd', 'tunneling', 'logs', 'etcd', '--cluster', 'tuneling'],
] as const)
  test(`${args.join(' ')}: did you mean ${meant}?`, async (t) => {
    const { directory } = await controlledSample(t);
    const { code, stderr } = await causewayLater([...args, '--dir', directory]);
    assert.equal(code, 2);
    assert.match(stderr, new RegExp(`^error: .*no ${what}.*\\n {2}fix: did you mean ${meant}\\?`));
  });

for (const [meant, ...args] of [
  ['local', 'init', '--template', 'locla', 'nowhere'],
  ['kubectl', 'programs', 'path', 'kubetcl'],
  ['list', 'programs', 'lst'],
  ['Cluster', 'schema', 'Clutser'],
  ['cluster', 'explain', 'clutser'],
  ['Cluster/shop', 'explain', 'Clutser/shop'],
  ['Cluster/shop', 'explain', 'Cluster/shpo', '--dir', exampleDir('vsphere')],
  ['PRT-8', 'explain', 'PRT-88'],
  ['CW-CIDR-OVERLAP', 'explain', 'CW-CIDR-OVERLAPS'],
  ['gateway', 'bench', 'gatway'],
  ['bash', 'completion', 'bsh'],
  ['users', 'plan', exampleDir('local'), '--from', 'usres'],
  ['firewall', 'render', exampleDir('local'), '--out', 'out', '--only', 'firewal'],
] as const)
  test(`${args[0]} ${args[1]} …: did you mean ${meant}?`, () => {
    const { code, stderr } = causeway(args);
    assert.equal(code, 2, stderr);
    assert.match(stderr, new RegExp(`^ {2}fix: did you mean ${meant}\\?`, 'm'));
  });

for (const [help, ...args] of [
  ['kubeconfig --help shows its arguments and options', 'kubeconfig'],
  ['bench --help shows its arguments and options', 'bench'],
  ['plan --help shows its arguments and options', 'plan', '--form', 'users'],
  ['cluster --help shows its commands', 'cluster', 'lst'],
  ['cluster join --help shows its arguments and options', 'cluster', 'join'],
  ['--help shows the commands', 'stauts'],
] as const)
  test(`${args.join(' ')}: names the help that has the answer`, () => {
    const { code, stderr } = causeway(args);
    assert.equal(code, 2);
    assert.match(stderr, new RegExp(`^\\(\\S*causeway ${help}\\)$`, 'm'));
  });

test('every option that takes a duration says what is accepted', () => {
  const options = allCommands().flatMap(({ name, command }) =>
    command.options.filter(({ flags }) => flags.includes('<duration>')).map(({ long }) => `${name} ${long}`),
  );
  assert.ok(options.length >= 6, options.join());
  // With --help nothing is started where the duration is not refused.
  const refused = outcomesOf(
    options.map((option) => ({ cwd: tmpdir(), args: [...option.split(' '), '8hours', '--help'] })),
  );
  for (const [at, option] of options.entries()) {
    assert.equal(refused[at]?.code, 'CW-CLI-DURATION', option);
    assert.equal(refused[at]?.message, `${option.split(' ').at(-1)} "8hours" is not a duration`);
    assert.match(refused[at]?.fix ?? '', /^did you mean 8h\? Write a number and a unit \(ms, s, m or h\).* as in 30s/);
  }
});

test('tables fit a terminal, and are whole for scripts', () => {
  const terminal = 'data:text/javascript,Object.assign(process.stdout,{isTTY:true,columns:80})';
  const env = { ...process.env, NO_COLOR: '1' };
  for (const args of [
    ['plan', exampleDir('vsphere')],
    ['plan', exampleDir('vsphere'), '-o', 'wide'],
    ['plan', exampleDir('vsphere'), '--by', 'cluster'],
    ['plan', exampleDir('vsphere'), '--by', 'place'],
    ['programs', 'list'],
  ]) {
    const shown = causeway(args, { node: ['--import', terminal], env });
    assert.equal(shown.code, 0, shown.stderr);
    const lines = shown.stdout.split('\n');
    assert.deepEqual(
      lines.filter((line) => line.length > 80 && !/^ {2}\d+ (cluster|allow-list)/.test(line)),
      [],
      args.join(' '),
    );
    assert.ok(lines.length > 5);
    const piped = causeway(args);
    assert.ok(piped.stdout.split('\n').length < lines.length, `${args.join(' ')} is wrapped for a script`);
  }
});
