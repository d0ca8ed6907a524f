// Listening: on loopback, or on any address with TLS and a login.
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createAdaptorServer } from '@hono/node-server';
import { CausewayError } from '../core/errors.ts';
import { hostPort } from '../core/host-port.ts';
import { type Log, silentLog } from '../sys/log.ts';
import type { Api } from './app.ts';
import { isLoopbackName } from './guard/requests.ts';
import { followCertificate, readCertificate, type TlsFiles } from './tls-files.ts';

export interface ServeOptions {
  readonly api: Api;
  readonly address: { readonly host: string; readonly port: number };
  readonly tls?: TlsFiles;
  readonly log?: Log;
}

export interface ServedApi {
  readonly url: string;
  close(): Promise<void>;
}

/** Slow, long and many are bounded. An answer may take as long as it likes: streams do. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 30_000,
  maxHeaderSize: 16 * 1024,
  // How often the times above are looked at.
  connectionsCheckingInterval: 5_000,
};
const mostConnections = 1000;

export async function serveApi({ api, address, tls, log = silentLog }: ServeOptions): Promise<ServedApi> {
  assertSafe(api, address.host, tls !== undefined);
  const server = createAdaptorServer({
    fetch: (request, env) => api.app.fetch(request, env as never),
    overrideGlobalObjects: false,
    ...(tls === undefined
      ? { createServer, serverOptions: limits }
      : {
          createServer: createTlsServer,
          serverOptions: { ...limits, ...readCertificate(tls), minVersion: 'TLSv1.2' },
        }),
  }) as Server;
  server.maxConnections = mostConnections;
  await listen(server, address);
  // A connection that could not be taken, as when too many files are open, is not the end of the others.
  server.on('error', ({ message }) => log.warn('the API could not take a connection', { why: message }));
  const forget = tls === undefined ? undefined : followCertificate(server, tls, log);
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${boundTo(server)}`,
    close: () => {
      forget?.();
      return close(server);
    },
  };
}

function boundTo(server: Server): string {
  const { address, port } = server.address() as { address: string; port: number };
  return hostPort(address, port);
}

function assertSafe(api: Api, host: string, encrypted: boolean): void {
  if (isLoopbackName(host) || (encrypted && api.hasLogin)) return;
  const missing = encrypted ? 'a login' : api.hasLogin ? 'TLS' : 'TLS and a login';
  throw new CausewayError(
    'CW-API-OPEN',
    `the API is not served on ${host} without ${missing}: others could use it`,
    'give a certificate and users or an OpenID Connect provider, or stay on 127.0.0.1',
  );
}

async function listen(server: Server, address: ServeOptions['address']): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const failed = (error: NodeJS.ErrnoException): void => reject(cannotListen(error, address));
  server.once('error', failed).listen(address, resolve);
  await promise;
  server.off('error', failed);
}

function cannotListen(
  { code, message }: NodeJS.ErrnoException,
  { host, port }: ServeOptions['address'],
): CausewayError {
  const reason = code === 'EADDRINUSE' ? 'another program uses it' : message;
  const text = `the API cannot listen on ${hostPort(host, port)}: ${reason}`;
  return new CausewayError('CW-API-LISTEN', text, 'choose another port');
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // Streams would go on for ever.
    server.closeAllConnections();
  });
}
