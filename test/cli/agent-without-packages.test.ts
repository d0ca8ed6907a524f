// The part of a checkout that a worker gets: enough for its node agent, and no package.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { agentFlags } from '../../src/cli/agent-flags.ts';
import { exitCodes } from '../../src/core/errors.ts';
import { temporaryDirectory } from '../e2e/gateway/world.ts';
import { copyAgentProgram } from '../support/agent/program.ts';
import { loadedWith, projectRoot } from '../support/source-tree.ts';

interface Worker {
  readonly root: string;
  agent(...args: string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string };
}

/** Neither npm nor a mirror is there to fetch packages from. */
function worker(t: TestContext): Worker {
  const directory = temporaryDirectory(t, 'worker');
  const root = copyAgentProgram(path.join(directory, 'causeway'));
  const env = {
    PATH: '/usr/bin:/bin',
    CAUSEWAY_NODE: process.execPath,
    CAUSEWAY_CACHE: path.join(directory, 'cache'),
    npm_config_registry: 'http://127.0.0.1:1',
  };
  return {
    root,
    agent: (...args) => spawnSync(path.join(root, 'causeway'), ['agent', ...args], { env, encoding: 'utf8' }),
  };
}

const way = ['--gateway', '127.0.0.1:1', '--cluster', 'shop', '--name', 'tunnel.example.com'];

test('the agent of a machine without packages tries its way, and installs none', (t) => {
  const { root, agent } = worker(t);
  const { status, stdout, stderr } = agent(...way, '--check', '--output', 'json');
  assert.equal(stderr, '');
  assert.equal(status, exitCodes.findings, stdout);
  assert.match(stdout, /127\.0\.0\.1:1/);
  assert.equal(JSON.stringify(JSON.parse(stdout)).includes('CW-'), true);
  assert.ok(!existsSync(path.join(root, 'node_modules')));
  assert.deepEqual(readdirSync(root).sort(), ['causeway', 'libexec', 'package.json', 'src']);
});

test('without packages a flag that is unknown or wrong is said, and help has every flag', (t) => {
  const { agent } = worker(t);
  const refused = (...args: string[]): string => {
    const { status, stderr } = agent(...args);
    assert.equal(status, exitCodes.usage, stderr);
    return stderr;
  };
  assert.match(refused(...way, '--gatway', 'x:1'), /--gatway.* \[CW-AGENT-FLAG\]\n {2}fix: /);
  assert.match(refused(...way, '--transport', 'udp'), /--transport is one of auto, trunk, h2/);
  assert.match(refused(...way, '--grace', 'soon'), /CW-AGENT-GRACE/);
  assert.match(refused('--gateway', '127.0.0.1:1'), /CW-AGENT-CLUSTER/);
  const { stdout } = agent('--help');
  for (const { name, text } of agentFlags) assert.ok(stdout.includes(`--${name}`) && stdout.includes(text), name);
});

test('both command lines read the same flags', async (t) => {
  const { root } = worker(t);
  const args = ['agent', ...way, '--token-file', '/none', '-o', 'json', '--check'];
  const said = (file: string): string =>
    spawnSync(process.execPath, [file, ...args], { encoding: 'utf8', env: { PATH: '' } }).stderr;
  const alone = said(path.join(root, 'src/cli/agent-main.ts'));
  assert.match(alone, /\/none does not exist/);
  assert.equal(alone, said(path.join(projectRoot, 'src/cli/main.ts')));
});

test('what starts the agent without packages loads nothing but Node itself', () => {
  const loaded = [...loadedWith('src/cli/agent-main.ts')];
  assert.deepEqual(
    loaded.filter((name) => !name.endsWith('.ts') && !name.startsWith('node:')),
    [],
  );
});
