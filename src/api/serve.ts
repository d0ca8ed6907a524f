// Listening: on loopback, on a socket of the owner, or on any address with TLS and a login.
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createAdaptorServer } from '@hono/node-server';
import { CausewayError } from '../core/errors.ts';
import { hostPort } from '../net/host-port.ts';
import type { Api } from './app.ts';
import { isLoopbackName } from './guard/host.ts';

export interface ServeOptions {
  readonly api: Api;
  /** A socket needs no login: whoever can open it owns the platform. */
  readonly address: { readonly host: string; readonly port: number } | { readonly socket: string };
  /** PEM. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

export interface ServedApi {
  /** Where it is reached; absent for a socket. */
  readonly url?: string;
  close(): Promise<void>;
}

/** Slow, long and many are bounded. An answer may take as long as it likes: streams do. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 30_000,
  maxHeaderSize: 16 * 1024,
};
const mostConnections = 1000;

export async function serveApi({ api, address, tls }: ServeOptions): Promise<ServedApi> {
  assertSafe(api, address, tls !== undefined);
  const trusted = 'socket' in address;
  const server = createAdaptorServer({
    fetch: (request, env) => api.app.fetch(request, { ...env, trusted }),
    overrideGlobalObjects: false,
    ...(tls === undefined
      ? { createServer, serverOptions: limits }
      : { createServer: createTlsServer, serverOptions: { ...limits, ...tls, minVersion: 'TLSv1.2' } }),
  }) as Server;
  server.maxConnections = mostConnections;
  await listen(server, address);
  const bound = server.address();
  const scheme = tls === undefined ? 'http' : 'https';
  return {
    ...(bound !== null && typeof bound === 'object'
      ? { url: `${scheme}://${hostPort(bound.address, bound.port)}` }
      : {}),
    close: () => close(server),
  };
}

function assertSafe(api: Api, address: ServeOptions['address'], encrypted: boolean): void {
  if ('socket' in address || isLoopbackName(address.host)) return;
  if (encrypted && api.hasLogin) return;
  const missing = encrypted ? 'a login' : api.hasLogin ? 'TLS' : 'TLS and a login';
  throw new CausewayError(
    'CW-API-OPEN',
    `the API is not served on ${address.host} without ${missing}: others could use it`,
    'give a certificate and users or an OpenID Connect provider, or stay on 127.0.0.1',
  );
}

async function listen(server: Server, address: ServeOptions['address']): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, address)));
  if (!('socket' in address)) {
    server.listen(address, resolve);
    return promise;
  }
  rmSync(address.socket, { force: true });
  // From the first moment on nobody else may use the socket.
  const before = process.umask(0o177);
  server.listen({ path: address.socket }, resolve);
  process.umask(before);
  await promise;
  chmodSync(address.socket, 0o600);
}

function cannotListen({ code, message }: NodeJS.ErrnoException, address: ServeOptions['address']): CausewayError {
  const text = 'socket' in address ? address.socket : hostPort(address.host, address.port);
  const reason = code === 'EADDRINUSE' ? 'another program uses it' : message;
  return new CausewayError('CW-API-LISTEN', `the API cannot listen on ${text}: ${reason}`, 'choose another port');
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // Streams would go on for ever.
    server.closeAllConnections();
  });
}
