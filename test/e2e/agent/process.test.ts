// The agent as a process: signals, its address, and what others can see of it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { type TLSSocket, connect as tlsConnect } from 'node:tls';
import { type Running, run } from '../../support/child-process.ts';
import { scratch } from '../../support/cli.ts';
import { runAgent, startAgent } from '../../support/gateway/own-agent.ts';
import { main } from '../../support/gateway/own-gateway.ts';
import { createUndoList, type Undo } from '../../support/gateway/undo.ts';
import { until } from '../../support/gateway/until.ts';
import { needProgram } from '../../support/programs.ts';
import { startSquid } from '../../support/squid.ts';
import { createScene, greeting, portOf, type Scene, tunnelName } from './scene.ts';

const shared = createUndoList();
let scene: Scene;
let tunnelPort: number;
before(async () => {
  scene = await createScene(shared);
  tunnelPort = portOf(await scene.startGateway(), 'tunnel');
});
after(() => shared.run());

const own = (...more: string[]) => ({
  directory: scene.directory,
  cluster: 'shop',
  gateways: [{ host: '127.0.0.1', port: tunnelPort }],
  args: ['--ca', scene.caFile, '--name', tunnelName, '--token-file', scene.tokenFile, ...more],
});

const held = (t: Undo, port: number): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const socket = tlsConnect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    t.after(() => socket.destroy());
    socket.once('error', reject).once('data', () => resolve(socket));
  });

const exitOf = async ({ child, hasEnded }: Running): Promise<number | null> => {
  await until(hasEnded, 20_000);
  return child.exitCode;
};

test('SIGTERM lets open connections end, takes no new ones, and ends with 0', async (t) => {
  const agent = await startAgent(t, own());
  const socket = await held(t, agent.port);
  agent.process.child.kill('SIGTERM');
  await until(() =>
    greeting(agent.port).then(
      () => false,
      (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED',
    ),
  );
  const echoed = new Promise((resolve) => socket.once('data', (chunk) => resolve(chunk.toString())));
  socket.write('still here');
  assert.equal(await echoed, 'still here');
  socket.end();
  assert.equal(await exitOf(agent.process), 0);
});

test('after the grace time, or a second signal, what is left is reset', async (t) => {
  for (const [grace, signals] of [
    ['0', 1],
    ['200ms', 1],
    ['10m', 2],
  ] as const) {
    const agent = await startAgent(t, own('--grace', grace));
    const socket = await held(t, agent.port);
    const cut = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve));
    agent.process.child.kill('SIGTERM');
    await until(() => agent.process.said().includes('stopping'));
    if (signals === 2) agent.process.child.kill('SIGTERM');
    await cut;
    assert.equal(await exitOf(agent.process), 0);
    assert.match(agent.process.said(), /1 connections? (was|were) still open/);
  }
});

test('goes through squid with credentials from a file, which nobody sees', async (t) => {
  const program = needProgram(t, 'squid');
  if (program === undefined) return;
  const squid = await startSquid(t, program, { allowedPorts: [tunnelPort], names: [tunnelName] });
  const file = path.join(scene.directory, 'proxy-credentials');
  writeFileSync(file, `${squid.user}:${squid.password}\n`, { mode: 0o600 });
  const proxy = ['--proxy', `http://127.0.0.1:${squid.port}`];
  const gateways = [{ host: tunnelName, port: tunnelPort }];
  const refused = await runAgent(t, { ...own(...proxy), gateways });
  await until(() => refused.process.said().includes('CW-PROXY-AUTH-MISSING'));
  const agent = await startAgent(t, { ...own(...proxy, '--proxy-credentials-file', file), gateways });
  assert.equal(await greeting(agent.port), 'shop -\n');
  const seen = agent.process.said() + readFileSync(`/proc/${agent.process.pid}/cmdline`, 'latin1');
  assert.ok(!seen.includes(squid.password) && !seen.includes(readFileSync(scene.tokenFile, 'utf8').trim()));
});

test('warns about a password in its arguments, and takes it out of the list of processes', async (t) => {
  const agent = await runAgent(t, own('--proxy', 'http://jo:S3cret@127.0.0.1:9'));
  await until(
    () => agent.process.said().includes('CW-AGENT-PASSWORD') && agent.process.said().includes('CW-DIAL-REFUSED'),
  );
  const listed = readFileSync(`/proc/${agent.process.pid}/cmdline`, 'latin1');
  assert.match(listed, /^causeway agent\0*$/);
  assert.doesNotMatch(agent.process.said() + listed, /S3cret/);
});

const isRoot = process.getuid?.() === 0;
const inNamespace = (t: Undo, script: string): Running =>
  run(t, {
    program: 'unshare',
    args: ['--net', '--pid', '--fork', '--kill-child', 'sh', '-c', `ip link set lo up\n${script}`],
  });
const agentLine = (listen: string): string =>
  `'${process.execPath}' '${main}' agent --gateway 192.0.2.1:443 --cluster shop --admin off --listen ${listen}`;

for (const [address, shown] of [
  ['100.64.30.10', /inet 100\.64\.30\.10\/32 scope host lo/],
  ['fd00:64::10', /inet6 fd00:64::10\/128 scope \w+ deprecated/],
] as const) {
  test(`adds ${address} to lo when it may, puts it back, and listens there`, {
    skip: !isRoot && 'needs root',
  }, async (t) => {
    if (needProgram(t, 'ip') === undefined || !mayUnshare()) return t.skip('no network namespaces here');
    const listen = address.includes(':') ? `[${address}]:6443` : `${address}:6443`;
    const log = path.join(scratch(t), 'log');
    const agent = inNamespace(
      t,
      `${agentLine(listen)} 2> '${log}' & agent=$!
       until grep -q 'listening on' '${log}'; do sleep 0.1; done; ip address show dev lo
       ip address flush dev lo; echo flushed
       until ip address show dev lo | grep -q ${address}; do sleep 0.1; done; echo back
       kill $agent; wait $agent; code=$?; cat '${log}'; echo ended $code`,
    );
    await until(() => agent.said().includes('ended 0'), 40_000).catch(() => assert.fail(agent.said()));
    assert.match(agent.said(), shown);
    assert.match(agent.said(), new RegExp(`listening on \\[?${address}`));
  });
}

test('says exactly what to run when it may not add the address', { skip: !isRoot && 'needs root' }, async (t) => {
  if (needProgram(t, 'ip') === undefined || !mayUnshare()) return t.skip('no network namespaces here');
  const agent = inNamespace(
    t,
    `exec setpriv --bounding-set -net_admin --inh-caps -net_admin ${agentLine('100.64.30.10:6443')}`,
  );
  assert.notEqual(await exitOf(agent), 0);
  assert.match(agent.said(), /\[CW-AGENT-ADDRESS\]/);
  assert.match(agent.said(), /run "sudo ip address add 100\.64\.30\.10\/32 dev lo scope host"/);
});

function mayUnshare(): boolean {
  try {
    execFileSync('unshare', ['--net', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
