// OpenSSL judges the certificates: chain, purpose, names, and a handshake with both sides authenticated.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { createServer } from 'node:tls';
import { causeway, scratch } from '../support/cli.ts';
import { needProgram } from '../support/programs.ts';

function keys(t: TestContext): (file: string) => string {
  const dir = scratch(t);
  const names = ['tunnel.west.example.com', '127.0.0.1', '2001:db8::7'].flatMap((name) => ['--name', name]);
  assert.equal(causeway(['gateway', 'pki', dir, ...names, '--client', 'web']).code, 0);
  return (file) => path.join(dir, file);
}

test('openssl accepts the certificates for their purposes and names', async (t) => {
  const openssl = needProgram(t, 'openssl');
  if (!openssl) return;
  const at = keys(t);
  const verify = (...args: string[]): boolean =>
    spawnSync(openssl, ['verify', '-x509_strict', '-CAfile', at('gateway-ca.crt'), ...args]).status === 0;
  const server = ['-purpose', 'sslserver'];
  assert.ok(verify(...server, '-verify_hostname', 'tunnel.west.example.com', at('gateway.crt')));
  assert.ok(verify(...server, '-verify_ip', '2001:db8::7', at('gateway.crt')));
  assert.ok(verify('-purpose', 'sslclient', at('web.crt')));
  assert.equal(verify(...server, '-verify_hostname', 'other.west.example.com', at('gateway.crt')), false);
  assert.equal(verify(...server, at('web.crt')), false);
  assert.equal(verify('-purpose', 'sslclient', at('gateway.crt')), false);
});

test('openssl reads the subject of a client and the keys', async (t) => {
  const openssl = needProgram(t, 'openssl');
  if (!openssl) return;
  const at = keys(t);
  const run = (...args: string[]): string => execFileSync(openssl, args, { encoding: 'utf8', stdio: 'pipe' });
  assert.equal(run('x509', '-in', at('web.crt'), '-noout', '-subject').trim(), 'subject=O = causeway:tunnel, CN = web');
  assert.match(run('pkey', '-in', at('token.key'), '-noout', '-text'), /ED25519 Private-Key/);
  assert.equal(run('pkey', '-in', at('token.key'), '-pubout'), readFileSync(at('token.pub'), 'utf8'));
  assert.match(run('ec', '-in', at('gateway.key'), '-noout', '-text'), /prime256v1/);
});

test('openssl s_client and a server with these certificates believe each other', async (t) => {
  const openssl = needProgram(t, 'openssl');
  if (!openssl) return;
  const at = keys(t);
  const pem = (file: string): Buffer => readFileSync(at(file));
  const clients: string[] = [];
  const server = createServer(
    { cert: pem('gateway.crt'), key: pem('gateway.key'), ca: pem('gateway-ca.crt'), requestCert: true },
    (socket) => {
      clients.push(`${socket.getPeerCertificate().subject.CN} ${socket.authorized}`);
      socket.on('error', () => {});
      socket.end('welcome\n');
    },
  ).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const client = spawn(openssl, [
    ...['s_client', '-connect', `127.0.0.1:${port}`, '-servername', 'tunnel.west.example.com', '-quiet'],
    ...['-verify_return_error', '-verify_hostname', 'tunnel.west.example.com', '-CAfile', at('gateway-ca.crt')],
    ...['-cert', at('web.crt'), '-key', at('web.key')],
  ]);
  let heard = '';
  client.stdout.on('data', (chunk) => {
    heard += chunk;
  });
  await new Promise((resolve) => client.once('close', resolve));
  assert.deepEqual([heard, clients], ['welcome\n', ['web true']]);
});
