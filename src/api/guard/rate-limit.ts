// Rate limits: a token bucket for each client, which fills steadily; each request takes a token.
import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../context.ts';
import { ApiError } from '../problems.ts';
import { clientOf, networkOf } from './client.ts';

export interface RateOptions {
  readonly perSecond: number;
  readonly burst: number;
  readonly now: () => number;
  /** Clients that are remembered. @default 10 000 */
  readonly most?: number;
}

export interface RateLimit {
  /** Takes a token, or throws. */
  take(client: string): void;
  /** Takes a token and returns 0, or returns in how many seconds there is one. */
  retryAfter(client: string): number;
}

interface TokenBucket {
  readonly tokens: number;
  readonly filledAt: number;
}

export function createRateLimit({ perSecond, burst, now, most = 10_000 }: RateOptions): RateLimit {
  const buckets = new Map<string, TokenBucket>();
  const retryAfter = (client: string): number => {
    const at = now();
    const before = buckets.get(client) ?? { tokens: burst, filledAt: at };
    const tokens = Math.min(burst, before.tokens + ((at - before.filledAt) / 1000) * perSecond);
    buckets.delete(client);
    if (buckets.size >= most) evictOldest(buckets);
    buckets.set(client, { tokens: Math.max(0, tokens - 1), filledAt: at });
    return tokens < 1 ? Math.ceil((1 - tokens) / perSecond) : 0;
  };
  return {
    retryAfter,
    take(client) {
      const seconds = retryAfter(client);
      if (seconds > 0) throw tooMany(seconds);
    },
  };
}

function evictOldest(buckets: Map<string, TokenBucket>): void {
  const [oldest] = buckets.keys();
  if (oldest !== undefined) buckets.delete(oldest);
}

const tooMany = (seconds: number): ApiError =>
  new ApiError(429, 'CW-API-RATE', 'too many requests', `try again in ${seconds} s`, {
    headers: { 'retry-after': String(seconds) },
  });

export const rateLimit =
  (limit: RateLimit): MiddlewareHandler<ApiEnv> =>
  async (c, next) => {
    if (c.env?.trusted !== true) limit.take(networkOf(clientOf(c)));
    await next();
  };
