// The audit trail: who changed what and how it ended, in the event log, without secrets.
import type { Context, MiddlewareHandler } from 'hono';
import type { Platform } from '../../platform/index.ts';
import type { ApiEnv } from '../context.ts';
import { clientOf } from './client.ts';
import { createRateLimit } from './rate-limit.ts';

/** Reads are not worth a line, except of what gives access. */
const isNotable = (c: Context<ApiEnv>): boolean =>
  !['GET', 'HEAD', 'OPTIONS'].includes(c.req.method) || /\/kubeconfig$|\/login\/callback$/.test(c.req.path);

export function audit(platform: Platform, now: () => number): MiddlewareHandler<ApiEnv> {
  // The event log is bounded: unauthenticated requests must not displace what happened.
  const unauthenticated = createRateLimit({ perSecond: 0.2, burst: 20, now });
  return async (c, next) => {
    await next();
    if (!isNotable(c) || isDryRun(c)) return;
    if (c.get('identity') !== undefined || unauthenticated.retryAfter('') === 0) platform.record(entryOf(c));
  };
}

const isDryRun = (c: Context<ApiEnv>): boolean => c.req.query('dryRun') === 'true';

function entryOf(c: Context<ApiEnv>): Parameters<Platform['record']>[0] {
  const { status } = c.res;
  const who = c.get('identity')?.name ?? 'somebody';
  const from = clientOf(c);
  const what = `${c.req.method} ${c.req.path}`.slice(0, 300);
  return {
    kind: 'access',
    level: status < 400 ? 'info' : status < 500 ? 'warn' : 'error',
    subject: `access/${who}`,
    message: `${who}${from === '' ? '' : ` at ${from}`}: ${what} → ${status}`,
  };
}
