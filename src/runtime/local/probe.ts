// Asks a component whether it works, as its clients would.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { createSecureContext } from 'node:tls';
import type { ComponentSpec, ResolvedProbe } from '../../control-plane/index.ts';
import type { Child } from './process.ts';

export interface Answer {
  readonly healthy: boolean;
  /** Why not. */
  readonly why?: string;
  /** Nobody listens there: unlike silence, asking again soon does not help. */
  readonly refused?: boolean;
  /** It lives and says no. */
  readonly answered?: boolean;
}

interface Prober {
  ask(aliveForMs: number): Promise<Answer>;
  close(): void;
}

const timeoutMs = 3000;
/** A new connection now and then: it proves that one can connect, and uses renewed certificates. */
const connectionMs = 30_000;

export function createProber(probe: ResolvedProbe): Prober {
  if (probe.kind === 'http') return httpProber(probe);
  if (probe.kind === 'command') return { ask: () => askedByCommand(probe, timeoutMs), close: () => {} };
  const ask = async (aliveForMs: number): Promise<Answer> =>
    probe.kind === 'tcp' ? connects(probe) : aliveLongEnough(aliveForMs >= probe.ms);
  return { ask, close: () => {} };
}

const aliveLongEnough = (healthy: boolean): Answer =>
  healthy ? { healthy } : { healthy, why: 'it has only just started' };

function connects({ host, port }: Extract<ResolvedProbe, { kind: 'tcp' }>): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port, timeout: timeoutMs });
    const answer = (result: Answer): void => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => answer({ healthy: true }));
    socket.once('timeout', () => answer(silence));
    socket.once('error', (error) => answer(failure(error)));
  });
}

const silence: Answer = { healthy: false, why: `it does not answer within ${timeoutMs / 1000} s` };

function failure(error: Error): Answer {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED') return { healthy: false, why: 'nothing listens on its port yet', refused: true };
  if (code === 'ENOENT') return { healthy: false, why: 'its socket is not there yet', refused: true };
  return { healthy: false, why: message || code || 'it cannot be reached' };
}

type HttpProbe = Extract<ResolvedProbe, { kind: 'http' }>;

function httpProber(probe: HttpProbe): Prober {
  let agent: http.Agent | undefined;
  let madeAt = 0;
  const close = (): void => agent?.destroy();
  const connection = (): http.Agent => {
    if (agent !== undefined && performance.now() - madeAt <= connectionMs) return agent;
    close();
    madeAt = performance.now();
    agent = createAgent(probe);
    return agent;
  };
  const ask = async (): Promise<Answer> => {
    const answer = await requested(probe, connection).catch(failure);
    // Whoever answers no is asked again soon, on the same connection.
    if (!answer.healthy && !answer.answered) close();
    return answer;
  };
  return { ask, close };
}

function createAgent({ url, tls }: HttpProbe): http.Agent {
  const keep = { keepAlive: true, maxSockets: 1 };
  if (!url.startsWith('https:')) return new http.Agent(keep);
  const read = (file: string | undefined): string | undefined => file && readFileSync(file, 'utf8');
  // Made once: with many that are only starting, it would be most of the work of asking.
  const secureContext = createSecureContext({ ca: read(tls?.ca), cert: read(tls?.cert), key: read(tls?.key) });
  return new https.Agent({ ...keep, secureContext, servername: tls?.serverName });
}

async function requested({ url, socketPath }: HttpProbe, connection: () => http.Agent): Promise<Answer> {
  const { request } = url.startsWith('https:') ? https : http;
  const asking = request(url, { socketPath, agent: connection(), signal: AbortSignal.timeout(timeoutMs) });
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  asking.once('response', resolve);
  asking.once('error', reject);
  asking.end();
  try {
    const response = await promise;
    const body = await text(response);
    const { statusCode = 0 } = response;
    if (statusCode >= 200 && statusCode < 300) return { healthy: true };
    return { healthy: false, answered: true, why: `it answers ${statusCode}${failingChecks(body)}` };
  } catch (error) {
    return asking.destroyed && (error as Error).name === 'AbortError' ? silence : failure(error as Error);
  }
}

/** Kubernetes lists its checks, those that fail with [-]. */
function failingChecks(body: string): string {
  const failing = [...body.matchAll(/^\[-\](\S+)/gm)].map(([, check]) => check);
  return failing.length === 0 ? '' : `: ${failing.slice(0, 5).join(', ')} not ready`;
}

/** One run of the program that asks for us. */
export function askedByCommand(
  { file, args }: Extract<ResolvedProbe, { kind: 'command' }>,
  timeoutMs: number,
): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(file, args, { timeout: timeoutMs, killSignal: 'SIGKILL' }, (error, stdout) => {
      if (error === null) return resolve({ healthy: true });
      const [said = ''] = stdout.split('\n');
      const answered = error.code === 1;
      resolve({ healthy: false, answered, why: answered && said !== '' ? said : 'it does not answer' });
    });
  });
}

// From answers to a judgement: one lost answer is no failure, a refused connection is.

const tolerated = 3;

export class HealthProbe {
  readonly #prober: Prober;
  #failures = 0;
  #answeredAt = performance.now();

  constructor({ probe }: ComponentSpec) {
    this.#prober = createProber(probe);
  }

  async ask(child: Child): Promise<Answer> {
    const answer = await this.#prober.ask(child.ageMs);
    this.#failures = answer.healthy ? 0 : this.#failures + 1;
    if (answer.healthy || answer.answered) this.#answeredAt = performance.now();
    return answer;
  }

  /** It worked before, and a single answer is missing. */
  isLapse(answer: Answer): boolean {
    return !answer.healthy && !answer.refused && this.#failures < tolerated;
  }

  get unresponsiveForMs(): number {
    return performance.now() - this.#answeredAt;
  }

  close(): void {
    this.#prober.close();
  }
}
