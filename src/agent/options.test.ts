import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CausewayError } from '../core/errors.ts';
import { type AgentFlags, readOptions } from './options.ts';

const enough: AgentFlags = { gateway: ['tunnel.west.example:443'], cluster: 'shop-7' };

test('knows where a cluster is and where to listen, from its id alone', () => {
  const options = readOptions(enough);
  assert.equal(options.authority, 'apiserver-external.cluster-shop-7.svc.cluster.local:443');
  assert.deepEqual(options.listen, { host: '100.64.30.10', port: 6443 });
  assert.match(options.admin?.path ?? '', /\/agent\.sock$/);
  assert.equal(options.graceMs, 20_000);
  assert.equal(options.proxy, undefined);
});

test('takes the proxy from the flag, else from CAUSEWAY_PROXY, and from nowhere else', () => {
  const environment = { CAUSEWAY_PROXY: 'http://one:1', HTTPS_PROXY: 'http://two:2' };
  assert.equal(readOptions(enough, environment).proxy?.host, 'one');
  assert.equal(readOptions({ ...enough, proxy: 'http://three:3' }, environment).proxy?.host, 'three');
  assert.equal(readOptions(enough, { HTTPS_PROXY: 'http://two:2' }).proxy, undefined);
});

test('writes an IPv6 address to listen on as the system does', () => {
  assert.equal(readOptions({ ...enough, listen: '[FD00:0::1]:6443' }).listen.host, 'fd00::1');
});

test('takes ids as long as a snapshot does, if it is told what to ask for', () => {
  const cluster = 'x'.repeat(63);
  assert.equal(readOptions({ ...enough, cluster, authority: 'api.example:443' }).cluster, cluster);
  const longest = 'x'.repeat(55);
  const [, label] = readOptions({ ...enough, cluster: longest }).authority.split('.');
  assert.equal(label?.length, 63);
});

test('may have no grace at all', () => {
  for (const grace of ['0', '0s']) assert.equal(readOptions({ ...enough, grace }).graceMs, 0);
});

for (const [what, flags, code] of [
  ['no gateway', { gateway: [] }, 'CW-AGENT-GATEWAY'],
  ['a gateway without a port', { gateway: ['a.example'] }, 'CW-AGENT-GATEWAY'],
  ['a cluster whose authority would be no host name', { cluster: 'x'.repeat(56) }, 'CW-AGENT-CLUSTER'],
  ['a cluster that no snapshot can have', { cluster: 'x'.repeat(64), authority: 'a:1' }, 'CW-AGENT-CLUSTER'],
  ['a cluster that could be somebody else', { cluster: 'a.svc:443/' }, 'CW-AGENT-CLUSTER'],
  ['a name to listen on', { listen: 'localhost:6443' }, 'CW-AGENT-LISTEN'],
  ['a token and a certificate', { tokenFile: 'a', cert: 'b', key: 'c' }, 'CW-AGENT-IDENTITY'],
  ['a certificate without its key', { cert: 'b' }, 'CW-AGENT-IDENTITY'],
  ['a token in cleartext', { tokenFile: 'a', plaintext: true }, 'CW-AGENT-PLAINTEXT'],
  ['credentials for no proxy', { proxyCredentialsFile: 'a' }, 'CW-AGENT-PROXY'],
  ['an unknown transport', { transport: 'quic' }, 'CW-AGENT-TRANSPORT'],
  ['a grace without unit', { grace: '5' }, 'CW-AGENT-GRACE'],
  ['an authority without a port', { authority: 'x' }, 'CW-AGENT-AUTHORITY'],
] as const) {
  test(`refuses ${what}`, () => {
    assert.throws(
      () => readOptions({ ...enough, ...flags }),
      (error: unknown) => error instanceof CausewayError && error.code === code && error.fix.length > 5,
    );
  });
}
