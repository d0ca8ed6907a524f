// Signing in with OpenID Connect: code flow with PKCE, state and nonce, bound to the browser that began it.

import * as tls from 'node:tls';
import type { Context } from 'hono';
import type * as OpenId from 'openid-client';
import type { ApiEnv } from '../context.ts';
import { isLoopbackName } from '../guard/requests.ts';
import { ApiError } from '../problems.ts';
import type { Role } from '../schema/session.ts';
import { highestRole, type Identity } from './rbac.ts';
import { createCookie, createTokenStore } from './sessions.ts';

export interface OidcLogin {
  /** Where to send the browser. */
  begin(c: Context<ApiEnv>): Promise<string>;
  /** Who came back; throws what to tell them. */
  finish(c: Context<ApiEnv>): Promise<Arrived>;
}

export interface Arrived {
  readonly who: Identity;
  /** The page that they came for. */
  readonly next: string;
}

/** What is remembered while somebody is away at the provider. */
interface Pending {
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
  readonly next: string;
}

const tenMinutes = 600_000;

export function createOidcLogin(options: OidcOptions, directory: string, now: () => number): OidcLogin {
  const pending = createTokenStore<Pending>({ now, most: 1000, ageMs: tenMinutes });
  const cookie = createCookie({ directory, purpose: 'login', sameSite: 'Lax', seconds: tenMinutes / 1000 });
  const provider = lazyProvider(options);
  return {
    async begin(c) {
      const { client, config } = await provider();
      const begun: Pending = {
        verifier: client.randomPKCECodeVerifier(),
        state: client.randomState(),
        nonce: client.randomNonce(),
        next: ownPage(c.req.query('next')),
      };
      cookie.write(c, pending.add(begun));
      return authorizationUrl(client, config, options, begun);
    },
    async finish(c) {
      const begun = pending.take(cookie.read(c) ?? '');
      cookie.clear(c);
      if (begun === undefined) throw notBegun;
      const { client, config } = await provider();
      const claims = await claimsOf(client, config, options, begun, new URL(c.req.url).search);
      const who = identityOf(claims, options);
      if (who === undefined) throw noRole;
      return { who, next: begun.next };
    },
  };
}

