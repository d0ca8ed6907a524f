// Only requests that name us: a page whose name was made to lead here (DNS rebinding) names itself.
import type { MiddlewareHandler } from 'hono';
import { isLoopback } from '../../net/host-port.ts';
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
