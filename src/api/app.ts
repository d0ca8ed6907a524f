// The API and the page as one application. What it stands behind, and in which order, is here and nowhere else.

import path from 'node:path';
import { createRoute, z } from '@hono/zod-openapi';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { parseCidr } from '../core/ip.ts';
import { LoadMemory } from '../model/load/index.ts';
import type { Platform } from '../platform/index.ts';
import { type Log, silentLog } from '../sys/log.ts';
import type { AuditLog } from './audit-log.ts';
import { type Authenticator, createAuthenticator } from './auth/authenticator.ts';
import { type AuthOptions, hasLogin } from './auth/options.ts';
import { withoutLogin } from './auth/rbac.ts';
import { type ApiContext, type ApiRoutes, json, newRoutes } from './context.ts';
import { audit, limitChanges } from './guard/audit.ts';
import { clientAddress } from './guard/client.ts';
import { noStore, secureHeaders } from './guard/headers.ts';
import { createRateLimit, rateLimit } from './guard/rate-limit.ts';
import { checkCsrf, checkHost, limitBody, requestHeader } from './guard/requests.ts';
import { pageRoutes, type Started, startedElsewhere } from './page.ts';
import { ApiError, notFound, problemResponse } from './problems.ts';
import { artefactRoutes } from './routes/artefacts.ts';
import { clusterRoutes } from './routes/clusters.ts';
import { eventRoutes } from './routes/events.ts';
import { networkRoutes } from './routes/network.ts';
import { oidcRoutes } from './routes/oidc.ts';
import { healthRoutes, platformRoutes } from './routes/platform.ts';
import { resourceRoutes } from './routes/resources.ts';
import { sessionRoutes } from './routes/session.ts';

export interface ApiOptions {
  readonly platform: Platform;
  /** Absent: only the event log tells who did what. */
  readonly audit?: AuditLog;
  readonly auth: AuthOptions;
  /** Names and addresses that it is reached by, besides loopback; without ports. */
  readonly hosts?: readonly string[];
  /** Networks of balancers that say whom they speak for (X-Forwarded-For). */
  readonly trustedProxies?: readonly string[];
  /** Where the built page is. */
  readonly pageDirectory: string;
  /** For the commands that the page shows to people at this machine. */
  readonly started?: Started;
  readonly log?: Log;
  readonly now?: () => number;
}

export interface Api {
  readonly app: ApiRoutes;
  /** People who are not at this machine can sign in. */
  readonly hasLogin: boolean;
  /** An address that signs in whoever opens it first. */
  loginUrl(base: string): string;
}

export function createApi(options: ApiOptions): Api {
  const { platform, auth, log = silentLog, now = Date.now } = options;
  const context: ApiContext = { platform, audit: options.audit, log, now };
  const authenticator = createAuthenticator(auth, path.resolve(platform.view().directory), now);
  const app = newRoutes();
  app.onError((error, c) => problemResponse(c, error, log));
  app.notFound((c) => problemResponse(c, notFound(`such address (${c.req.method})`, 'see /api/openapi.json'), log));
  // Apart from the page, which answers any address, so that methods of the API are told right.
  const routes = newRoutes();
  addRoutes(routes, context, auth, authenticator);
  guard(app, routes, options, { authenticator, context });
  app.route('/', routes);
  app.all('/api/*', (c) => c.notFound());
  app.route('/', pageRoutes(options.pageDirectory, options.started ?? startedElsewhere));
  return {
    app,
    hasLogin: hasLogin(auth),
    loginUrl: (base) => new URL(`/?token=${authenticator.newLink()}`, base).href,
  };
}

interface Guarded {
  readonly authenticator: Authenticator;
  readonly context: ApiContext;
}

function guard(app: ApiRoutes, routes: ApiRoutes, options: ApiOptions, guarded: Guarded): void {
  const { hosts = [], trustedProxies = [] } = options;
  const { authenticator, context } = guarded;
  const { now } = context;
  app.use(
    clientAddress(trustedProxies.map(parseCidr)),
    secureHeaders,
    noStore,
    checkHost(hosts),
    rateLimit(createRateLimit({ perSecond: 50, burst: 300, now })),
  );
  app.use(methodNotAllowed({ app: routes, onMethodNotAllowed: wrongMethod }));
  app.use('/api/*', audit(context), checkCsrf, authenticator.middleware, limitChanges(now), limitBody);
}

function wrongMethod(_: unknown, methods: readonly string[]): never {
  const allow = methods.join(', ');
  throw new ApiError(405, 'CW-API-METHOD', 'this cannot be done here', `use ${allow}`, { headers: { allow } });
}

function addRoutes(app: ApiRoutes, context: ApiContext, auth: AuthOptions, authenticator: Authenticator): void {
  const routes = [
    platformRoutes(context),
    clusterRoutes(context),
    networkRoutes(context),
    artefactRoutes(context),
    resourceRoutes(context),
    eventRoutes(context, authenticator),
    sessionRoutes(context, { auth, authenticator }),
    oidcRoutes(context, auth, authenticator),
  ];
  for (const group of routes) app.route('/api/v1', group);
  app.route('/', healthRoutes(context));
  let description: OpenApiDocument | undefined;
  app.openapi(descriptionRoute, (c) => {
    description ??= openApiDocument(app);
    return c.json(description, 200);
  });
}

const descriptionRoute = createRoute({
  method: 'get',
  path: '/api/openapi.json',
  tags: ['platform'],
  summary: 'What all routes take and answer; needs no login.',
  ...withoutLogin,
  responses: { 200: json(z.looseObject({}), 'OpenAPI.') },
});

/** What all routes take and answer, without any of them running. */
export const apiDescription = (): OpenApiDocument => openApiDocument(unusedRoutes());

/** All routes, with no platform behind them. */
export function unusedRoutes(): ApiRoutes {
  const platform = { view: () => ({ directory: '' }), memory: new LoadMemory() } as unknown as Platform;
  const app = newRoutes();
  addRoutes(
    app,
    { platform, audit: undefined, log: silentLog, now: Date.now },
    {},
    createAuthenticator({}, '', Date.now),
  );
  return app;
}

// The description of the API, made from the routes themselves.

const info = {
  title: 'Causeway',
  version: 'v1',
  description: `Everything the page shows and does. Requests that change something carry "${requestHeader}: 1" or a bearer token. Roles: a viewer reads everything and gets kubeconfigs for reading; an operator also creates and changes documents, except the Platform and fields that name secrets, files, endpoints, authorities or logins; an admin also changes those, deletes, lets machines join, and gets kubeconfigs of administrators.`,
};

export type OpenApiDocument = ReturnType<ApiRoutes['getOpenAPI31Document']>;

export function openApiDocument(app: ApiRoutes): OpenApiDocument {
  const document = app.getOpenAPI31Document({ openapi: '3.1.0', info });
  return { ...document, components: { ...document.components, securitySchemes } };
}

const securitySchemes = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'causeway-session',
    description:
      'Set by signing in over TLS, with the prefix __Host-. Its name ends with something that tells platforms apart. Without TLS a session is a bearer token.',
  },
  bearer: { type: 'http', scheme: 'bearer' },
} as const;
