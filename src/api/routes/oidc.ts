// The way to an OpenID Connect provider and back; a browser goes it, so it ends on a page.

import { createRoute } from '@hono/zod-openapi';
import type { Authenticator } from '../auth/authenticator.ts';
import { createOidcLogin } from '../auth/oidc.ts';
import type { AuthOptions } from '../auth/options.ts';
import { withoutLogin } from '../auth/rbac.ts';
import { isEncrypted } from '../auth/sessions.ts';
import { type ApiContext, type ApiRoutes, failures, newRoutes } from '../context.ts';
import { clientOf, networkOf } from '../guard/client.ts';
import { createRateLimit } from '../guard/rate-limit.ts';
import { ApiError, notFound } from '../problems.ts';

const tags = ['session'];
const beginRoute = createRoute({
  method: 'get',
  path: '/login',
  tags,
  summary: 'Leads a browser to the OpenID Connect provider.',
  ...withoutLogin,
  responses: { 302: { description: 'To the provider.' }, 404: failures[404], 429: failures[429] },
});
const finishRoute = createRoute({
  method: 'get',
  path: '/login/callback',
  tags,
  summary: 'Where the provider leads a browser back to.',
  ...withoutLogin,
  responses: { 303: { description: 'To the page.' }, 404: failures[404] },
});

export function oidcRoutes(
  { now, log, platform }: ApiContext,
  auth: AuthOptions,
  authenticator: Authenticator,
): ApiRoutes {
  const { oidc } = auth;
  if (oidc === undefined) return newRoutes().openapi(beginRoute, noProvider).openapi(finishRoute, noProvider);
  const login = createOidcLogin(oidc, platform.view().directory, now);
  const attempts = createRateLimit({ perSecond: 1, burst: 20, now });
  return newRoutes()
    .openapi(beginRoute, async (c) => {
      attempts.take(networkOf(clientOf(c)));
      return c.redirect(await login.begin(c), 302);
    })
    .openapi(finishRoute, async (c) => {
      try {
        const { who, next } = await login.finish(c);
        if (isEncrypted(c)) {
          authenticator.signIn(c, who);
          return c.redirect(next, 303);
        }
        // Behind the sign of a fragment, which no server is told.
        const token = authenticator.newHandover(c, who);
        return c.redirect(`/login?next=${encodeURIComponent(next)}#token=${token}`, 303);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        log.warn('a login failed', { code: error.code, message: error.message });
        return c.redirect(`/login?problem=${error.code}`, 303);
      }
    });
}

function noProvider(): never {
  throw notFound('provider to sign in at', 'GET /api/v1/login/methods tells how one can sign in');
}
