// So many requests per client and time: a bucket that fills steadily, and each request takes one out of it.
import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../context.ts';
import { ApiError } from '../problems.ts';

export interface RateOptions {
  readonly perSecond: number;
  readonly burst: number;
  readonly now: () => number;
  /** Clients that are remembered. @default 10 000 */
  readonly most?: number;
}

export interface RateLimit {
  /** Takes one, or throws. */
  take(client: string): void;
  /** Takes one, or tells in how many seconds there is one. */
  waitFor(client: string): number;
}

interface Bucket {
  left: number;
  at: number;
}

export function createRateLimit({ perSecond, burst, now, most = 10_000 }: RateOptions): RateLimit {
  const buckets = new Map<string, Bucket>();
  const waitFor = (client: string): number => {
    const at = now();
    const known = buckets.get(client) ?? { left: burst, at };
    const left = Math.min(burst, known.left + ((at - known.at) / 1000) * perSecond);
    buckets.delete(client);
    if (buckets.size >= most) forgetOldest(buckets);
    buckets.set(client, { left: Math.max(0, left - 1), at });
    return left < 1 ? Math.ceil((1 - left) / perSecond) : 0;
  };
  return {
    waitFor,
    take(client) {
      const seconds = waitFor(client);
      if (seconds > 0) throw tooMany(seconds);
    },
  };
}

function forgetOldest(buckets: Map<string, Bucket>): void {
  const [oldest] = buckets.keys();
  if (oldest !== undefined) buckets.delete(oldest);
}

const tooMany = (seconds: number): ApiError =>
  new ApiError(429, 'CW-API-RATE', 'too many requests', `try again in ${seconds} s`, {
    headers: { 'retry-after': String(seconds) },
  });

/** Address of who is connected; requests of the control socket have none. */
export const clientOf = (env: ApiEnv['Bindings'] | undefined): string => env?.incoming?.socket.remoteAddress ?? '';

export const limitRate =
  (limit: RateLimit): MiddlewareHandler<ApiEnv> =>
  async (c, next) => {
    if (c.env?.trusted !== true) limit.take(clientOf(c.env));
    await next();
  };
