// The cookie of a session. Cookies know no ports, so each platform has a name of its own.
import { hash } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { ApiEnv } from '../context.ts';

export interface SessionCookie {
  read(c: Context<ApiEnv>): string | undefined;
  write(c: Context<ApiEnv>, secret: string): void;
  clear(c: Context<ApiEnv>): void;
}

export const isEncrypted = (c: Context<ApiEnv>): boolean => c.env?.incoming?.socket.encrypted === true;

export interface CookieOptions {
  /** Tells platforms apart. */
  readonly directory: string;
  readonly purpose: 'session' | 'login';
  /** Lax only for what must survive the way back from a provider. */
  readonly sameSite: 'Strict' | 'Lax';
  readonly seconds: number;
}

export function createCookie({ directory, purpose, sameSite, seconds }: CookieOptions): SessionCookie {
  const name = `causeway-${purpose}-${hash('sha256', directory).slice(0, 8)}`;
  const options = (c: Context<ApiEnv>) => {
    const secure = isEncrypted(c);
    // Browsers take a __Host- cookie only from us: no other host of the domain can plant one.
    return { httpOnly: true, sameSite, secure, path: '/', ...(secure ? { prefix: 'host' as const } : {}) };
  };
  return {
    read: (c) => getCookie(c, name, isEncrypted(c) ? 'host' : undefined),
    write: (c, secret) => setCookie(c, name, secret, { ...options(c), maxAge: seconds } as never),
    clear: (c) => void deleteCookie(c, name, options(c) as never),
  };
}
