// Control planes that something else runs: all we can see of them is who answers, and with which certificate.
import { connect, createSecureContext, type SecureContext } from 'node:tls';
import { parseHostPort } from '../../core/host-port.ts';
import { connectHost, TimedOut, withDeadline } from '../../net/proxy-dial/index.ts';
import { thisMachine, type Vantage, type Wire } from '../../net/wire/index.ts';
import { isTrue, type Verdict, verdictFalse, verdictTrue } from '../../reconcile/index.ts';

export interface ExternalTarget {
  readonly name: string;
  readonly backends: readonly string[];
  readonly serverName?: string;
}

const everyMs = 10_000;
/** Looked at side by side: one that does not answer holds up few others. */
const concurrency = 16;
/** After looking at all of them it rests for so many times as long: many of them must not keep this machine busy. */
const restFactor = 4;
const answerMs = 5000;
const soonMs = 14 * 24 * 3_600_000;

export class ExternalWatch {
  readonly #changed: () => void;
  readonly #vantage: Vantage;
  readonly #seen = new Map<string, Verdict>();
  /** Another one whenever something else is seen. */
  version = 0;
  #targets: readonly ExternalTarget[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** API servers are looked at from the vantage. */
  constructor(changed: () => void, vantage: Vantage = thisMachine) {
    this.#changed = changed;
    this.#vantage = vantage;
  }

  get(name: string): Verdict | undefined {
    return this.#seen.get(name);
  }

  /** Those that nobody looked at yet come first. */
  want(targets: readonly ExternalTarget[]): void {
    const names = new Set(targets.map(({ name }) => name));
    for (const name of this.#seen.keys()) if (!names.has(name)) this.#seen.delete(name);
    const isNew = ({ name }: ExternalTarget): boolean => !this.#seen.has(name);
    this.#targets = [...targets.filter(isNew), ...targets.filter((target) => !isNew(target))];
    clearTimeout(this.#timer);
    if (targets.length > 0) void this.#look();
  }

  stop(): void {
    this.#targets = [];
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    const [targets, began] = [this.#targets, performance.now()];
    const left = targets.values();
    const worker = async (): Promise<void> => {
      for (const target of left) if (targets === this.#targets) await this.#lookAt(target);
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    if (targets !== this.#targets || targets.length === 0) return;
    const restMs = Math.max(everyMs, (performance.now() - began) * restFactor);
    this.#timer = setTimeout(() => void this.#look(), restMs);
  }

  async #lookAt({ name, backends, serverName }: ExternalTarget): Promise<void> {
    const seen = await Promise.all(backends.map((backend) => handshake(this.#vantage, backend, serverName)));
    const best = seen.find(isTrue) ?? seen[0] ?? verdictFalse('NoBackend', 'it has no backend');
    const before = this.#seen.get(name);
    this.#seen.set(name, best);
    if (before?.status === best.status && before.message === best.message) return;
    this.version += 1;
    this.#changed();
  }
}

/** One for all: to make one takes longer than what it is for. */
let context: SecureContext | undefined;

async function handshake(vantage: Vantage, backend: string, servername: string | undefined): Promise<Verdict> {
  const place = parseHostPort(backend) ?? { host: backend, port: 443 };
  try {
    return await withDeadline(answerMs, undefined, async (signal) => {
      // The deadline is for name, connection and handshake together.
      const wire = await connectHost(vantage, place, 2 * answerMs, signal);
      return judged(backend, await certificateEnd(wire, servername, signal));
    });
  } catch (error) {
    const why = error instanceof TimedOut ? 'it took too long' : (error as Error).message;
    return verdictFalse('NoAnswer', `${backend} does not answer: ${why}`);
  }
}

/** Whose certificate it is does not matter here: clients judge that themselves. */
function certificateEnd(wire: Wire, servername: string | undefined, signal: AbortSignal): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  context ??= createSecureContext({ ca: [] });
  const socket = connect({
    socket: wire.toSocket(),
    secureContext: context,
    rejectUnauthorized: false,
    ...(servername === undefined ? {} : { servername }),
  });
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  socket.on('error', reject);
  socket.once('secureConnect', () => resolve(Date.parse(socket.getPeerCertificate().valid_to)));
  return promise.finally(() => socket.destroy());
}

function judged(backend: string, ends: number): Verdict {
  const left = ends - Date.now();
  if (left <= 0) return verdictFalse('CertificateExpired', `the certificate of ${backend} has expired`);
  if (left < soonMs) return verdictTrue('CertificateEndsSoon', `the certificate of ${backend} ends soon`);
  return verdictTrue('Answers');
}
