import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { testAuthority } from '../dataplane/tunnel/testing/dialers.ts';
import { TestGateway } from './testing/gateway-process.ts';
import { clusterTo, snapshotOf } from './testing/snapshots.ts';

const shownAt = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['causeway/1'] };
    const socket = connect(options, () => {
      resolve(socket.getPeerX509Certificate()?.subject ?? '');
      socket.destroy();
    }).once('error', reject);
  });

test('the tunnel shows a new certificate when its files change, and keeps the old one while they do not fit', async (t) => {
  const gateway = new TestGateway(t);
  const [first, second] = [testAuthority('first'), testAuthority('second')];
  const write = (name: string, text: string): void => writeFileSync(path.join(gateway.dir, name), text);
  write('tls.crt', first.cert);
  write('tls.key', first.key);
  const certificate = { certFile: 'tls.crt', keyFile: 'tls.key' };
  const snapshot = snapshotOf('1', { a: clusterTo('a', '127.0.0.1:1') });
  gateway.write({
    ...snapshot,
    listeners: { tunnel: 0, nodePortRange: '20000-60000' },
    tunnel: { ...snapshot.tunnel, certificate },
  });
  await gateway.start();
  const port = await gateway.port('tunnel');
  assert.equal(await shownAt(port), 'CN=first');
  // As it is for a moment while it is written.
  write('tls.crt', '');
  await gateway.until('the empty file was told', () =>
    gateway.log().includes('the certificate before it stays in use'),
  );
  assert.equal(await shownAt(port), 'CN=first');
  write('tls.crt', second.cert);
  await gateway.until('the misfit was told', () => /is not that of the certificate.*stays in use/.test(gateway.log()));
  assert.equal(await shownAt(port), 'CN=first');
  write('tls.key', second.key);
  await gateway.until('the new one is shown', async () => (await shownAt(port)) === 'CN=second');
  assert.doesNotMatch(gateway.log(), /PRIVATE KEY/);
});

test('a snapshot whose certificate cannot be read is refused, with where it was looked for', async (t) => {
  const gateway = new TestGateway(t);
  const snapshot = snapshotOf('1', {});
  gateway.write({
    ...snapshot,
    tunnel: { ...snapshot.tunnel, certificate: { certFile: 'no.crt', keyFile: 'no.key' } },
  });
  const child = gateway.spawn();
  const code = await new Promise((resolve) => child.once('exit', resolve));
  assert.equal(code, 2);
  assert.match(gateway.log(), /CW-GATEWAY-CERTIFICATE/);
  assert.ok(gateway.log().includes(path.join(gateway.dir, 'no.crt')));
});
