// `causeway kubectl`, with a kubectl that tells what it was given.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { commandLine, scratch } from '../support/cli.ts';
import { controlledSample } from '../support/controlled-sample.ts';
import { until } from '../support/gateway/until.ts';

interface Scene {
  /** Where temporary files are. */
  readonly temporary: string;
  start(args: readonly string[], env?: NodeJS.ProcessEnv): ChildProcess;
  run(args: readonly string[], options?: { input?: string; env?: NodeJS.ProcessEnv }): Promise<Result>;
}

interface Result {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function scene(t: TestContext, script: string): Promise<Scene> {
  const scratched = scratch(t);
  const [programs, temporary] = [path.join(scratched, 'programs'), path.join(scratched, 'run')];
  for (const made of [programs, temporary]) mkdirSync(made, { mode: 0o700 });
  process.env.XDG_RUNTIME_DIR = temporary;
  const { directory } = await controlledSample(t);
  writeFileSync(path.join(programs, 'kubectl'), kubectlScript(script));
  chmodSync(path.join(programs, 'kubectl'), 0o755);
  const start: Scene['start'] = (args, env = {}) => {
    const all = { ...process.env, CAUSEWAY_PROGRAMS: programs, ...env };
    const child = spawn(process.execPath, [commandLine, 'kubectl', '--dir', directory, ...args], { env: all });
    t.after(() => child.kill('SIGKILL'));
    return child;
  };
  const run: Scene['run'] = async (args, { input = '', env } = {}) => {
    const child = start(args, env);
    child.stdin?.end(input);
    return resultOf(child);
  };
  return { temporary, start, run };
}

const kubectlScript = (script: string): string =>
  `#!/bin/sh\n[ "$*" = 'version --client' ] && { echo Client Version: v1.36.3; exit; }\n${script}\n`;

async function resultOf(child: ChildProcess): Promise<Result> {
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const [stdout, stderr] = await Promise.all([text(child.stdout as never), text(child.stderr as never)]);
  const [code, signal] = await ended;
  return { code, signal, stdout, stderr };
}

const kubeconfigsIn = (directory: string): string[] =>
  readdirSync(directory).filter((name) => name.startsWith('causeway-kubectl-'));

test('all that follows the cluster goes to kubectl as it is, and its input, output and exit code come back', async (t) => {
  const { run } = await scene(t, `for each in "$@"; do echo "[$each]"; done; cat; echo said >&2; exit 7`);
  const args = ['get', 'pods', '-n', 'a b', '-o', 'json', '--help', '--dir', '/x', '--no-color', '--', '--version'];
  const { code, stdout, stderr } = await run(['tunneling', ...args], { input: 'typed\n' });
  assert.equal(stdout, `${args.map((each) => `[${each}]`).join('\n')}\ntyped\n`);
  assert.equal(stderr, 'said\n');
  assert.equal(code, 7);
});

test('its kubeconfig is of that cluster, ends soon, is private, and is gone afterwards', async (t) => {
  const { run, temporary } = await scene(
    t,
    'cat "$KUBECONFIG"; stat -c %a "$KUBECONFIG" "$(dirname "$KUBECONFIG")"; echo "$KUBECONFIG"',
  );
  const { stdout } = await run(['tunneling', 'get', 'nodes']);
  const [, file = ''] = /\n(\/\S+)\n$/.exec(stdout) ?? [];
  assert.match(stdout, /^# Ends after 3600000 ms\.[\s\S]*current-context: tunneling-admin\n600\n700\n/);
  assert.equal(path.dirname(path.dirname(file)), temporary);
  assert.ok(!existsSync(path.dirname(file)));
  const viewer = await run(['--role', 'viewer', '--ttl', '5m', 'tunneling', 'get', 'nodes']);
  assert.match(viewer.stdout, /^# Ends after 300000 ms\.[\s\S]*tunneling-viewer\n/);
});

test('two clusters behind one address do not share what kubectl remembers', async (t) => {
  const { run } = await scene(t, 'echo "$KUBECACHEDIR"');
  const own = async (cluster: string): Promise<string> => (await run([cluster, 'x'])).stdout.trim();
  assert.match(await own('tunneling'), /\/tunneling$/);
  assert.notEqual(await own('tunneling'), await own('single-port'));
});

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  test(`${signal} goes to kubectl, and the kubeconfig is gone afterwards`, async (t) => {
    const { start, temporary } = await scene(
      t,
      `trap 'echo heard; kill $!; exit 3' TERM INT HUP; echo ready; sleep 60 & wait`,
    );
    const child = start(['tunneling', 'logs', '-f']);
    const result = resultOf(child);
    let said = '';
    child.stdout?.on('data', (data) => (said += data));
    await until(() => said.includes('ready'), 20_000);
    assert.equal(kubeconfigsIn(temporary).length, 1);
    child.kill(signal);
    const { code, stdout } = await result;
    assert.match(stdout, /heard/);
    assert.equal(code, 3);
    assert.deepEqual(kubeconfigsIn(temporary), []);
  });

test('where a signal ends kubectl, it ends the command too', async (t) => {
  const { run, temporary } = await scene(t, 'kill -TERM $$');
  const { signal } = await run(['tunneling', 'get', 'nodes']);
  assert.equal(signal, 'SIGTERM');
  assert.deepEqual(kubeconfigsIn(temporary), []);
});

test('fetches kubectl where there is none, and shows that it does', async (t) => {
  const { run, temporary } = await scene(t, 'echo not this one');
  const program = kubectlScript('echo fetched "$@"');
  const server = createServer((request, response) =>
    response.end(request.url?.endsWith('.sha256') ? createHash('sha256').update(program).digest('hex') : program),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  const env = {
    CAUSEWAY_PROGRAMS: undefined,
    CAUSEWAY_CACHE: path.join(temporary, 'cache'),
    CAUSEWAY_KUBERNETES_MIRROR: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    PATH: '/usr/bin:/bin',
  };
  const { code, stdout, stderr } = await run(['tunneling', 'get', 'nodes'], { env });
  assert.equal(code, 0, stderr);
  assert.equal(stdout, 'fetched get nodes\n');
  assert.match(stderr, /kubectl 1\.36\.3: downloading from/);
});

test('a mistyped cluster is refused before anything is fetched', async (t) => {
  const { run } = await scene(t, 'echo never');
  const { code, stdout, stderr } = await run(['tuneling', 'get', 'nodes']);
  assert.equal(code, 2);
  assert.equal(stdout, '');
  assert.match(stderr, /there is no cluster "tuneling".*\n {2}fix: did you mean tunneling\?/);
});
