// HTTP requests to an API server. Short requests share kept connections; each watch has a connection of its own, so that
// watches never keep a request waiting.

import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as requestPlain } from 'node:http';
import { Agent, type RequestOptions, request as requestSecure } from 'node:https';
import type { Duplex } from 'node:stream';
import { CausewayError } from '../core/errors.ts';
import { refusalOf, unreachable } from './errors.ts';

/** PEM. */
export interface TlsMaterial {
  readonly ca: string;
  readonly cert?: string;
  readonly key?: string;
}

/** Opens a connection to the API server, TLS included: through a proxy, or from another vantage. */
export type Dial = (signal: AbortSignal) => Promise<Duplex>;

interface Identity {
  /** A function is asked at each request, so that a token that was renewed is used at once. */
  readonly token?: string | (() => string);
  /** Until a request is answered; not for watches. @default longer than the API server's own limit of a minute */
  readonly timeoutMs?: number;
}

interface Direct extends Identity {
  /** https://host:port */
  readonly server: string;
  /** Name to send and to look for, where it is not the host of `server`. */
  readonly serverName?: string;
}

/** `reload` is asked at each request: what was renewed is shown by the next connection. */
export type DirectAccess = Direct & (TlsMaterial | { readonly reload: () => TlsMaterial });

export interface DialledAccess extends Identity {
  /** For messages, and for the Host header. */
  readonly server: string;
  readonly dial: Dial;
}

export type KubeAccess = DirectAccess | DialledAccess;

export interface Question {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly signal?: AbortSignal;
}

export interface Transport {
  ask(question: Question): Promise<unknown>;
  /** A response whose body goes on until somebody ends it. Whoever asked reads or destroys it. */
  stream(path: string, signal: AbortSignal): Promise<IncomingMessage>;
  close(): void;
}

type Send = (options: RequestOptions, signal: AbortSignal) => Promise<ClientRequest>;

export function createTransport(access: KubeAccess): Transport {
  const { server, token, timeoutMs = 70_000 } = access;
  const kept = new Agent({ keepAlive: true, maxSockets: 8 });
  const watches = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  const open = 'dial' in access ? overDial(access) : overAgent(access);

  const headersOf = (): Record<string, string> => {
    const text = typeof token === 'function' ? token() : token;
    return { accept: 'application/json', ...(text === undefined ? {} : { authorization: `Bearer ${text}` }) };
  };

  async function ask({ method, path, body, contentType = 'application/json', signal }: Question): Promise<unknown> {
    const limit = AbortSignal.timeout(timeoutMs);
    const headers = { ...headersOf(), ...(body === undefined ? {} : { 'content-type': contentType }) };
    const both = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    try {
      const response = await exchange(open, { method, path, headers, agent: kept }, both, body);
      const text = await textOf(response);
      if ((response.statusCode ?? 0) >= 300) throw refusalOf(`${method} ${pathname(path)}`, response, text);
      return text === '' ? undefined : JSON.parse(text);
    } catch (error) {
      throw limit.aborted ? unreachable(server, new Error(`no answer within ${timeoutMs / 1000} s`)) : explained(error);
    }
  }

  async function stream(path: string, signal: AbortSignal): Promise<IncomingMessage> {
    try {
      const options = { method: 'GET', path, headers: headersOf(), agent: watches };
      const response = await exchange(open, options, signal);
      if (response.statusCode === 200) return response;
      throw refusalOf(`watch ${pathname(path)}`, response, await textOf(response));
    } catch (error) {
      throw explained(error);
    }
  }

  const explained = (error: unknown): Error =>
    error instanceof CausewayError ? error : unreachable(server, error as NodeJS.ErrnoException);

  const close = (): void => {
    kept.destroy();
    watches.destroy();
  };
  return { ask, stream, close };
}

const pathname = (path: string): string | undefined => path.split('?')[0];

/** Pooled by certificate: a connection that shows an old one is not used again. */
function overAgent(access: DirectAccess): Send {
  const { hostname, port } = new URL(access.server);
  const address = { host: hostname.replace(/^\[|\]$/g, ''), port: port || 443, servername: access.serverName };
  const material = (): TlsMaterial => ('reload' in access ? access.reload() : access);
  return async (options, signal) => {
    const { ca, cert, key } = material();
    return requestSecure({ ...address, ca, cert, key, ...options, signal });
  };
}

/** One connection for each request: one that cannot be opened says which step of the way failed. */
function overDial({ server, dial }: DialledAccess): Send {
  const { host } = new URL(server);
  return async ({ agent: _, headers, ...options }, signal) => {
    const connection = await dial(signal);
    const createConnection = (): Duplex => connection;
    const outgoing = requestPlain({ ...options, headers: { host, ...headers }, signal, createConnection });
    return outgoing.once('close', () => connection.destroy());
  };
}

async function exchange(
  open: Send,
  options: RequestOptions,
  signal: AbortSignal,
  body?: unknown,
): Promise<IncomingMessage> {
  const outgoing = await open(options, signal);
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve);
    // Also after the response has come: what is lost then is told by the response.
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  return Buffer.concat(await response.toArray()).toString();
}
