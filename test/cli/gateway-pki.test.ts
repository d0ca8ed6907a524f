import assert from 'node:assert/strict';
import { readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { readSnapshot } from '../../src/gateway/index.ts';
import { TokenVerifier } from '../../src/net/index.ts';
import { causeway, scratch } from '../support/cli.ts';

const name = 'tunnel.west.example.com';

/** Of what was printed, as a gateway that has the public key reads it. */
function claimsOf(dir: string, printed: string) {
  const verifier = new TokenVerifier();
  verifier.trustSeed([readFileSync(path.join(dir, 'token.pub'), 'utf8')]);
  const verdict = verifier.verify(printed.trim(), Date.now());
  return verdict.ok ? verdict.claims : undefined;
}

describe('causeway gateway pki', () => {
  it('makes what a gateway needs, and tells what a snapshot takes of it', (t) => {
    const dir = path.join(scratch(t), 'keys');
    const { code, stdout } = causeway([
      'gateway',
      'pki',
      dir,
      '--name',
      '192.0.2.7',
      '--name',
      name,
      '--client',
      'web',
    ]);
    assert.equal(code, 0);
    const files = [
      'gateway-ca.crt',
      'gateway-ca.key',
      'gateway.crt',
      'gateway.key',
      'token.key',
      'token.pub',
      'web.crt',
      'web.key',
    ];
    assert.deepEqual(readdirSync(dir).sort(), files);
    for (const file of files.filter((one) => one.endsWith('.key')))
      assert.equal(statSync(path.join(dir, file)).mode & 0o777, 0o600, file);
    assert.doesNotMatch(stdout, /PRIVATE/);
    const [tunnel = ''] = /^\{\n[\s\S]*^\}$/m.exec(stdout) ?? [];
    const snapshot = {
      version: '1',
      seed: 'west',
      listeners: { nodePortRange: '30000-32767' },
      tunnel: JSON.parse(tunnel),
      trustedBalancers: [],
      clusters: {},
    };
    assert.equal(snapshot.tunnel.name, name);
    assert.deepEqual(readSnapshot(JSON.stringify(snapshot)).problems, undefined);
  });

  it('never writes over anything, and makes only what is missing', (t) => {
    const dir = scratch(t);
    const pki = (...args: string[]) => causeway(['gateway', 'pki', dir, ...args]);
    assert.equal(pki('--name', name).code, 0);
    const contentOf = (): Record<string, string> =>
      Object.fromEntries(readdirSync(dir).map((file) => [file, readFileSync(path.join(dir, file), 'utf8')]));
    const before = contentOf();
    const again = pki('--name', 'other.example.com');
    assert.equal(again.code, 2);
    assert.match(again.stderr, /CW-GATEWAY-PKI-EXISTS/);
    assert.deepEqual(contentOf(), before);
    assert.equal(pki('--client', 'shop').code, 0);
    const { 'shop.crt': _, 'shop.key': __, ...rest } = contentOf();
    assert.deepEqual(rest, before);
  });

  it('refuses half of a pair, a missing authority and a missing name before it writes', (t) => {
    const dir = scratch(t);
    const pki = (...args: string[]) => causeway(['gateway', 'pki', dir, ...args]);
    assert.match(pki().stderr, /CW-GATEWAY-PKI-NAME/);
    assert.match(pki('--name', 'a_b').stderr, /CW-GATEWAY-NAME/);
    assert.match(pki('--name', name, '--client', '../x').stderr, /CW-GATEWAY-CLUSTER/);
    assert.deepEqual(readdirSync(dir), []);
    assert.equal(pki('--name', name).code, 0);
    renameSync(path.join(dir, 'token.key'), path.join(dir, 'kept'));
    assert.match(pki('--client', 'web').stderr, /CW-GATEWAY-PKI-PAIR[\s\S]*token\.key/);
    renameSync(path.join(dir, 'kept'), path.join(dir, 'token.key'));
    for (const file of ['gateway-ca.crt', 'gateway-ca.key']) rmSync(path.join(dir, file));
    assert.match(pki('--client', 'web').stderr, /CW-GATEWAY-PKI-AUTHORITY/);
    assert.equal(readdirSync(dir).includes('web.crt'), false);
  });
});

describe('causeway gateway token', () => {
  it('prints a token that the public key accepts, and nothing else', (t) => {
    const dir = scratch(t);
    assert.equal(causeway(['gateway', 'pki', dir, '--name', name]).code, 0);
    const key = path.join(dir, 'token.key');
    const { code, stdout, stderr } = causeway(['gateway', 'token', 'web', '--key', key, '--ttl', '2h']);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const claims = claimsOf(dir, stdout);
    assert.equal(claims?.cluster, 'web');
    assert.ok(Math.abs((claims?.expiresAt ?? 0) - Date.now() - 7_200_000) < 60_000);
  });

  it('names the node where it is told to, so that this one alone can be evicted', (t) => {
    const dir = scratch(t);
    assert.equal(causeway(['gateway', 'pki', dir, '--name', name]).code, 0);
    const key = path.join(dir, 'token.key');
    const { code, stdout } = causeway(['gateway', 'token', 'web', '--key', key, '--node', 'n1.example']);
    assert.equal(code, 0);
    assert.equal(claimsOf(dir, stdout)?.node, 'n1.example');
    const wrong = causeway(['gateway', 'token', 'web', '--key', key, '--node', 'No such name']);
    assert.deepEqual([wrong.code, wrong.stdout], [2, '']);
    assert.match(wrong.stderr, /CW-GATEWAY-NODE/);
  });

  it('refuses another kind of key, and does not show what is in the file', (t) => {
    const dir = scratch(t);
    assert.equal(causeway(['gateway', 'pki', dir, '--name', name]).code, 0);
    const key = path.join(dir, 'gateway.key');
    const { code, stdout, stderr } = causeway(['gateway', 'token', 'web', '--key', key]);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /CW-TOKEN-KEY/);
    const [, secret = 'none'] = readFileSync(key, 'utf8').split('\n');
    assert.equal(stderr.includes(secret), false);
    assert.match(causeway(['gateway', 'token', 'web', '--key', path.join(dir, 'none')]).stderr, /ENOENT/);
    assert.match(causeway(['gateway', 'token', 'web', '--key', key, '--ttl', '5']).stderr, /CW-CLI-DURATION/);
  });
});
