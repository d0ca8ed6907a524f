// The admin of a gateway and of an agent, as a person starts them: who gets in.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Running, run } from '../support/child-process.ts';
import { causewayLater, scratch } from '../support/cli.ts';
import { askAdmin } from '../support/gateway/admin.ts';
import { main, ready } from '../support/gateway/own-gateway.ts';
import { freePort } from '../support/gateway/ports.ts';
import { until } from '../support/gateway/until.ts';
import { impostorUser } from '../support/impostor.ts';
import { needRoot } from '../support/programs.ts';

type Program = 'gateway' | 'agent';

const snapshot = JSON.stringify({
  ...{ version: '1', seed: 'x', trustedBalancers: [], clusters: {} },
  listeners: { sni: 0, nodePortRange: '30000-30001' },
  tunnel: { name: 'tunnel.example.test', authentication: 'none', publicKeys: [] },
});

/** An agent is alive without a gateway; a gateway is ready without clusters. */
function flagsOf(program: Program, directory: string): string[] {
  if (program === 'agent') return ['--gateway', '127.0.0.1:1', '--cluster', 'shop', '--listen', '127.0.0.1:0'];
  const file = path.join(directory, 'snapshot.json');
  writeFileSync(file, snapshot);
  return ['--snapshot', file, '--listen', '127.0.0.1', '--workers', '1'];
}

interface Started {
  readonly process: Running;
  readonly directory: string;
}

function start(t: TestContext, program: Program, more: readonly string[], env: Record<string, string> = {}): Started {
  const directory = scratch(t);
  const args = [main, program, ...flagsOf(program, directory), ...more];
  const usual = { RUNTIME_DIRECTORY: '', XDG_RUNTIME_DIR: directory };
  return { process: run(t, { program: process.execPath, args, env: { ...usual, ...env } }), directory };
}

/** What another user of this machine gets there: an HTTP status, or why there is no connection. */
function asOtherUser(socket: string): Promise<string> {
  const script = `
    process.setgroups([]); process.setgid(${impostorUser}); process.setuid(${impostorUser});
    require('node:http').get({ socketPath: process.argv[1], path: '/healthz' }, (answer) => console.log(answer.statusCode))
      .on('error', (error) => console.log(error.code));`;
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['-e', script, socket], (error, stdout) =>
      error ? reject(error) : resolve(stdout.trim()),
    );
  });
}

for (const program of ['gateway', 'agent'] as const) {
  test(`by default the admin of the ${program} is a unix socket that another user of the machine cannot open`, async (t) => {
    const { process: running, directory } = start(t, program, []);
    const socket = path.join(directory, 'causeway', `${program}.sock`);
    await until(async () => {
      if (running.hasEnded()) throw new Error(`it ended:\n${running.said()}`);
      return askAdmin(socket, '/healthz').then(
        ({ status }) => status === 200,
        () => false,
      );
    });
    assert.equal(statSync(socket).mode & 0o777, 0o600);
    assert.equal(statSync(path.dirname(socket)).mode & 0o777, 0o700);
    if (!needRoot(t, 'a process of another user')) return;
    assert.equal(await asOtherUser(socket), 'EACCES');
    // Not only the directories keep them out.
    for (const open of [directory, path.dirname(socket)]) chmodSync(open, 0o755);
    assert.equal(await asOtherUser(socket), 'EACCES');
  });

  test(`an admin address of the ${program} with a port is refused without a token, and says how to make one`, async (t) => {
    const flags = [...flagsOf(program, scratch(t)), '--admin', '127.0.0.1:0'];
    const { code, stderr } = await causewayLater([program, ...flags]);
    assert.equal(code, 2);
    assert.match(stderr, /no token was named \[CW-ADMIN-TOKEN\]\n {2}fix: .*--admin-token-file/);
  });

  test(`an admin address of the ${program} with a port gives metrics to whoever has the token`, async (t) => {
    const token = 'a-token-of-more-than-24-letters';
    const file = path.join(scratch(t), 'admin.token');
    writeFileSync(file, token, { mode: 0o600 });
    const port = await freePort();
    const { process: running } = start(t, program, ['--admin', `127.0.0.1:${port}`, '--admin-token-file', file]);
    const metrics = (headers: Record<string, string>) => fetch(`http://127.0.0.1:${port}/metrics`, { headers });
    await until(async () => {
      if (running.hasEnded()) throw new Error(`it ended:\n${running.said()}`);
      return metrics({}).then(
        ({ status }) => status === 401,
        () => false,
      );
    });
    const answer = await metrics({ authorization: `Bearer ${token}` });
    assert.equal(answer.status, 200);
    assert.match(await answer.text(), new RegExp(`^causeway_${program}_`, 'm'));
    assert.doesNotMatch(running.said(), new RegExp(token));
  });
}

test('the start of a gateway names its admin socket', async (t) => {
  const { process: running, directory } = start(t, 'gateway', []);
  const socket = path.join(directory, 'causeway', 'gateway.sock');
  await ready(running, socket);
  await until(() => running.said().includes(`curl --unix-socket ${socket} http://localhost/metrics`));
});
