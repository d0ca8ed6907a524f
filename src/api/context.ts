// What the routes of the API share: the platform they show, who asks, and what each route declares about itself.

import { createRoute, OpenAPIHono, type RouteConfig, type z } from '@hono/zod-openapi';
import type { Platform } from '../platform/index.ts';
import type { Log } from '../sys/log.ts';
import type { AuditLog } from './audit-log.ts';
import { type Identity, requireRole } from './auth/rbac.ts';
import { ApiError } from './problems.ts';
import { problem } from './schema/common.ts';

export interface ApiEnv {
  Bindings: {
    /** Of the control socket, which only its owner can open. */
    readonly trusted?: boolean;
    readonly incoming?: { readonly socket: { readonly remoteAddress?: string; readonly encrypted?: boolean } };
  };
  Variables: {
    readonly identity: Identity | undefined;
    /** Address of who is connected (guard/client.ts). */
    readonly client?: string;
  };
}

export interface ApiContext {
  readonly platform: Platform;
  readonly audit: AuditLog | undefined;
  readonly log: Log;
  readonly now: () => number;
}

export type ApiRoutes = OpenAPIHono<ApiEnv>;

export const newRoutes = (): ApiRoutes =>
  new OpenAPIHono<ApiEnv>({
    defaultHook: (result) => {
      if (!result.success) throw badRequest(result.target, result.error.issues);
    },
  });

function badRequest(target: string, issues: readonly z.core.$ZodIssue[]): ApiError {
  const [issue] = issues;
  const field = issue?.path.join('.') ?? '';
  const place = { param: 'the address', query: 'the query', header: 'the headers', json: 'the body' }[target] ?? target;
  const message = `${field === '' ? place : `"${field.slice(0, 80)}" in ${place}`} cannot be used: ${issue?.message}`;
  // What the published schema cannot say, as the longest duration, is no error of form.
  const status = issue?.code === 'custom' ? 422 : 400;
  return new ApiError(status, 'CW-API-REQUEST', message, '/api/openapi.json tells what each request takes');
}

export const json = <Schema extends z.ZodType>(schema: Schema, description: string) => ({
  description,
  content: { 'application/json': { schema } },
});

const failure = (description: string) => json(problem, description);
/** What any route may answer instead. */
export const failures = {
  400: failure('The request cannot be read.'),
  401: failure('Nobody is signed in.'),
  403: failure('The role does not allow it, or the request comes from another page.'),
  404: failure('There is no such thing.'),
  409: failure('The state of the platform does not allow it now.'),
  422: failure('A value is well formed and not allowed.'),
  429: failure('Too many requests.'),
} as const;
/** And any route that takes a body. */
export const bodyFailures = {
  ...failures,
  411: failure('The request does not say how long its body is.'),
  413: failure('The body has more than 1 MiB.'),
  415: failure('The body is not JSON.'),
} as const;

export const jsonBody = <Schema extends z.ZodType>(schema: Schema) => ({
  required: true,
  content: { 'application/json': { schema } },
});

interface Reading<Path extends string, Schema extends z.ZodType, Asked> {
  readonly tag: string;
  readonly path: Path;
  readonly summary: string;
  readonly answer: Schema;
  readonly request?: Asked;
}

/** A route that only reads: every role may use it. */
export const reading = <const Path extends string, Schema extends z.ZodType, Asked extends RouteConfig['request']>({
  tag,
  path,
  summary,
  answer,
  request,
}: Reading<Path, Schema, Asked>) =>
  createRoute({
    method: 'get',
    path,
    tags: [tag],
    summary,
    ...requireRole('viewer'),
    request: request as Asked,
    responses: { 200: json(answer, summary), ...failures },
  });
