// A small HTTP server for a program's own page: health, metrics, and a few commands. Bounded, and closed to web pages.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { CausewayError } from '../core/errors.ts';
import type { FileLog } from '../sys/file-value.ts';
import { type AdminAddress, type AdminPlace, adminAddressText, type TcpPlace } from './admin-address.ts';
import { listenOnSocket } from './admin-socket.ts';
import { tokenGuard } from './admin-token.ts';

export interface AdminAnswer {
  readonly status?: number;
  /** @default JSON of `json`, or plain text of `text` */
  readonly type?: string;
  readonly text?: string;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** "GET /healthz" → what it answers. */
export type AdminRoutes = Readonly<Record<string, (query: URLSearchParams) => AdminAnswer | Promise<AdminAnswer>>>;

export interface AdminServer {
  readonly address: AdminAddress;
  close(): Promise<void>;
}

export interface AdminOptions {
  /** Told when the token of the place was read again, or cannot be. */
  readonly log: FileLog;
  /** Of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

export async function serveAdmin(
  wanted: AdminPlace,
  routes: AdminRoutes,
  { log, headers = {} }: AdminOptions,
): Promise<AdminServer> {
  const answerTo = wanted.path === undefined ? guarded(routes, tokenGuard(wanted.tokenFile, log)) : answers(routes);
  const server = createServer({ requestTimeout: 10_000, maxHeaderSize: 8192 }, (request, response) => {
    request.resume();
    void answerTo(request)
      .catch((error: Error): AdminAnswer => ({ status: 500, text: error.message }))
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

type Answering = (request: IncomingMessage) => Promise<AdminAnswer>;

const answers =
  (routes: AdminRoutes): Answering =>
  (request) =>
    answerOf(routes, request);

/** Asked by what has no token: a balancer, a kubelet. They are told yes or no and nothing else. */
const probes: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz']);

/** Whoever can connect must show the token, except to probes. */
const guarded =
  (routes: AdminRoutes, isAllowed: (request: IncomingMessage) => boolean): Answering =>
  async (request) => {
    const problem = foreign(request);
    if (problem !== undefined) return { status: 403, text: problem };
    if (isAllowed(request)) return answerOf(routes, request);
    if (!probes.has(request.url)) return noToken;
    const { status = 200 } = await answerOf(routes, request).catch((): AdminAnswer => ({ status: 500 }));
    return { status, text: status === 200 ? 'ok' : 'not ok' };
  };

const noToken: AdminAnswer = {
  status: 401,
  text: 'This needs the token of --admin-token-file: Authorization: Bearer TOKEN.',
  headers: { 'www-authenticate': 'Bearer realm="admin"' },
};

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
    ...answer.headers,
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(text.endsWith('\n') ? text : `${text}\n`);
}

async function open(server: Server, wanted: AdminPlace): Promise<AdminAddress> {
  try {
    if (wanted.path !== undefined) await listenOnSocket(server, wanted.path);
    else await listenOnPort(server, wanted);
  } catch (error) {
    throw error instanceof CausewayError ? error : cannotServe(error as NodeJS.ErrnoException, wanted);
  }
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? { host: bound.address, port: bound.port } : wanted;
}

const listenOnPort = (server: Server, { host, port }: TcpPlace): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen({ host, port }, resolve);
  });

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
