import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import { listening, miniProxy } from '../../../test/support/agent/mini-proxy.ts';
import { scratch } from '../../../test/support/cli.ts';
import { createAuthority } from '../../../test/support/gateway/certificates.ts';
import { thisMachine } from '../wire/dial.ts';
import type { DialError } from './steps.ts';
import { certificate, failure, name, proxyAt, theirs, tlsTo, trusting, tunnelServer } from './testing/route-stand.ts';

test('names the interceptor when a proxy presents a certificate of its own', async (t) => {
  const port = await tunnelServer(t, theirs.issue({ commonName: name, dns: [name] }));
  const proxy = await miniProxy(t, () => ({ to: port }));
  const error = await failure({ gateway: { host: name, port: 443 }, tls: tlsTo(), proxy: proxyAt(proxy.port) });
  assert.equal(error.code, 'CW-TLS-INTERCEPTED');
  assert.match(error.message, /intercepts TLS as "CN=Corp Inspection CA"/);
  assert.match(error.fix, /exempt from TLS inspection/);
});

test('says whose certificate came when the authority is not known, without a proxy', async (t) => {
  const other = createAuthority(scratch(t), 'Somebody');
  const port = await tunnelServer(t, other.issue({ commonName: name, dns: [name] }));
  const error = await failure({ gateway: { host: '127.0.0.1', port }, tls: tlsTo() });
  assert.equal(error.code, 'CW-TLS-UNTRUSTED');
  assert.match(error.fix, /"CN=Somebody" with --ca FILE/);
});

test('says so when an authority of the same name has another key', async (t) => {
  const renewed = createAuthority(scratch(t), 'Gateway CA');
  const port = await tunnelServer(t, renewed.issue({ commonName: name, dns: [name] }));
  const error = await failure({ gateway: { host: '127.0.0.1', port }, tls: tlsTo() });
  assert.equal(error.code, 'CW-TLS-UNTRUSTED');
  assert.match(error.fix, /another key/);
});

test('names the names of a certificate for something else', async (t) => {
  const port = await tunnelServer(t, certificate);
  const error = await failure({ gateway: { host: '127.0.0.1', port }, tls: tlsTo('other.example') });
  assert.equal(error.code, 'CW-TLS-NAME');
  assert.match(error.message, /is for tunnel\.west\.example, not for other\.example/);
});

test('says so when nobody there speaks our protocols', async (t) => {
  const port = await tunnelServer(t, certificate, ['http/1.1']);
  assert.equal((await failure({ gateway: { host: '127.0.0.1', port }, tls: tlsTo() })).code, 'CW-TLS-ALPN');
  const without = await listening(t, createTlsServer({ cert: certificate.cert, key: certificate.key }));
  const error = await failure({ gateway: { host: '127.0.0.1', port: without }, tls: tlsTo() });
  assert.equal(error.code, 'CW-TLS-ALPN');
  assert.match(error.message, /issued by CN=Gateway CA/);
});

test('says so when there is no TLS, when it is cut, and when it does not come', async (t) => {
  const to = async (onSocket: Parameters<typeof createServer>[1]): Promise<DialError> => {
    const port = await listening(t, createServer(onSocket));
    return failure({ gateway: { host: '127.0.0.1', port }, tls: tlsTo(), timeouts: { tls: 300 } });
  };
  assert.equal((await to((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))).code, 'CW-TLS-NOT-TLS');
  assert.equal((await to((socket) => void socket.once('data', () => socket.resetAndDestroy()))).code, 'CW-TLS-CUT');
  assert.equal((await to((socket) => void socket.end())).code, 'CW-TLS-CUT');
  const late = await to(() => {});
  assert.equal(late.code, 'CW-DIAL-TIMEOUT');
  assert.equal(late.step, 'tls-gateway');
});

test('says so when TLS to the proxy fails, and when it is not spoken there', async (t) => {
  const proxy = await miniProxy(t, () => 'silence', certificate);
  const route = { gateway: { host: name, port: 443 }, tls: tlsTo(), proxyTrusting: () => trusting(theirs) };
  const error = await failure({ ...route, proxy: proxyAt(proxy.port, '', 'https') });
  assert.equal(error.step, 'tls-proxy');
  assert.match(error.fix, /--proxy-ca FILE/);
  const plain = await listening(
    t,
    createServer((socket) => void socket.end('HTTP/1.1 400 Bad\r\n\r\n')),
  );
  assert.equal((await failure({ ...route, proxy: proxyAt(plain, '', 'https') })).code, 'CW-TLS-NOT-TLS');
  const alerting = await miniProxy(t, () => '\x15\x03\x01\x00\x02\x02\x46');
  assert.match((await failure({ ...route, proxy: proxyAt(alerting.port) })).message, /answered CONNECT with TLS/);
});

test('says so when the name is unknown, nothing listens, or nothing answers', async (t) => {
  const unknown = await failure({
    gateway: { host: 'no.such.name.invalid', port: 443 },
    vantage: { ...thisMachine, resolve: notFound },
  });
  assert.equal(unknown.code, 'CW-DIAL-DNS');
  const server = createServer();
  const port = await listening(t, server);
  server.close();
  assert.equal((await failure({ gateway: { host: '127.0.0.1', port } })).code, 'CW-DIAL-REFUSED');
  const never = { host: 'slow.example', port: 443 };
  const late = await failure({
    gateway: never,
    vantage: { ...thisMachine, resolve: () => new Promise(() => {}) },
    timeouts: { resolve: 50 },
  });
  assert.equal(late.code, 'CW-DIAL-TIMEOUT');
  assert.equal(late.step, 'resolve-gateway');
});

const notFound = async (): Promise<string[]> => {
  throw Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' });
};
