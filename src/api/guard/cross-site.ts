// Other pages in the same browser may not use somebody's session. Browsers say where a request comes from; whatever
// does not say it must carry a header that no page can send to another site without asking first.
//
// Stricter than hono's csrf, which looks only at methods that write and at bodies that a form can send, and is content when
// either Sec-Fetch-Site or Origin is right: here reads are refused too, both headers must be right where they are there, and
// a write with neither of them needs the header or a bearer token.
import type { Context, MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../context.ts';
import { ApiError } from '../problems.ts';

export const requestHeader = 'x-causeway-request';

const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

export const checkCrossSite: MiddlewareHandler<ApiEnv> = async (c, next) => {
  if (c.env?.trusted !== true) {
    if (!isNavigation(c)) assertSameSite(c);
    if (!reading.has(c.req.method)) assertMeant(c);
  }
  await next();
};

/** Somebody comes back from signing in elsewhere. The session cookie stays out of it. */
const isNavigation = (c: Context<ApiEnv>): boolean =>
  c.req.method === 'GET' && c.req.header('sec-fetch-mode') === 'navigate' && c.req.path === '/api/v1/login/callback';

function assertSameSite(c: Context<ApiEnv>): void {
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw foreignPage;
  const origin = c.req.header('origin');
  if (origin !== undefined && !isOwn(origin, c.req.header('host'))) throw foreignPage;
}

const isOwn = (origin: string, host: string | undefined): boolean =>
  host !== undefined && URL.parse(origin)?.host === host.toLowerCase();

/** A bearer token is sent by nobody but its owner. */
function assertMeant(c: Context<ApiEnv>): void {
  if (c.req.header(requestHeader) === undefined && c.req.header('authorization') === undefined) throw notMeant;
}

const foreignPage = new ApiError(
  403,
  'CW-API-CROSS-SITE',
  'the request comes from another page',
  'use the page of the platform itself',
);
const notMeant = new ApiError(
  403,
  'CW-API-CROSS-SITE',
  `requests that change something carry the header ${requestHeader}`,
  `send "${requestHeader}: 1", or use a bearer token`,
);
