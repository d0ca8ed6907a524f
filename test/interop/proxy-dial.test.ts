// What real squid answers, and what we make of it.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createSecureContext, createServer as createTlsServer } from 'node:tls';
import { parseProxyUrl } from '../../src/net/index.ts';
import { DialError, dialRoute, type Route } from '../../src/net/proxy-dial/index.ts';
import { listening } from '../support/agent/mini-proxy.ts';
import { scratch } from '../support/cli.ts';
import { createAuthority } from '../support/gateway/certificates.ts';
import { needProgram } from '../support/programs.ts';
import { type Squid, type SquidOptions, startSquid } from '../support/squid.ts';

const name = 'tunnel.west.example';

interface Scene {
  readonly squid: Squid;
  readonly port: number;
  readonly route: Route;
}

/** A gateway with TLS on some port, squid, and the way through it. */
async function scene(t: TestContext, options: Partial<SquidOptions> = {}): Promise<Scene | undefined> {
  const program = needProgram(t, 'squid');
  if (program === undefined) return undefined;
  const authority = createAuthority(scratch(t), 'Gateway CA');
  const { cert, key } = authority.issue({ commonName: name, dns: [name] });
  const server = createTlsServer({ cert, key, ALPNProtocols: ['causeway/1'] }, (socket) => {
    socket.on('error', () => {});
    socket.end('hello');
  });
  const port = await listening(
    t,
    server.on('tlsClientError', () => {}),
  );
  const squid = await startSquid(t, program, { allowedPorts: [port], names: [name], ...options });
  const trusting = {
    context: createSecureContext({ ca: authority.cert }),
    trust: { file: 'gateway-ca.pem', subjects: ['CN=Gateway CA'] },
  };
  const tls = { serverName: name, alpn: ['causeway/1'], trusting: () => trusting };
  return { squid, port, route: { gateway: { host: name, port }, tls, proxy: () => parseProxyUrl(squid.url) } };
}

async function diagnosed({ squid }: Scene, route: Route): Promise<DialError> {
  try {
    (await dialRoute(route)).wire.destroy();
  } catch (error) {
    assert.ok(error instanceof DialError, String(error));
    assert.ok(!`${error.message} ${error.fix}`.includes(squid.password));
    return error;
  }
  throw new Error('the way was open');
}

test('goes through squid with Basic authentication', async (t) => {
  const there = await scene(t);
  if (there === undefined) return;
  const { wire, alpn, presented } = await dialRoute(there.route);
  assert.equal(alpn, 'causeway/1');
  assert.equal(presented?.issuer, 'CN=Gateway CA');
  wire.destroy();
});

test('goes through squid with TLS to squid itself', async (t) => {
  const corporate = createAuthority(scratch(t), 'Corporate CA');
  const there = await scene(t, { tls: corporate.issue({ commonName: 'squid', ips: ['127.0.0.1'] }) });
  if (there === undefined) return;
  const trustingIn = (ca: string) => () => ({
    context: createSecureContext({ ca }),
    trust: { file: 'ca', subjects: [] },
  });
  const { wire, presented } = await dialRoute({ ...there.route, proxyTrusting: trustingIn(corporate.cert) });
  assert.equal(presented?.issuer, 'CN=Gateway CA');
  wire.destroy();
  const other = createAuthority(scratch(t), 'Other CA');
  const untrusted = await diagnosed(there, { ...there.route, proxyTrusting: trustingIn(other.cert) });
  assert.equal(untrusted.step, 'tls-proxy');
  assert.match(untrusted.message, /issued by CN=Corporate CA/);
  // Cleartext to a port for TLS.
  const { port } = there.squid;
  const plain = await diagnosed(there, { ...there.route, proxy: () => parseProxyUrl(`http://127.0.0.1:${port}`) });
  assert.match(plain.code, /^CW-PROXY-(NOT-HTTP|CLOSED)$/);
});

test('says so when squid gets wrong credentials, or none', async (t) => {
  const there = await scene(t);
  if (there === undefined) return;
  const with_ = (userinfo: string): Route => ({
    ...there.route,
    proxy: () => parseProxyUrl(`http://${userinfo}127.0.0.1:${there.squid.port}`),
  });
  const missing = await diagnosed(there, with_(''));
  assert.equal(missing.code, 'CW-PROXY-AUTH-MISSING');
  assert.match(missing.message, /407.*ERR_CACHE_ACCESS_DENIED.*Basic/);
  assert.equal((await diagnosed(there, with_('worker:wrong@'))).code, 'CW-PROXY-AUTH-WRONG');
});

test('says so when squid allows neither the port nor the host', async (t) => {
  const there = await scene(t, { deniedNames: ['denied.example'] });
  if (there === undefined) return;
  const blocked = await diagnosed(there, { ...there.route, gateway: { host: name, port: 8088 } });
  assert.equal(blocked.code, 'CW-PROXY-PORT');
  assert.match(blocked.message, /403.*ERR_ACCESS_DENIED/);
  const denied = await diagnosed(there, { ...there.route, gateway: { host: 'denied.example', port: 443 } });
  assert.equal(denied.code, 'CW-PROXY-DENIED');
});

test('says so when squid cannot resolve the gateway, and when it cannot reach it', async (t) => {
  const closed = createServer();
  const port = await listening(t, closed);
  const there = await scene(t, { allowedPorts: [port, 443] });
  closed.close();
  if (there === undefined) return;
  const unreachable = await diagnosed(there, { ...there.route, gateway: { host: name, port } });
  assert.equal(unreachable.code, 'CW-PROXY-UPSTREAM');
  assert.match(unreachable.message, /503.*ERR_CONNECT_FAIL/);
  const unknown = await diagnosed(there, { ...there.route, gateway: { host: 'no.such.invalid', port: 443 } });
  assert.equal(unknown.code, 'CW-PROXY-DNS', unknown.message);
});

test('names squid as the interceptor when it opens TLS', async (t) => {
  const interceptAs = createAuthority(scratch(t), 'Example Corp Web Security');
  const there = await scene(t, { interceptAs });
  if (there === undefined) return;
  const error = await diagnosed(there, there.route);
  assert.equal(error.code, 'CW-TLS-INTERCEPTED');
  assert.match(error.message, /intercepts TLS as "CN=Example Corp Web Security"/);
});
