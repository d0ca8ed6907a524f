import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from '../../../test/support/gateway/until.ts';
import { createAuthority, issueServer, validFor } from '../../pki/index.ts';
import { reasonInLog, reasonOfExit, reasonOfFailure } from './failure-reason.ts';
import { component, observed, scratch, supervisorIn, untilHealthy } from './testing/supervisor.ts';

async function listening(t: TestContext): Promise<{ server: Server; port: number }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return { server, port: (server.address() as { port: number }).port };
}

test('a port in use is said with who has it, and nothing else stops for it', async (t) => {
  const { server, port } = await listening(t);
  const supervisor = supervisorIn(t, scratch(t));
  supervisor.apply('cluster/shop', [await component('etcd', { port })]);
  supervisor.apply('cluster/blog', [await component('blog', {}, { scope: 'cluster/blog' })]);
  // Somebody answers its probe, but it is not the component.
  await until(() => observed(supervisor, 'etcd').phase === 'restarting');
  const { why, next } = observed(supervisor, 'etcd');
  assert.match(why ?? '', new RegExp(`^port ${port} is in use by process ${process.pid} \\(`));
  assert.match(next ?? '', new RegExp(`^stop process ${process.pid} \\(.*\\); it is tried again in \\d+ s$`));
  await untilHealthy(supervisor, 'blog');
  server.close();
  await untilHealthy(supervisor, 'etcd');
});

test('programs say in many words what is one thing for people', async (t) => {
  const { port } = await listening(t);
  const held = new RegExp(`^port ${port} is in use by process ${process.pid} `);
  const cases: readonly [line: string, why: RegExp][] = [
    [`{"level":"fatal","error":"listen tcp 127.0.0.1:${port}: bind: address already in use"}`, held],
    [
      `failed to create listener: failed to listen on [::1]:${port}: listen tcp [::1]:${port}: bind: address already in use`,
      held,
    ],
    [`Error: listen EADDRINUSE: address already in use 127.0.0.1:${port}`, held],
    ['listen tcp 127.0.0.1:443: bind: permission denied', /ports below 1024 are for root/],
    ['write /data/member/wal/0.tmp: no space left on device', /^the disk is full$/],
    ['etcdserver: mvcc: database space exceeded', /quota/],
    ['x509: certificate has expired or is not yet valid: current time 2031-01-01T00:00:00Z is after', /the clock/],
    ['open /data/etcd/member/snap/db: permission denied', /^it may not use \/data\/etcd\/member\/snap\/db$/],
    ["EACCES: permission denied, open '/keys/ca.key'", /^it may not use \/keys\/ca.key$/],
    ['mkdir /data: read-only file system', /^it may not use \/data$/],
  ];
  for (const [line, why] of cases) assert.match(reasonInLog(['before', line, 'after'])?.why ?? 'nothing', why, line);
  assert.equal(reasonInLog(['everything is fine']), undefined);
});

test('other endings are told as they are, without passwords', () => {
  assert.equal(reasonOfExit('SIGSEGV', []).why, 'it ended by SIGSEGV without a word');
  const { why } = reasonOfExit('exit code 1', ['cannot reach http://me:secret@proxy.example:3128', '']);
  assert.equal(why, 'it ended (exit code 1) and said last: cannot reach http://proxy.example:3128');
});

test('a directory that cannot be made is said with its name', async (t) => {
  const directory = scratch(t);
  const supervisor = supervisorIn(t, directory);
  const inFile = path.join(process.execPath, 'data');
  supervisor.apply('cluster/shop', [await component('etcd', {}, { directories: [inFile] })]);
  await until(() => observed(supervisor, 'etcd').phase === 'restarting');
  assert.equal(
    observed(supervisor, 'etcd').why,
    `${inFile} cannot be made or read, because a part of its path is no directory`,
  );
  const denied = Object.assign(new Error("EACCES: permission denied, mkdir '/var/x'"), { code: 'EACCES' });
  assert.equal(reasonOfFailure(denied).why, 'it may not use /var/x');
});

test('a certificate that is not valid now is a matter of the clock', async (t) => {
  const directory = scratch(t);
  const validity = validFor(new Date(Date.now() - 10 * 24 * 3_600_000), 5);
  const authority = await createAuthority('test', validFor(new Date(), 5));
  const { certificate, key } = await issueServer(authority, ['127.0.0.1'], validity);
  const server = createTlsServer({ cert: certificate, key }, (_, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const ca = path.join(directory, 'ca.crt');
  writeFileSync(ca, authority.certificate);
  const url = `https://127.0.0.1:${(server.address() as { port: number }).port}/`;
  const supervisor = supervisorIn(t, directory);
  supervisor.apply('cluster/shop', [await component('etcd', {}, { probe: { kind: 'http', url, tls: { ca } } })]);
  await until(() => /at the time that the clock of this machine shows/.test(observed(supervisor, 'etcd').why ?? ''));
  assert.match(observed(supervisor, 'etcd').next ?? '', /^set the clock right/);
});
