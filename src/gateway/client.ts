// A gateway that runs as a program of its own, told and asked by its admin socket.
import { request } from 'node:http';
import { json, text } from 'node:stream/consumers';
import { CausewayError } from '../core/errors.ts';
import { adminRequest } from '../net/index.ts';
import { writePrivate } from '../sys/private-files.ts';
import type { ConnectionView } from './engine.ts';
import type { Snapshot } from './snapshot/index.ts';
import type { GatewayReport, Refusal } from './supervisor/admin-routes.ts';

export interface GatewayClient {
  /** Undefined while nobody listens; rejects where it does not answer. */
  report(): Promise<GatewayReport | undefined>;
  /** Resolves when it is in force; rejects, and changes nothing, when it is refused. */
  apply(snapshot: Snapshot): Promise<void>;
  connections(cluster: string | undefined): Promise<ConnectionView[]>;
  reloadCertificate(): Promise<void>;
  /** Resolves with the number of the process that serves now. */
  upgrade(): Promise<number>;
}

export interface GatewayPlace {
  /** Path of its admin socket. */
  readonly socket: string;
  /** What it runs by. */
  readonly snapshotFile: string;
  /** A worker that takes longer is given up by the gateway itself. @default 30000 */
  readonly timeoutMs?: number;
}

/** A new process has a minute to take over. */
const upgradeMs = 70_000;

export function gatewayClient({ socket, snapshotFile, timeoutMs = 30_000 }: GatewayPlace): GatewayClient {
  const ask = <Answer>(method: 'GET' | 'POST', path: string, withinMs = timeoutMs): Promise<Answer> =>
    asked<Answer>(socket, method, path, withinMs);
  return {
    report: () =>
      ask<GatewayReport>('GET', '/status').catch((error: Error) => {
        if (isAbsent(error.cause)) return undefined;
        throw error;
      }),
    async apply(snapshot) {
      writePrivate(`${snapshotFile}.next`, JSON.stringify(snapshot));
      await ask('POST', '/apply');
    },
    async connections(cluster) {
      const query = cluster === undefined ? '' : `?${new URLSearchParams({ cluster })}`;
      return (await ask<{ connections: ConnectionView[] }>('GET', `/connections${query}`)).connections;
    },
    async reloadCertificate() {
      await ask('POST', '/certificate');
    },
    upgrade: async () => (await ask<{ pid: number }>('POST', '/upgrade', upgradeMs)).pid,
  };
}

async function asked<Answer>(socket: string, method: string, path: string, withinMs: number): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const options = {
    ...adminRequest({ path: socket }),
    method,
    path,
    agent: false,
    signal: AbortSignal.timeout(withinMs),
  };
  request(options, (response) => {
    const { statusCode = 0 } = response;
    if (statusCode === 200) json(response).then((answer) => resolve(answer as Answer), reject);
    else if (statusCode === 409) json(response).then((answer) => reject(refused(answer as Refusal)), reject);
    else text(response).then((why) => reject(new Error(`the gateway answers ${statusCode}: ${why.trim()}`)), reject);
  })
    .once('error', (error) => reject(noAnswer(error)))
    .end();
  return promise;
}

const refused = ({ code, message, fix }: Refusal): CausewayError => new CausewayError(code, message, fix);

/** Somebody listens, and did not say a word in time. */
export const isSilence = (error: unknown): boolean =>
  error instanceof Error && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ABORT_ERR';

const isAbsent = (cause: unknown): boolean =>
  ['ENOENT', 'ECONNREFUSED'].includes((cause as NodeJS.ErrnoException | undefined)?.code ?? '');

function noAnswer(cause: Error): CausewayError {
  const error = new CausewayError(
    'CW-GATEWAY-SILENT',
    `the process of the gateway does not answer: ${cause.message}`,
    'it is started again by itself; "causeway logs" with the name of the gateway shows what it says',
  );
  error.cause = cause;
  return error;
}