/** Plain paths only: a link to our login must not lead anywhere else. */
const ownPage = (next = '/'): string => (/^\/(?!login)[\w-][\w./?=&%#+-]*$/.test(next) ? next : '/');

interface Provider {
  readonly client: typeof OpenId;
  readonly config: OpenId.Configuration;
}

/** Found at the first login; a provider that did not answer is asked again at the next. */
function lazyProvider(options: OidcOptions): () => Promise<Provider> {
  let found: Promise<Provider> | undefined;
  return () => {
    found ??= discover(options).catch((error: Error) => {
      found = undefined;
      throw unreachable(options, error);
    });
    return found;
  };
}

async function discover({ issuer, clientId, clientSecret, ca }: OidcOptions): Promise<Provider> {
  const client = await import('openid-client');
  if (ca !== undefined) trustAlso(ca);
  const url = new URL(issuer);
  const authentication = clientSecret === undefined ? client.None() : client.ClientSecretPost(clientSecret);
  const isLocal = url.protocol === 'http:' && isLoopbackName(url.hostname);
  const execute = isLocal ? [client.allowInsecureRequests] : [];
  const config = await client.discovery(url, clientId, undefined, authentication, { execute, timeout: 30 });
  return { client, config };
}

async function authorizationUrl(
  client: typeof OpenId,
  config: OpenId.Configuration,
  { redirectUri, scope = usualScope(config) }: OidcOptions,
  { verifier, state, nonce }: Pending,
): Promise<string> {
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope,
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  return url.href;
}

/** Keycloak refuses a login that asks for a scope it does not have, and tells which ones it has. */
function usualScope(config: OpenId.Configuration): string {
  const known = config.serverMetadata().scopes_supported;
  return ['openid', 'profile', 'email', 'groups'].filter((name) => known?.includes(name) ?? true).join(' ');
}

/** Of the signed token, and of the user information where the token lacks the claim with the roles. */
async function claimsOf(
  client: typeof OpenId,
  config: OpenId.Configuration,
  { redirectUri, claim = 'groups' }: OidcOptions,
  { verifier, state, nonce }: Pending,
  search: string,
): Promise<Record<string, unknown>> {
  try {
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
    const tokens = await client.authorizationCodeGrant(config, new URL(search, redirectUri), checks);
    const claims = { ...tokens.claims() } as Record<string, unknown>;
    const [first = claim] = claim.split('.');
    if (claims[first] !== undefined || config.serverMetadata().userinfo_endpoint === undefined) return claims;
    return { ...(await client.fetchUserInfo(config, tokens.access_token, String(claims.sub))), ...claims };
  } catch (error) {
    throw refused(error as Error);
  }
}

const tryAgain = 'sign in again';
const notBegun = new ApiError(400, 'CW-API-OIDC', 'this login was not begun here, or took too long', tryAgain);
const noRole = new ApiError(
  403,
  'CW-API-ROLE',
  'you are known, but nothing you are stands for a role here',
  'ask an administrator to give one of your groups a role',
);
/** The code tells what it was; the text of a provider could hold anything. */
const refused = (error: Error): ApiError => {
  const { error: code = error.name } = error as { error?: string };
  return new ApiError(401, 'CW-API-OIDC', `the login failed: ${String(code).slice(0, 80)}`, tryAgain);
};
function unreachable({ issuer }: OidcOptions, error: Error): ApiError {
  const { code = '', message } = deepest(error);
  const fix = /CERT|VERIFY|SIGNED/.test(code)
    ? 'put the authority of its certificate into the file of Platform.spec.certificates.trustBundle, and start again'
    : 'check the issuer, and the way to it';
  return new ApiError(
    502,
    'CW-API-OIDC',
    `the provider ${issuer} does not answer: ${message.split(';')[0] || code}`,
    fix,
  );
}

/** `fetch` only says that it failed; why is further down. */
function deepest(error: Error): NodeJS.ErrnoException {
  return error.cause instanceof Error ? deepest(error.cause) : error;
}

// Whom OpenID Connect lets in, and as what.

export interface OidcOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent: a public client; PKCE is used in any case. */
  readonly clientSecret?: string;
  /** PEM: authorities that its certificate may be from, besides those the system trusts. */
  readonly ca?: string;
  /** Where the provider sends people back to, as it knows it: https://page/api/v1/login/callback. */
  readonly redirectUri: string;
  /** @default openid, profile, email and groups, as far as the provider knows them */
  readonly scope?: string;
  /** Claim with the groups or roles of a person. @default groups */
  readonly claim?: string;
  /** Values of the claim for each role; * is everybody who can sign in. */
  readonly roles: Readonly<Partial<Record<Role, readonly string[]>>>;
}

type Claims = Readonly<Record<string, unknown>>;

/** Nobody where no value of the claim stands for a role. */
export function identityOf(claims: Claims, { claim = 'groups', roles }: OidcOptions): Identity | undefined {
  const values = valuesOf(claims, claim);
  const has = (wanted: readonly string[] = []): boolean =>
    wanted.some((value) => value === '*' || values.includes(value));
  const role = highestRole((Object.keys(roles) as Role[]).filter((name) => has(roles[name])));
  return role === undefined ? undefined : { name: nameOf(claims), role };
}

/** A list, one text, or texts separated by spaces; nested as in realm_access.roles. */
function valuesOf(claims: Claims, claim: string): readonly string[] {
  const found =
    claims[claim] ?? claim.split('.').reduce<unknown>((at, step) => (at as Claims | undefined)?.[step], claims);
  if (Array.isArray(found)) return found.filter((value) => typeof value === 'string');
  return typeof found === 'string' ? found.split(/\s+/) : [];
}

function nameOf({ email, preferred_username: user, sub }: Claims): string {
  const name = [email, user, sub].find((value) => typeof value === 'string' && value !== '');
  return String(name ?? 'somebody').slice(0, 200);
}

/** For all that this process fetches from now on: `fetch` knows no other way. Node before 24.5 has NODE_EXTRA_CA_CERTS only. */
export function trustAlso(authorities: string): void {
  if ('setDefaultCACertificates' in tls) tls.setDefaultCACertificates([...tls.getCACertificates(), authorities]);
}
