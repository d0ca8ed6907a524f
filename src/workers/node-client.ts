// The API server as a worker sees it: over its own way, through gateway and proxy, with its own credentials. Every request
// has a connection of its own, so one that fails says which step of the way it was.
import { type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { CausewayError } from '../core/errors.ts';
import type { WatchChange, WatchClient } from '../kube/follow.ts';
import { dialRoute } from '../net/proxy-dial/dial-route.ts';
import type { Route } from '../net/proxy-dial/route.ts';
import { duplexOfWire } from '../net/wire/duplex-of-wire.ts';

export interface NodeClient extends WatchClient {
  /** What it answers; rejects with a CausewayError when it cannot be reached or says no. */
  ask<Answer>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Answer>;
}

export interface ClientOptions {
  readonly route: Route;
  /** Absent where a client certificate says who it is. */
  readonly token?: () => string;
}

/** Longer than a slow API server takes, shorter than people wait. */
const answerMs = 15_000;

export function nodeClient(options: ClientOptions): NodeClient {
  return {
    async ask(method, path, body) {
      const response = await send(options, { method, path, body, signal: AbortSignal.timeout(answerMs) });
      const answer = await text(response);
      if ((response.statusCode ?? 500) >= 300) throw refusal(method, path, response, answer);
      return JSON.parse(answer);
    },
    async watch(path, change, signal) {
      const response = await send(options, { method: 'GET', path, signal });
      if (response.statusCode !== 200) throw refusal('watch', path, response, await text(response));
      const lines = createInterface({ input: response, crlfDelay: Number.POSITIVE_INFINITY });
      for await (const line of lines) change(JSON.parse(line) as WatchChange);
    },
  };
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: object | undefined;
  readonly signal: AbortSignal;
}

async function send({ route, token }: ClientOptions, { method, path, body, signal }: Asked): Promise<IncomingMessage> {
  const { wire } = await dialRoute(route, { signal });
  const connection = duplexOfWire(wire);
  const headers = {
    host: route.tls?.serverName ?? route.gateway.host,
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token()}` }),
  };
  return new Promise((resolve, reject) => {
    request({ method, path, headers, signal, createConnection: () => connection }, resolve)
      .once('error', (error) => {
        connection.destroy();
        reject(error);
      })
      .end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** The first line of what the API server says is for people. */
function refusal(verb: string, path: string, { statusCode }: IncomingMessage, answer: string): ApiRefusal {
  const said = /"message":\s*"([^"\n]{1,300})/.exec(answer)?.[1] ?? answer.slice(0, 200);
  return new ApiRefusal(statusCode ?? 500, `the API server answers ${statusCode} to ${verb} ${path}: ${said}`);
}

export class ApiRefusal extends CausewayError {
  readonly status: number;
  constructor(status: number, message: string) {
    super('CW-WORKER-API', message, 'see the log of the API server; credentials of workers are renewed by themselves');
    this.status = status;
  }
}
