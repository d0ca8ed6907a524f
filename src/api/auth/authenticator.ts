// Finds out who asks: the owner at the control socket, a bearer token, or a session.

import { hash } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { assertLifetime, mostMs } from '../../core/lifetimes.ts';
import type { ApiEnv } from '../context.ts';
import { clientOf } from '../guard/client.ts';
import { ApiError } from '../problems.ts';
import type { Role } from '../schema/session.ts';
import type { AuthOptions } from './options.ts';
import { accountOf, type Identity, owner } from './rbac.ts';
import { createCookie, createTokenStore, type Entry, isEncrypted } from './sessions.ts';

const minute = 60_000;
const hour = 60 * minute;
/** Of one account, sessions and tokens each; the oldest goes when there is one more. */
const mostOfOne = 50;

/** A session or a token, as it is listed. */
export interface Credential {
  readonly id: string;
  readonly kind: 'session' | 'token';
  readonly person: string;
  readonly role: Role;
  /** Milliseconds. */
  readonly createdAt: number;
  readonly usedAt: number;
  readonly endsAt: number;
  /** Address that it was asked for from; empty at the control socket. */
  readonly from: string;
}

export interface Authenticator {
  /** Sets `who`. */
  readonly middleware: MiddlewareHandler<ApiEnv>;
  /**
   * Over TLS by a cookie. Otherwise the answer is a bearer token: a cookie would go to every port of this machine, and so
   * to programs of other users.
   */
  signIn(c: Context<ApiEnv>, who: Identity): string | undefined;
  signOut(c: Context<ApiEnv>): void;
  /** A text that signs in its first bearer as an administrator. */
  newLink(): string;
  useLink(token: string): Identity | undefined;
  /** A text that lets the page sign in as somebody who has come back from a provider. For the next moment only. */
  newHandover(c: Context<ApiEnv>, who: Identity): string;
  /** It ends with the one that it was asked for with, at the latest. */
  newToken(c: Context<ApiEnv>, who: Identity, ageMs: number): string;
  /** Sessions and tokens that have not ended. */
  credentials(): readonly Credential[];
  /** With all tokens that were made with it. False where there is none. */
  revoke(id: string): boolean;
  /** False once what they are known by has ended. Asking is no use of it. */
  isLive(who: Identity): boolean;
  /** Tells the id of a session or token that was signed out, revoked or displaced; answers how to stop. */
  onEnded(listener: (id: string) => void): () => void;
}

/** Whom a secret stands for, and what is remembered of its making. */
interface Known {
  readonly who: Identity;
  readonly from: string;
  /** Credential that it was made with. */
  readonly parent?: string | undefined;
}

const perOwner = { most: mostOfOne, of: ({ who }: Known): string => accountOf(who) };

export function createAuthenticator(options: AuthOptions, directory: string, now: () => number): Authenticator {
  const sessions = createTokenStore<Known>({ now, most: 1000, ageMs: 7 * 24 * hour, idleMs: 12 * hour, perOwner });
  const tokens = createTokenStore<Known>({ now, most: 1000, ageMs: mostMs('token'), perOwner });
  const links = createTokenStore<Identity>({ now, most: 16, ageMs: 24 * hour });
  const handovers = createTokenStore<Identity>({ now, most: 100, ageMs: minute });
  const cookie = createCookie({ directory, purpose: 'session', sameSite: 'Strict', seconds: 7 * 24 * 3600 });
  const fixed = fixedTokens(options);
  const ended = new Set<(id: string) => void>();
  for (const store of [sessions, tokens])
    store.onRemoved((id) => {
      for (const listener of ended) listener(id);
    });
  const sessionSecret = (c: Context<ApiEnv>): string | undefined => (isEncrypted(c) ? cookie.read(c) : bearerOf(c));
  const whoIs = (c: Context<ApiEnv>): Identity | undefined => {
    if (c.env?.trusted === true) return owner;
    const bearer = bearerOf(c);
    const token = bearer === undefined ? undefined : (fixed(bearer) ?? identityOf(tokens.find(bearer)));
    if (token !== undefined || (bearer !== undefined && isEncrypted(c))) return known(token);
    const secret = sessionSecret(c);
    const session = secret === undefined ? undefined : identityOf(sessions.find(secret));
    return bearer === undefined ? session : known(session);
  };
  const revoke = (id: string): boolean => {
    const found = sessions.removeById(id) || tokens.removeById(id);
    for (const { id: child, value } of tokens.list()) if (value.parent === id) revoke(child);
    return found;
  };
  return {
    middleware: async (c, next) => {
      c.set('identity', whoIs(c));
      await next();
    },
    signIn(c, who) {
      const before = sessionSecret(c);
      if (before !== undefined) sessions.remove(before);
      // So that what is written about this request names them.
      c.set('identity', who);
      const secret = sessions.add({ who, from: clientOf(c) });
      if (!isEncrypted(c)) return secret;
      cookie.write(c, secret);
      return undefined;
    },
    signOut(c) {
      const secret = sessionSecret(c);
      if (secret !== undefined) sessions.remove(secret);
      if (isEncrypted(c)) cookie.clear(c);
    },
    newLink: () => links.add(owner),
    useLink: (token) => handovers.take(token) ?? (options.links === true ? links.take(token) : undefined),
    newHandover(c, who) {
      c.set('identity', who);
      return handovers.add(who);
    },
    newToken(c, who, ageMs) {
      assertLifetime('token', ageMs);
      const ends = Math.min(now() + ageMs, who.ends ?? Number.POSITIVE_INFINITY);
      const { credential: parent, ...bare } = who;
      return tokens.add({ who: { ...bare, ends }, from: clientOf(c), parent }, ends - now());
    },
    credentials: () => [...sessions.list().map(listed('session')), ...tokens.list().map(listed('token'))],
    revoke,
    isLive: ({ credential }) => credential === undefined || sessions.has(credential) || tokens.has(credential),
    onEnded(listener) {
      ended.add(listener);
      return () => void ended.delete(listener);
    },
  };
}

const identityOf = (entry: Entry<Known> | undefined): Identity | undefined =>
  entry === undefined ? undefined : { ...entry.value.who, credential: entry.id };

const listed =
  (kind: Credential['kind']) =>
  ({ id, value: { who, from }, createdAt, usedAt, ends }: Entry<Known>): Credential => ({
    ...{ id, kind, person: accountOf(who), role: who.role },
    ...{ createdAt, usedAt, endsAt: ends, from },
  });

const bearerOf = (c: Context<ApiEnv>): string | undefined =>
  /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];

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
