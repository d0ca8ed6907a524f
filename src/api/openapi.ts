// The description of the API, made from the routes themselves.
import type { ApiRoutes } from './context.ts';
import { requestHeader } from './guard/cross-site.ts';

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
    description: 'Set by signing in. Its name ends with something that tells platforms apart.',
  },
  bearer: { type: 'http', scheme: 'bearer' },
} as const;
