// The control socket: what the command line asks a running platform. Only its owner can open it, so it needs no login.

import { chmodSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { CausewayError } from '../../core/errors.ts';
import type { Command } from './backup-commands.ts';

export interface ControlOptions {
  readonly socket: string;
  /** The API, for everything that is not said below. */
  readonly api: RequestListener;
  /** An address of the page that lets one person in once. */
  link(): string;
  /** Answers at once; the platform ends afterwards. */
  stop(): void;
  /** Into the audit log: what the API does not see. */
  audit?(what: string, status: number): void;
  /** Backups. */
  readonly command?: Command;
}

export interface ControlServer {
  close(): Promise<void>;
}

/** The directory is claimed already, so a socket that is there is left over from somebody who was killed. */
export async function serveControl(options: ControlOptions): Promise<ControlServer> {
  rmSync(options.socket, { force: true });
  const server = createServer((request, response) => answer(options, request, response));
  const before = process.umask(0o177);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.socket, resolve);
    process.umask(before);
  });
  chmodSync(options.socket, 0o600);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(options: ControlOptions, request: IncomingMessage, response: ServerResponse): void {
  const { api, link, stop, audit } = options;
  if (request.url?.startsWith('/control/') && request.method !== 'GET')
    response.once('close', () => {
      const what = `${request.method} ${request.url}`.slice(0, 300);
      audit?.(what, response.statusCode);
    });
  switch (`${request.method} ${request.url}`) {
    case 'POST /control/link':
      json(response, { url: link() });
      break;
    case 'POST /control/stop':
      json(response, { stopping: true });
      response.once('finish', stop);
      break;
    default:
      if (request.url?.startsWith('/control/clusters/')) void commanded(options, request, response);
      else api(request, response);
  }
}

/** Mistakes are told as the API tells them. */
async function commanded(
  { command }: ControlOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const answered = command?.(request.method ?? '', request.url ?? '', await text(request));
    json(response, (await answered) ?? {}, answered === undefined ? 404 : 200);
  } catch (error) {
    const { code = 'CW-UP-FAILED', message, fix = 'see the log of the platform' } = error as CausewayError;
    json(response, { error: { code, message, fix } }, 500);
  }
}

function json(response: ServerResponse, value: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(value));
}
