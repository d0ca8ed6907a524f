// Random texts that stand for somebody: sessions, bearer tokens, one-time tokens. Bounded in number and age.
// Only hashes are kept, so what leaks from memory opens nothing, and looking one up tells nothing by its time.

import { hash, randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { ApiEnv } from '../context.ts';

export interface TokenStoreOptions<Value> {
  readonly now: () => number;
  /** The oldest goes when there is one more. */
  readonly most: number;
  readonly ageMs: number;
  /** Forgotten when it was not used for so long. @default never */
  readonly idleMs?: number;
  /** Whose it is: of one owner only so many are kept, so that nobody displaces those of others. */
  readonly perOwner?: { readonly most: number; of(value: Value): string };
}

/** What may be known of one that is kept. */
export interface Entry<Value> {
  /** Names it; opens nothing. */
  readonly id: string;
  readonly value: Value;
  /** Milliseconds. */
  readonly createdAt: number;
  readonly ends: number;
  readonly usedAt: number;
}

export interface TokenStore<Value> {
  add(value: Value, ageMs?: number): string;
  find(secret: string): Entry<Value> | undefined;
  /** The value, once. */
  take(secret: string): Value | undefined;
  remove(secret: string): void;
  removeById(id: string): boolean;
  has(id: string): boolean;
  /** Those that have not ended, oldest first. Being listed is no use. */
  list(): readonly Entry<Value>[];
  /** By whatever way; one that ends by its age is told when somebody looks. */
  onRemoved(listener: (id: string) => void): void;
  readonly size: number;
}

interface Kept<Value> extends Entry<Value> {
  usedAt: number;
}

/** Nothing we give out is longer. */
const longest = 200;

export function createTokenStore<Value>(options: TokenStoreOptions<Value>): TokenStore<Value> {
  const { now, most, ageMs, idleMs, perOwner } = options;
  const kept = new Map<string, Kept<Value>>();
  const listeners = new Set<(id: string) => void>();
  const drop = (key: string): boolean => {
    const entry = kept.get(key);
    if (entry === undefined) return false;
    kept.delete(key);
    for (const listener of listeners) listener(entry.id);
    return true;
  };
  const isOver = ({ ends, usedAt }: Kept<Value>): boolean =>
    now() >= ends || (idleMs !== undefined && now() >= usedAt + idleMs);
  const dropEnded = (): void => {
    for (const [key, one] of kept) if (isOver(one)) drop(key);
  };
  const makeRoom = (value: Value): void => {
    dropEnded();
    const owner = perOwner?.of(value);
    const theirs = [...kept].filter(([, one]) => perOwner !== undefined && perOwner.of(one.value) === owner);
    for (const [key] of theirs.slice(0, Math.max(0, theirs.length + 1 - (perOwner?.most ?? 0)))) drop(key);
    for (const key of kept.keys()) if (kept.size >= most) drop(key);
  };
  const look = (key: string): Kept<Value> | undefined => {
    const found = kept.get(key);
    if (found === undefined) return undefined;
    if (isOver(found)) {
      drop(key);
      return undefined;
    }
    found.usedAt = now();
    return found;
  };
  return {
    add(value, ownAgeMs = ageMs) {
      makeRoom(value);
      const secret = randomBytes(32).toString('base64url');
      const [id, createdAt] = [randomBytes(6).toString('hex'), now()];
      kept.set(keyOf(secret), { id, value, createdAt, ends: createdAt + Math.min(ownAgeMs, ageMs), usedAt: createdAt });
      return secret;
    },
    find: (secret) => look(keyOf(secret)),
    take(secret) {
      const key = keyOf(secret);
      const found = look(key);
      drop(key);
      return found?.value;
    },
    remove: (secret) => void drop(keyOf(secret)),
    removeById: (id) => [...kept].some(([key, one]) => one.id === id && drop(key)),
    has: (id) => kept.values().some((one) => one.id === id && !isOver(one)),
    list() {
      dropEnded();
      return [...kept.values()];
    },
    onRemoved: (listener) => void listeners.add(listener),
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
