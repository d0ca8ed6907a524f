// A small HTTP server for a program's own page: health, metrics, and a few commands. Bounded, and closed to web pages.
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, isIP } from 'node:net';
import { CausewayError } from '../core/errors.ts';
import { hostPort, isLoopback } from '../core/host-port.ts';

export interface AdminAnswer {
  readonly status?: number;
  /** @default JSON of `json`, or plain text of `text` */
  readonly type?: string;
  readonly text?: string;
  readonly json?: unknown;
}

/** "GET /healthz" → what it answers. */
export type AdminRoutes = Readonly<Record<string, (query: URLSearchParams) => AdminAnswer | Promise<AdminAnswer>>>;

export interface AdminServer {
  readonly address: AdminAddress;
  close(): Promise<void>;
}

export async function serveAdmin(
  wanted: AdminAddress,
  routes: AdminRoutes,
  headers: Readonly<Record<string, string>> = {},
): Promise<AdminServer> {
  const checkHost = wanted.path === undefined;
  const server = createServer({ requestTimeout: 10_000, maxHeaderSize: 8192 }, (request, response) => {
    request.resume();
    const problem = checkHost ? foreign(request) : undefined;
    const answered =
      problem === undefined ? answerOf(routes, request) : Promise.resolve({ status: 403, text: problem });
    void answered
      .catch((error: Error) => ({ status: 500, text: error.message }))
      .then((answer) => send(response, answer, headers));
  });
  server.maxConnections = 64;
  const address = await open(server, wanted);
  return {
    address,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

/** A web page in a browser on this machine can reach loopback, by its own name or by ours: it always tells on itself. */
function foreign({ headers }: IncomingMessage): string | undefined {
  const host = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  if (host !== 'localhost' && isIP(host) === 0) return 'The Host header must be an address of this machine.';
  return headers.origin === undefined ? undefined : 'Requests of web pages are refused.';
}

async function answerOf(routes: AdminRoutes, { method, url = '/' }: IncomingMessage): Promise<AdminAnswer> {
  const { pathname, searchParams } = URL.parse(url, 'http://admin') ?? {};
  if (pathname === undefined || searchParams === undefined)
    return { status: 400, text: 'The address of the request cannot be read.' };
  const find = (verb: string): AdminRoutes[string] | undefined => {
    const name = `${verb} ${pathname}`;
    return Object.hasOwn(routes, name) ? routes[name] : undefined;
  };
  const route = find(method === 'HEAD' ? 'GET' : (method ?? ''));
  if (route !== undefined) return route(searchParams);
  if (find('GET') !== undefined || find('POST') !== undefined)
    return { status: 405, text: `Use ${find('GET') === undefined ? 'POST' : 'GET'} for ${pathname}.` };
  return { status: 404, text: `There is:\n${Object.keys(routes).join('\n')}` };
}

function send(response: ServerResponse, answer: AdminAnswer, headers: Readonly<Record<string, string>>): void {
  const text = answer.json === undefined ? (answer.text ?? '') : JSON.stringify(answer.json, null, 2);
  const type = answer.type ?? (answer.json === undefined ? 'text/plain; charset=utf-8' : 'application/json');
  response.writeHead(answer.status ?? 200, {
    ...headers,
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(text.endsWith('\n') ? text : `${text}\n`);
}

async function open(server: Server, wanted: AdminAddress): Promise<AdminAddress> {
  if (wanted.path !== undefined && (await isLeftBehind(wanted.path))) rmSync(wanted.path, { force: true });
  await listening(server, wanted);
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? { host: bound.address, port: bound.port } : wanted;
}

/** A program that was killed leaves its socket behind: nobody answers there. */
const isLeftBehind = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ path });
    socket.once('connect', () => resolve(false)).once('connect', () => socket.destroy());
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });

async function listening(server: Server, wanted: AdminAddress): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotServe(error, wanted)));
    // From the first moment on nobody else may use the socket.
    const before = wanted.path === undefined ? undefined : process.umask(0o177);
    server.listen(wanted.path === undefined ? wanted : { path: wanted.path }, resolve);
    if (before !== undefined) process.umask(before);
  });
  if (wanted.path !== undefined) chmodSync(wanted.path, 0o600);
}

function cannotServe({ code, message }: NodeJS.ErrnoException, wanted: AdminAddress): CausewayError {
  const text = adminAddressText(wanted);
  return code === 'EADDRINUSE'
    ? new CausewayError(
        'CW-ADMIN-LISTEN',
        `another program answers at the admin address ${text}`,
        'is one running already? Stop it, or choose another address with --admin',
      )
    : new CausewayError('CW-ADMIN-LISTEN', `cannot serve ${text}: ${message}`, 'choose another address with --admin');
}

// Where a program's own page is served: a loopback address with a port, or a unix socket. Nowhere else, for whoever
// reaches it may see everything and stop the program.

export type AdminAddress =
  | { readonly path: string; readonly host?: undefined }
  | { readonly host: string; readonly port: number; readonly path?: undefined };

const form = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+)):(\d{1,5})$/;

export function readAdminAddress(text: string): AdminAddress {
  if (text.startsWith('unix:') && text.length > 'unix:'.length) return { path: text.slice('unix:'.length) };
  const [, v6, other = '', port = ''] = form.exec(text) ?? [];
  const host = v6 ?? (other === 'localhost' ? '127.0.0.1' : other);
  if (isIP(host) === 0 || Number(port) > 65_535)
    throw new CausewayError(
      'CW-ADMIN-ADDRESS',
      `"${text}" is no admin address`,
      'write 127.0.0.1:9902, [::1]:9902 or unix:/run/causeway/gateway.sock',
    );
  if (!isLoopback(host))
    throw new CausewayError(
      'CW-ADMIN-ADDRESS',
      `the admin address ${text} can be reached from outside, and it has no authentication`,
      'use 127.0.0.1, ::1 or unix:PATH; to read metrics from elsewhere put a proxy with authentication in front of it',
    );
  return { host, port: Number(port) };
}

export const adminAddressText = (address: AdminAddress): string => {
  if (address.path !== undefined) return `unix:${address.path}`;
  return hostPort(address.host, address.port);
};

/** For node:http requests. */
export const adminRequest = (address: AdminAddress): object =>
  address.path !== undefined ? { socketPath: address.path } : { host: address.host, port: address.port };
