// One HTTPS request to an API server, over connections that are kept.
import type { IncomingMessage } from 'node:http';
import { Agent, type RequestOptions, request } from 'node:https';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { refusalOf, unreachable } from './errors.ts';

export interface KubeAccess {
  /** https://host:port */
  readonly server: string;
  /** PEM. */
  readonly ca: string;
  readonly cert?: string;
  readonly key?: string;
  readonly token?: string;
  /** Name to send and to look for, where it is not the host of `server`. */
  readonly serverName?: string;
}

export interface Question {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
}

export interface Transport {
  ask(question: Question): Promise<unknown>;
  /** Calls for each line of the answer until it ends or the signal comes. */
  lines(path: string, line: (text: string) => void, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Longer than the API server's own limit of a minute. */
const patienceMs = 70_000;

export function createTransport({ server, ca, cert, key, token, serverName }: KubeAccess): Transport {
  const { hostname, port } = new URL(server);
  const agent = new Agent({ keepAlive: true, maxSockets: 8, ca, cert, key, servername: serverName });
  const address = { host: hostname.replace(/^\[|\]$/g, ''), port: port || 443, agent, timeout: patienceMs };
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };

  async function ask(question: Question): Promise<unknown> {
    const { method, path, body, contentType = 'application/json' } = question;
    const headers = { accept: 'application/json', ...authorization, ...(body ? { 'content-type': contentType } : {}) };
    const answer = await exchange(server, { ...address, method, path, headers }, body);
    if (answer.status >= 300) throw refusalOf(`${method} ${path.split('?')[0]}`, answer.status, answer.text);
    return answer.text === '' ? undefined : JSON.parse(answer.text);
  }

  async function lines(path: string, line: (text: string) => void, signal: AbortSignal): Promise<void> {
    const headers = { accept: 'application/json', ...authorization };
    const response = await opened(server, { ...address, method: 'GET', path, headers, signal });
    if (response.statusCode !== 200) throw refusalOf(`watch ${path}`, response.statusCode ?? 0, await text(response));
    for await (const one of createInterface({ input: response, crlfDelay: Number.POSITIVE_INFINITY })) line(one);
  }

  return { ask, lines, close: () => agent.destroy() };
}

function opened(server: string, options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(options, resolve);
    outgoing.on('error', (error) => reject(unreachable(server, error)));
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${patienceMs / 1000} s`)));
    outgoing.end();
  });
}

function exchange(server: string, options: RequestOptions, body: unknown): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(unreachable(server, error));
    const outgoing = request(options, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
      response.on('error', fail);
    });
    outgoing.on('error', fail);
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${patienceMs / 1000} s`)));
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
