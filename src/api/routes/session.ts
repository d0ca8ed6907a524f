// Signing in and out, and tokens for scripts.

import { createRoute } from '@hono/zod-openapi';
import { durationMs } from '../../core/duration.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import { type AuthOptions, type CheckPassword, createPasswordCheck } from '../auth/options.ts';
import { authorize, type Identity, requireRoleAndJson, rolesOf } from '../auth/rbac.ts';
import {
  type ApiContext,
  type ApiRoutes,
  bodyFailures,
  failures,
  json,
  jsonBody,
  newRoutes,
  reading,
} from '../context.ts';
import { clientOf, createRateLimit } from '../guard/rate-limit.ts';
import { onlyJson } from '../guard/requests.ts';
import { ApiError } from '../problems.ts';
import { loginMethods, newToken, type SignIn, signIn, token, type WhoAmI, whoAmI } from '../schema/session.ts';

const tag = 'session';
const tags = [tag];

const whoRoute = reading({ tag, path: '/whoami', summary: 'Who you are, and what you may do.', answer: whoAmI });
const methodsRoute = createRoute({
  method: 'get',
  path: '/login/methods',
  tags,
  summary: 'How one can sign in.',
  responses: { 200: json(loginMethods, 'The ways to sign in.'), 429: failures[429] },
});
const signInRoute = createRoute({
  method: 'post',
  path: '/session',
  tags,
  summary: 'Sign in; the answer sets a cookie.',
  middleware: onlyJson,
  request: { body: jsonBody(signIn) },
  responses: { 200: json(whoAmI, 'Signed in.'), ...bodyFailures },
});
const signOutRoute = createRoute({
  method: 'delete',
  path: '/session',
  tags,
  summary: 'Sign out.',
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
export interface SessionParts {
  readonly auth: AuthOptions;
  readonly authenticator: Authenticator;
}

export function sessionRoutes({ now }: ApiContext, { auth, authenticator }: SessionParts): ApiRoutes {
  const check = createPasswordCheck(auth.users ?? []);
  // Five at once, then one every twelve seconds: a person does not notice, a guesser does.
  const attempts = createRateLimit({ perSecond: 1 / 12, burst: 5, now });
  return newRoutes()
    .openapi(whoRoute, (c) => c.json(whoIs(c.get('identity')), 200))
    .openapi(methodsRoute, (c) => c.json(methodsOf(auth), 200))
    .openapi(signInRoute, async (c) => {
      if (c.env?.trusted !== true) attempts.take(clientOf(c.env));
      const who = await whoSignsIn(c.req.valid('json'), authenticator, check);
      authenticator.signIn(c, who);
      return c.json(whoIs(who), 200);
    })
    .openapi(signOutRoute, (c) => {
      authenticator.signOut(c);
      return c.body(null, 204);
    })
    .openapi(tokenRoute, (c) => {
      const who = c.get('identity') as Identity;
      const { role = who.role, ttl } = c.req.valid('json');
      authorize(who, role);
      const made = authenticator.newToken({ ...who, name: `token of ${who.name}`, role }, durationMs(ttl) ?? 0);
      return c.json({ token: made, role }, 200);
    });
}

const whoIs = (who: Identity | undefined): WhoAmI => ({
  name: who?.name ?? '',
  roles: who === undefined ? [] : rolesOf(who),
});

const methodsOf = ({ links = false, users = [], oidc }: AuthOptions) => ({
  token: links,
  password: users.length > 0,
  ...(oidc === undefined ? {} : { oidc: { issuer: oidc.issuer, url: '/api/v1/login' } }),
});

async function whoSignsIn(given: SignIn, { useLink }: Authenticator, check: CheckPassword): Promise<Identity> {
  const who = 'token' in given ? useLink(given.token) : await check(given.user, given.password);
  if (who !== undefined) return who;
  throw 'token' in given
    ? new ApiError(
        401,
        'CW-API-LINK',
        'the token is not known, or was used already',
        'ask "causeway status" for a new address',
      )
    : new ApiError(401, 'CW-API-PASSWORD', 'user or password is wrong', 'try again, or ask an administrator');
}
