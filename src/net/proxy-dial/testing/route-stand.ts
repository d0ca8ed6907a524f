// For tests: gateways and proxies with certificates of two authorities, and ways to them.
import assert from 'node:assert/strict';
import { after, before, type TestContext } from 'node:test';
import { createSecureContext, createServer as createTlsServer } from 'node:tls';
import { listening } from '../../../../test/support/agent/mini-proxy.ts';
import { scratch } from '../../../../test/support/cli.ts';
import { type Authority, type Certificate, createAuthority } from '../../../../test/support/gateway/certificates.ts';
import { createUndoList } from '../../../../test/support/gateway/undo.ts';
import { parseProxyUrl } from '../../proxy-url.ts';
import { distinguished } from '../../tls/certificate.ts';
import type { Wire } from '../../wire/wire.ts';
import { type Dialled, dialRoute } from '../dial-route.ts';
import type { Route, Trusting } from '../route.ts';
import { DialError, type FinishedStep } from '../steps.ts';

export const name = 'tunnel.west.example';
export const secret = 'S3cret:word';
const shared = createUndoList();
export let ours: Authority;
export let theirs: Authority;
export let certificate: Certificate;
before(() => {
  ours = createAuthority(scratch(shared as unknown as TestContext), 'Gateway CA');
  theirs = createAuthority(scratch(shared as unknown as TestContext), 'Corp Inspection CA');
  certificate = ours.issue({ commonName: name, dns: [name] });
});
after(() => shared.run());

export const trusting = (authority: Authority): Trusting => ({
  context: createSecureContext({ ca: authority.cert }),
  trust: { file: 'ca.pem', subjects: [distinguished(authority === ours ? 'CN=Gateway CA' : 'CN=Corp Inspection CA')] },
});

export const tlsTo = (serverName = name, alpn = ['causeway/1', 'h2']): Route['tls'] => ({
  serverName,
  alpn,
  trusting: () => trusting(ours),
});

/** Greets in TLS, as a gateway with this certificate would. */
export const tunnelServer = (t: TestContext, presented: Certificate, alpn = ['causeway/1']): Promise<number> => {
  const server = createTlsServer({ cert: presented.cert, key: presented.key, ALPNProtocols: alpn }, (socket) => {
    socket.on('error', () => {});
    socket.end('hello');
  });
  return listening(
    t,
    server.on('tlsClientError', () => {}),
  );
};

export const proxyAt = (port: number, userinfo = '', scheme = 'http'): (() => ReturnType<typeof parseProxyUrl>) => {
  const proxy = parseProxyUrl(`${scheme}://${userinfo}127.0.0.1:${port}`);
  return () => proxy;
};

export const textOf = (wire: Wire): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    wire.read({
      data: (chunk) => {
        text += chunk.toString();
        return false;
      },
      end: () => wire.end(),
      drained: () => {},
      closed: (error) => (error === undefined ? resolve(text) : reject(error)),
    });
  });

export async function walked(route: Route): Promise<{ dialled: Dialled; steps: FinishedStep[] }> {
  const steps: FinishedStep[] = [];
  const dialled = await dialRoute(route, { observe: (step) => steps.push(step) });
  return { dialled, steps };
}

export async function failure(route: Route): Promise<DialError> {
  try {
    (await dialRoute(route)).wire.destroy();
  } catch (error) {
    assert.ok(error instanceof DialError, String(error));
    assert.doesNotMatch(`${error.message} ${error.fix} ${error.stack}`, /S3cret/);
    return error;
  }
  throw new Error('the way was open');
}
