// Who changed what and how it ended, without secrets: in the audit log, which keeps it, and in the event log, which shows it.
import type { Context, MiddlewareHandler } from 'hono';
import { kubeconfigIdHeader } from '../../core/lifetimes.ts';
import type { Platform } from '../../platform/index.ts';
import type { AuditEvent } from '../audit-log.ts';
import { accountOf } from '../auth/rbac.ts';
import type { ApiContext, ApiEnv } from '../context.ts';
import { clientOf } from './client.ts';
import { createRateLimit } from './rate-limit.ts';

/** Reads are not worth a line, except of what gives access. */
const isNotable = (c: Context<ApiEnv>): boolean =>
  !['GET', 'HEAD', 'OPTIONS'].includes(c.req.method) || /\/kubeconfig$|\/login\/callback$/.test(c.req.path);

export function audit({ platform, audit: log, now }: ApiContext): MiddlewareHandler<ApiEnv> {
  // Nobody fills the disk: unauthenticated requests are few, and see `limitChanges` for all others.
  const unauthenticated = createRateLimit({ perSecond: 0.2, burst: 20, now });
  // Those that were refused for being too many leave a trace, and not many.
  const refused = createRateLimit({ perSecond: 1 / 60, burst: 1, now });
  const isWorthIt = (c: Context<ApiEnv>): boolean => {
    const who = c.get('identity');
    if (who === undefined) return unauthenticated.retryAfter('') === 0;
    return c.res.status !== 429 || refused.retryAfter(accountOf(who)) === 0;
  };
  return async (c, next) => {
    await next();
    if (!isNotable(c) || isDryRun(c) || !isWorthIt(c)) return;
    platform.record(eventOf(c));
    log?.write(auditEventOf(c));
  };
}

/** Each leaves an entry that is kept: a person does not notice, and a script that fills the log does. */
export function limitChanges(now: () => number): MiddlewareHandler<ApiEnv> {
  const limit = createRateLimit({ perSecond: 1, burst: 300, now });
  return async (c, next) => {
    const who = c.get('identity');
    if (c.env?.trusted !== true && who !== undefined && isNotable(c) && !isDryRun(c)) limit.take(accountOf(who));
    await next();
  };
}

const isDryRun = (c: Context<ApiEnv>): boolean => c.req.query('dryRun') === 'true';

const whatOf = (c: Context<ApiEnv>): string => `${c.req.method} ${c.req.path}`.slice(0, 300);

function auditEventOf(c: Context<ApiEnv>): AuditEvent {
  const who = c.get('identity');
  const [from, issued] = [clientOf(c), c.res.headers.get(kubeconfigIdHeader)];
  return {
    who: who?.name ?? '',
    ...(who?.credential === undefined ? {} : { credential: who.credential }),
    ...(from === '' ? {} : { from }),
    via: c.env?.trusted === true ? 'control' : 'api',
    what: whatOf(c),
    status: c.res.status,
    ...(issued === null ? {} : { issued }),
  };
}

function eventOf(c: Context<ApiEnv>): Parameters<Platform['record']>[0] {
  const { status } = c.res;
  const who = c.get('identity')?.name ?? 'somebody';
  const from = clientOf(c);
  return {
    kind: 'access',
    level: status < 400 ? 'info' : status < 500 ? 'warn' : 'error',
    subject: `access/${who}`,
    message: `${who}${from === '' ? '' : ` at ${from}`}: ${whatOf(c)} → ${status}`,
  };
}
