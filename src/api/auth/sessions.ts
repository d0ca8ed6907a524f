// Random texts that stand for somebody: sessions, bearer tokens, one-time tokens. Bounded in number and age.
// Only hashes are kept, so what leaks from memory opens nothing, and looking one up tells nothing by its time.

import { hash, randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { ApiEnv } from '../context.ts';

export interface TokenStoreOptions {
  readonly now: () => number;
  /** The oldest goes when there is one more. */
  readonly most: number;
  readonly ageMs: number;
  /** Forgotten when it was not used for so long. @default never */
  readonly idleMs?: number;
}

export interface TokenStore<Value> {
  add(value: Value, ageMs?: number): string;
  find(secret: string): Value | undefined;
  /** The value, once. */
  take(secret: string): Value | undefined;
  remove(secret: string): void;
  readonly size: number;
}

interface Kept<Value> {
  readonly value: Value;
  readonly ends: number;
  used: number;
}

/** Nothing we give out is longer. */
const longest = 200;

export function createTokenStore<Value>({ now, most, ageMs, idleMs }: TokenStoreOptions): TokenStore<Value> {
  const kept = new Map<string, Kept<Value>>();
  const isOver = ({ ends, used }: Kept<Value>): boolean =>
    now() >= ends || (idleMs !== undefined && now() >= used + idleMs);
  const makeRoom = (): void => {
    for (const [key, one] of kept) if (isOver(one)) kept.delete(key);
    for (const key of kept.keys()) if (kept.size >= most) kept.delete(key);
  };
  const look = (key: string): Value | undefined => {
    const found = kept.get(key);
    if (found === undefined) return undefined;
    if (isOver(found)) {
      kept.delete(key);
      return undefined;
    }
    found.used = now();
    return found.value;
  };
  return {
    add(value, ownAgeMs = ageMs) {
      makeRoom();
      const secret = randomBytes(32).toString('base64url');
      kept.set(keyOf(secret), { value, ends: now() + Math.min(ownAgeMs, ageMs), used: now() });
      return secret;
    },
    find: (secret) => look(keyOf(secret)),
    take(secret) {
      const key = keyOf(secret);
      const value = look(key);
      kept.delete(key);
      return value;
    },
    remove: (secret) => void kept.delete(keyOf(secret)),
    get size() {
      return kept.size;
    },
  };
}

export const keyOf = (secret: string): string => hash('sha256', secret.slice(0, longest), 'base64url');

// The cookie of a session. Cookies know no ports, so each platform has a name of its own.

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
