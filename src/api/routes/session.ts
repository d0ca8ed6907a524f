// Signing in and out, and tokens for scripts.

import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { durationMs } from '../../core/duration.ts';
import type { Authenticator, Credential } from '../auth/authenticator.ts';
import { type AuthOptions, createPasswordCheck } from '../auth/options.ts';
import {
  accountOf,
  allows,
  authorize,
  type Identity,
  requireRole,
  requireRoleAndJson,
  rolesOf,
  withoutLogin,
} from '../auth/rbac.ts';
import {
  type ApiContext,
  type ApiEnv,
  type ApiRoutes,
  bodyFailures,
  failures,
  json,
  jsonBody,
  newRoutes,
  reading,
} from '../context.ts';
import { clientOf, networkOf } from '../guard/client.ts';
import { createLoginLimit } from '../guard/login-limit.ts';
import { onlyJson } from '../guard/requests.ts';
import { ApiError, notFound } from '../problems.ts';
import {
  credentialId,
  credentials,
  loginMethods,
  newToken,
  type SignIn,
  signedIn,
  signIn,
  token,
  type WhoAmI,
  whoAmI,
} from '../schema/session.ts';

const tag = 'session';
const tags = [tag];

const whoRoute = reading({ tag, path: '/whoami', summary: 'Who you are, and what you may do.', answer: whoAmI });
const methodsRoute = createRoute({
  method: 'get',
  path: '/login/methods',
  tags,
  summary: 'How one can sign in.',
  ...withoutLogin,
  responses: { 200: json(loginMethods, 'The ways to sign in.'), 429: failures[429] },
});
const signInRoute = createRoute({
  method: 'post',
  path: '/session',
  tags,
  summary: 'Sign in. Over TLS the answer sets a cookie; otherwise it has a bearer token.',
  ...withoutLogin,
  middleware: onlyJson,
  request: { body: jsonBody(signIn) },
  responses: { 200: json(signedIn, 'Signed in.'), ...bodyFailures },
});
const signOutRoute = createRoute({
  method: 'delete',
  path: '/session',
  tags,
  summary: 'Sign out.',
  ...withoutLogin,
  responses: { 204: { description: 'Signed out.' }, 403: failures[403], 429: failures[429] },
});
const tokenRoute = createRoute({
  method: 'post',
  path: '/tokens',
  tags,
  summary: 'A bearer token for a script.',
  ...requireRoleAndJson('viewer'),
  request: { body: jsonBody(newToken) },
  responses: { 200: json(token, 'The token.'), ...bodyFailures },
});
const credentialsRoute = reading({
  tag,
  path: '/credentials',
  summary: 'Sessions and bearer tokens that have not ended: your own, or all of them for the role admin.',
  answer: credentials,
});
const revokeRoute = createRoute({
  method: 'delete',
  path: '/credentials/{id}',
  tags,
  summary: 'Revokes a session or a token, with the tokens that were made with it. Those of others take the role admin.',
  ...requireRole('viewer'),
  request: { params: z.object({ id: credentialId }) },
  responses: { 204: { description: 'Revoked.' }, ...failures },
});

export interface SessionParts {
  readonly auth: AuthOptions;
  readonly authenticator: Authenticator;
}

export function sessionRoutes({ now }: ApiContext, { auth, authenticator }: SessionParts): ApiRoutes {
  const check = createPasswordCheck(auth.users ?? []);
  const limit = createLoginLimit(now);
  const attempt = (c: Context<ApiEnv>, user?: string): void => {
    if (c.env?.trusted !== true) limit.attempt(networkOf(clientOf(c)), user);
  };
  /** Nobody can guess one, so whoever has it gets in, however many others guess. */
  const byLink = (c: Context<ApiEnv>, given: string): Identity => {
    const who = authenticator.useLink(given);
    if (who !== undefined) return who;
    attempt(c);
    throw unknownLink;
  };
  const byPassword = async (c: Context<ApiEnv>, given: ByPassword): Promise<Identity> => {
    attempt(c, given.user);
    const who = await check(given.user, given.password);
    if (who === undefined) throw wrongPassword;
    limit.succeeded(networkOf(clientOf(c)), given.user);
    return who;
  };
  return newRoutes()
    .openapi(whoRoute, (c) => c.json(whoIs(c.get('identity')), 200))
    .openapi(methodsRoute, (c) => c.json(methodsOf(auth), 200))
    .openapi(signInRoute, async (c) => {
      const given = c.req.valid('json');
      const who = 'token' in given ? byLink(c, given.token) : await byPassword(c, given);
      const session = authenticator.signIn(c, who);
      return c.json({ ...whoIs(who), ...(session === undefined ? {} : { token: session }) }, 200);
    })
    .openapi(signOutRoute, (c) => {
      authenticator.signOut(c);
      return c.body(null, 204);
    })
    .openapi(tokenRoute, (c) => {
      const who = c.get('identity') as Identity;
      const { role = who.role, ttl } = c.req.valid('json');
      authorize(who, role);
      const account = accountOf(who);
      const ageMs = durationMs(ttl) ?? 0;
      const made = authenticator.newToken(c, { ...who, name: `token of ${account}`, account, role }, ageMs);
      return c.json({ token: made, role, endsAt: Math.min(now() + ageMs, who.ends ?? Number.POSITIVE_INFINITY) }, 200);
    })
    .openapi(credentialsRoute, (c) => {
      const who = c.get('identity') as Identity;
      const items = visible(authenticator, who).map((one) => ({ ...one, current: one.id === who.credential }));
      return c.json({ items }, 200);
    })
    .openapi(revokeRoute, (c) => {
      const { id } = c.req.valid('param');
      const known = visible(authenticator, c.get('identity') as Identity).some((one) => one.id === id);
      if (!known || !authenticator.revoke(id))
        throw notFound(`session or token "${id}"`, 'GET /api/v1/credentials lists them');
      return c.body(null, 204);
    });
}

/** Nobody learns of those of others, except administrators; what may do less ends nothing that may do more. */
const visible = ({ credentials: all }: Authenticator, who: Identity): readonly Credential[] =>
  all().filter(({ person, role }) => allows(who, 'admin') || (person === accountOf(who) && allows(who, role)));

const whoIs = (who: Identity | undefined): WhoAmI => ({
  name: who?.name ?? '',
  roles: who === undefined ? [] : rolesOf(who),
});

const methodsOf = ({ links = false, users = [], oidc }: AuthOptions) => ({
  token: links,
  password: users.length > 0,
  ...(oidc === undefined ? {} : { oidc: { issuer: oidc.issuer, url: '/api/v1/login' } }),
});

type ByPassword = Exclude<SignIn, { token: string }>;

const unknownLink = new ApiError(
  401,
  'CW-API-LINK',
  'the token is not known, or was used already',
  'ask "causeway status" for a new address',
);
const wrongPassword = new ApiError(
  401,
  'CW-API-PASSWORD',
  'user or password is wrong',
  'try again, or ask an administrator',
);
