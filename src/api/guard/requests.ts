// Only requests that name us: a page whose name was made to lead here (DNS rebinding) names itself.

import type { Context, MiddlewareHandler } from 'hono';
import { isLoopback } from '../../core/host-port.ts';
import type { ApiEnv } from '../context.ts';
import { ApiError } from '../problems.ts';

/** `hosts` are names and addresses besides loopback, without ports. */
export function checkHost(hosts: readonly string[]): MiddlewareHandler<ApiEnv> {
  const known = new Set(hosts.map((host) => host.toLowerCase()));
  return async (c, next) => {
    const host = hostName(c.req.header('host') ?? new URL(c.req.url).host);
    if (c.env?.trusted !== true && !isLoopbackName(host) && !known.has(host)) throw unknownHost;
    await next();
  };
}

/** Without its port and brackets. */
export const hostName = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1');

export const isLoopbackName = (host: string): boolean => host === 'localhost' || isLoopback(host);

const unknownHost = new ApiError(
  421,
  'CW-API-HOST',
  'the Host header does not name this platform',
  'use the address that was printed, or add the name when the platform is started',
);

// Other pages in the same browser may not use somebody's session. Browsers say where a request comes from; whatever
// does not say it must carry a header that no page can send to another site without asking first.
//
// Stricter than hono's csrf, which looks only at methods that write and at bodies that a form can send, and is content when
// either Sec-Fetch-Site or Origin is right: here reads are refused too, both headers must be right where they are there, and
// a write with neither of them needs the header or a bearer token.

export const requestHeader = 'x-causeway-request';

const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

export const checkCsrf: MiddlewareHandler<ApiEnv> = async (c, next) => {
  if (c.env?.trusted !== true) {
    if (!isNavigation(c)) assertSameSite(c);
    if (!reading.has(c.req.method)) assertCsrfHeader(c);
  }
  await next();
};

/** Somebody comes back from signing in elsewhere. The session cookie stays out of it. */
const isNavigation = (c: Context<ApiEnv>): boolean =>
  c.req.method === 'GET' && c.req.header('sec-fetch-mode') === 'navigate' && c.req.path === '/api/v1/login/callback';

function assertSameSite(c: Context<ApiEnv>): void {
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw crossSite;
  const origin = c.req.header('origin');
  if (origin !== undefined && !isOwn(origin, c.req.header('host'))) throw crossSite;
}

const isOwn = (origin: string, host: string | undefined): boolean =>
  host !== undefined && URL.parse(origin)?.host === host.toLowerCase();

/** A bearer token is sent by nobody but its owner. */
function assertCsrfHeader(c: Context<ApiEnv>): void {
  if (c.req.header(requestHeader) === undefined && c.req.header('authorization') === undefined) throw missingCsrfHeader;
}

const crossSite = new ApiError(
  403,
  'CW-API-CROSS-SITE',
  'the request comes from another page',
  'use the page of the platform itself',
);
const missingCsrfHeader = new ApiError(
  403,
  'CW-API-CROSS-SITE',
  `requests that change something carry the header ${requestHeader}`,
  `send "${requestHeader}: 1", or use a bearer token`,
);

// Bodies: JSON, and not too long.

const mebibyte = 1024 * 1024;

/**
 * By what the request says of itself: Node lets nobody send more than that, or a body where none is announced. Stricter
 * than hono's body-limit, which reads a body without a length up to the limit into memory (here it is refused), and does
 * not look at the length that a GET or HEAD announces.
 */
export const limitBody: MiddlewareHandler<ApiEnv> = async (c, next) => {
  if (c.req.header('transfer-encoding') !== undefined) throw unmeasured;
  if (Number(c.req.header('content-length') ?? 0) > mebibyte) throw tooLarge;
  await next();
};

// What is left of the body is not read.
const leaving = { headers: { connection: 'close' } };
const tooLarge = new ApiError(413, 'CW-API-TOO-LARGE', 'the body has more than 1 MiB', 'send less at a time', leaving);
const unmeasured = new ApiError(
  411,
  'CW-API-LENGTH',
  'the request does not say how long its body is',
  'send it with content-length, not in chunks',
  leaving,
);

/** For routes that take one. */
export const onlyJson: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const type = c.req.header('content-type') ?? '';
  if (!/^application\/json *(;|$)/i.test(type))
    throw new ApiError(
      415,
      'CW-API-CONTENT-TYPE',
      'the body is not JSON',
      'send it with content-type: application/json',
    );
  await next();
};
