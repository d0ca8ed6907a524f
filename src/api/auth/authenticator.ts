// Finds out who asks: the owner at the control socket, a bearer token, or a session.

import { hash } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../context.ts';
import { ApiError } from '../problems.ts';
import type { AuthOptions } from './options.ts';
import { type Identity, owner } from './rbac.ts';
import { createCookie, createTokenStore } from './sessions.ts';

const hour = 3_600_000;

export interface Authenticator {
  /** Sets `who`. */
  readonly middleware: MiddlewareHandler<ApiEnv>;
  signIn(c: Context<ApiEnv>, who: Identity): void;
  signOut(c: Context<ApiEnv>): void;
  /** A text that signs in its first bearer as an administrator. */
  newLink(): string;
  useLink(token: string): Identity | undefined;
  /** It ends with the one that it was asked for with, at the latest. */
  newToken(who: Identity, ageMs: number): string;
}

export function createAuthenticator(options: AuthOptions, directory: string, now: () => number): Authenticator {
  const sessions = createTokenStore<Identity>({ now, most: 1000, ageMs: 7 * 24 * hour, idleMs: 12 * hour });
  const tokens = createTokenStore<Identity>({ now, most: 1000, ageMs: 90 * 24 * hour });
  const links = createTokenStore<Identity>({ now, most: 16, ageMs: 24 * hour });
  const cookie = createCookie({ directory, purpose: 'session', sameSite: 'Strict', seconds: 7 * 24 * 3600 });
  const fixed = fixedTokens(options);
  const whoIs = (c: Context<ApiEnv>): Identity | undefined => {
    if (c.env?.trusted === true) return owner;
    const bearer = bearerOf(c.req.header('authorization'));
    if (bearer !== undefined) return known(fixed(bearer) ?? tokens.find(bearer));
    const secret = cookie.read(c);
    return secret === undefined ? undefined : sessions.find(secret);
  };
  return {
    middleware: async (c, next) => {
      c.set('identity', whoIs(c));
      await next();
    },
    signIn(c, who) {
      const before = cookie.read(c);
      if (before !== undefined) sessions.remove(before);
      cookie.write(c, sessions.add(who));
      // So that what is written about this request names them.
      c.set('identity', who);
    },
    signOut(c) {
      const secret = cookie.read(c);
      if (secret !== undefined) sessions.remove(secret);
      cookie.clear(c);
    },
    newLink: () => links.add(owner),
    useLink: (token) => (options.links === true ? links.take(token) : undefined),
    newToken(who, ageMs) {
      const ends = Math.min(now() + ageMs, who.ends ?? Number.POSITIVE_INFINITY);
      return tokens.add({ ...who, ends }, ends - now());
    },
  };
}

const bearerOf = (header: string | undefined): string | undefined => /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];

/** A wrong token is said to be wrong, whatever else the request carries. */
function known(who: Identity | undefined): Identity {
  if (who !== undefined) return who;
  throw new ApiError(401, 'CW-API-TOKEN', 'the bearer token is not known or has ended', 'make a new one', {
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  });
}

function fixedTokens({ tokens = [] }: AuthOptions): (token: string) => Identity | undefined {
  const byHash = new Map(tokens.map(({ sha256, name, role }) => [sha256.toLowerCase(), { name, role }]));
  return (token) => (byHash.size === 0 ? undefined : byHash.get(hash('sha256', token)));
}
