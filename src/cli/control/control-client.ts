// Asks the platform that runs on a directory, over its control socket.
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { CausewayError } from '../../core/errors.ts';
import { platformHome } from '../../runtime/local/home.ts';
import { ownControlSocket } from '../../runtime/local/own-path.ts';

export interface ControlClient {
  /** The answer's text; rejects with what the platform said was wrong. */
  ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<string>;
  /** The same with its headers. */
  answer(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<Answer>;
  /** Data of server-sent events, until the platform ends or nobody listens any more. */
  follow(path: string, data: (text: string) => void): Promise<void>;
}

export interface Answer {
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

export function controlClient(directory: string): ControlClient {
  const home = platformHome(directory);
  const send = (method: string, at: string, body?: object): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      // What answers is believed: kubeconfigs and scripts for root come from there.
      if (!ownControlSocket(home)) throw notRunning(directory);
      // Of a Unix socket the name does not matter, but HTTP wants one.
      const headers = {
        host: 'localhost',
        // Whoever asks here means the document as it is now, whatever it was before.
        ...(method === 'DELETE' ? { 'if-match': '*' } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      };
      request({ socketPath: home.controlSocket, method, path: at, headers }, resolve)
        .once('error', (error: NodeJS.ErrnoException) =>
          reject(gone.includes(error.code ?? '') ? notRunning(directory) : error),
        )
        .end(body === undefined ? undefined : JSON.stringify(body));
    });
  const answer: ControlClient['answer'] = async (method, at, body) => {
    const response = await send(method, at, body);
    const answered = await text(response);
    if ((response.statusCode ?? 500) >= 400) throw refusal(answered);
    return { text: answered, headers: response.headers };
  };
  return {
    answer,
    ask: async (method, at, body) => (await answer(method, at, body)).text,
    async follow(at, data) {
      const response = await send('GET', at);
      if (response.statusCode !== 200) throw refusal(await text(response));
      for await (const line of createInterface({ input: response }))
        if (line.startsWith('data:')) data(line.replace(/^data: ?/, ''));
    },
  };
}

/** Nobody has the socket, or whoever had it has just ended. */
const gone = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET'];

export const isNotRunning = (error: unknown): boolean =>
  error instanceof CausewayError && error.code === 'CW-UP-NOT-RUNNING';

function notRunning(directory: string): CausewayError {
  const shown = path.relative(process.cwd(), directory) || '.';
  return new CausewayError(
    'CW-UP-NOT-RUNNING',
    `no platform runs on ${shown}`,
    `start it with "causeway up ${shown}", or name the directory of another one`,
  );
}

function refusal(answer: string): CausewayError {
  try {
    const { error } = JSON.parse(answer) as { error: { code: string; message: string; fix: string } };
    return new CausewayError(error.code, error.message, error.fix);
  } catch {
    return new CausewayError('CW-UP-ANSWER', 'the platform gave an answer that cannot be read', 'see its log');
  }
}
