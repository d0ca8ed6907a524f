// Everything that goes wrong, as one shape: code, what happened, what to do about it.

import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { CausewayError } from '../core/errors.ts';
import type { Finding } from '../model/index.ts';
import type { Log } from '../sys/log.ts';
import type { Problem } from './schema/common.ts';
import { shownFinding } from './views/documents.ts';

export class ApiError extends CausewayError {
  readonly status: ContentfulStatusCode;
  readonly findings: readonly Finding[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: ContentfulStatusCode, code: string, message: string, fix: string, more: ApiErrorMore = {}) {
    super(code, message, fix);
    this.status = status;
    this.findings = more.findings;
    this.headers = more.headers ?? {};
  }
}
interface ApiErrorMore {
  readonly findings?: readonly Finding[];
  readonly headers?: Readonly<Record<string, string>>;
}

export const notFound = (what: string, fix: string): ApiError =>
  new ApiError(404, 'CW-API-NOT-FOUND', `there is no ${what}`, fix);

/** What is not an error for people is a bug: its text stays in the log. */
export function problemResponse(c: Context, error: Error, log: Log): Response {
  const known = asApiError(error);
  if (known === undefined) log.error('a request of the API failed', { path: c.req.path, error: error.stack ?? '' });
  const { status, code, message, fix, findings, headers } = known ?? internal;
  const body: Problem = {
    error: { code, message, fix, ...(findings === undefined ? {} : { findings: findings.map(shownFinding) }) },
  };
  return c.json(body, status, headers);
}

const internal = new ApiError(
  500,
  'CW-API-INTERNAL',
  'something went wrong inside of causeway',
  'try again; its log says more, and an issue with that text helps everybody',
);

function asApiError(error: Error): ApiError | undefined {
  if (error instanceof ApiError) return error;
  // What the platform refuses because of the state it is in.
  if (error instanceof CausewayError) return new ApiError(409, error.code, error.message, error.fix);
  if (!(error instanceof HTTPException)) return undefined;
  const fix = 'send JSON, as /api/openapi.json describes it';
  return new ApiError(
    error.status === 413 ? 413 : 400,
    'CW-API-REQUEST',
    error.message || 'the request cannot be read',
    fix,
  );
}
