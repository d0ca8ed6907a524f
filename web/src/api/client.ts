// The client of the API: JSON in, JSON out, and errors that a person can read.
import { session } from './session.ts';
import type { ApiFinding } from './types.ts';

const apiBase = '/api/v1';

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fix: string;
  readonly findings: readonly ApiFinding[];

  constructor(status: number, body: { code: string; message: string; fix: string; findings?: readonly ApiFinding[] }) {
    super(body.message);
    this.name = 'ApiError';
    this.status = status;
    this.code = body.code;
    this.fix = body.fix;
    this.findings = body.findings ?? [];
  }
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export function apiUrl(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return `${apiBase}${path}${search === '' ? '' : `?${search}`}`;
}

export interface Answer<Body> {
  readonly body: Body;
  readonly etag: string | null;
}

export async function ask<Body>(path: string, query?: Query, init?: Init): Promise<Answer<Body>> {
  const response = await answerTo(path, query, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return { body: (isJson ? JSON.parse(text) : text) as Body, etag: response.headers.get('etag') };
}

export const get = async <Body>(path: string, query?: Query): Promise<Body> => (await ask<Body>(path, query)).body;

/** A file of the platform, to keep. */
export const download = async (path: string): Promise<Blob> => (await answerTo(path)).blob();

/** Text as it comes, for as long as the signal lets it. */
export async function stream(path: string, query: Query, init: Init): Promise<AsyncIterable<string>> {
  const { body } = await answerTo(path, query, init);
  return body === null ? empty() : body.pipeThrough(new TextDecoderStream());
}
async function* empty(): AsyncGenerator<string> {}

export const send = <Body>(method: 'POST' | 'PUT' | 'DELETE', path: string, options: SendOptions = {}) =>
  ask<Body>(path, options.query, {
    method,
    headers: {
      // What another page cannot send without asking: the API changes nothing without it.
      'x-causeway-request': '1',
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.ifMatch === undefined ? {} : { 'if-match': options.ifMatch }),
      ...(options.isNew === true ? { 'if-none-match': '*' } : {}),
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });

export interface SendOptions {
  readonly query?: Query;
  readonly body?: unknown;
  /** The ETag that was read: a change by somebody else meanwhile is then refused instead of overwritten. */
  readonly ifMatch?: string;
  /** It is to be created: refused where there is one of this name. */
  readonly isNew?: boolean;
  readonly signal?: AbortSignal;
}

interface Init extends RequestInit {
  readonly headers?: Readonly<Record<string, string>>;
}

async function answerTo(path: string, query?: Query, init: Init = {}): Promise<Response> {
  const response = await asKnown(apiUrl(path, query), init);
  if (response.ok) return response;
  throw await errorOf(response);
}

/** With the session of this page. One that has ended is forgotten, and where there is none another tab may have one. */
async function asKnown(url: string, init: Init): Promise<Response> {
  const token = session().token();
  const response = await reach(url, init, token);
  if (response.status !== 401) return response;
  const why = response.headers.get('www-authenticate') ?? '';
  const hasEnded = token !== undefined && why.includes('invalid_token');
  if (hasEnded) session().end(token);
  else if (token !== undefined || !why.includes('realm')) return response;
  const isThere = await session().askOthers();
  return isThere || hasEnded ? reach(url, init, session().token()) : response;
}

async function reach(url: string, init: Init, token: string | undefined): Promise<Response> {
  const headers = { accept: 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  try {
    return await fetch(url, { ...init, headers: { ...headers, ...init.headers } });
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new ApiError(0, {
      code: 'CW-PAGE-OFFLINE',
      message: 'The platform does not answer.',
      fix: 'See whether `causeway up` still runs; this page goes on by itself when it does.',
    });
  }
}

async function errorOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined);
  const error = (body as { error?: { code: string; message: string; fix: string } } | undefined)?.error;
  return new ApiError(
    response.status,
    error ?? {
      code: `HTTP-${response.status}`,
      message: `The platform answered with ${response.status} ${response.statusText}.`,
      fix: 'Look at the log of `causeway up`.',
    },
  );
}
