// The way to an OpenID Connect provider and back; a browser goes it, so it ends on a page.

import type { Authenticator } from '../auth/authenticator.ts';
import { createOidcLogin } from '../auth/oidc.ts';
import type { AuthOptions } from '../auth/options.ts';
import { type ApiContext, type ApiRoutes, newRoutes } from '../context.ts';
import { clientOf, networkOf } from '../guard/client.ts';
import { createRateLimit } from '../guard/rate-limit.ts';
import { ApiError, notFound } from '../problems.ts';

export function oidcRoutes(
  { now, log, platform }: ApiContext,
  auth: AuthOptions,
  authenticator: Authenticator,
): ApiRoutes {
  const routes = newRoutes();
  const { oidc } = auth;
  if (oidc === undefined) {
    routes.get('/login', () => {
      throw notFound('provider to sign in at', 'GET /api/v1/login/methods tells how one can sign in');
    });
    return routes;
  }
  const login = createOidcLogin(oidc, platform.view().directory, now);
  const attempts = createRateLimit({ perSecond: 1, burst: 20, now });
  routes.get('/login', async (c) => {
    attempts.take(networkOf(clientOf(c)));
    return c.redirect(await login.begin(c), 302);
  });
  routes.get('/login/callback', async (c) => {
    try {
      const { who, next } = await login.finish(c);
      authenticator.signIn(c, who);
      return c.redirect(next, 303);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      log.warn('a login failed', { code: error.code, message: error.message });
      return c.redirect(`/login?problem=${error.code}`, 303);
    }
  });
  return routes;
}
