// From a host name to a TCP connection: every address of the name gets its chance, the next one after a short while.
import { isIP } from 'node:net';
import type { HostPort } from '../../core/host-port.ts';
import type { Dial, Resolve, Vantage } from '../wire/dial.ts';
import type { Wire } from '../wire/wire.ts';

export const addressesOf = (host: string, resolve: Resolve): Promise<readonly string[]> =>
  isIP(host) > 0 ? Promise.resolve([host]) : resolve(host);

/** How long one address may be silent before the next is tried as well (RFC 8305). */
const staggerMs = 250;

type Attempt = (address: string, signal: AbortSignal) => Promise<Wire>;

/** The first connection that stands; the others are called off. Fails with the error of the first address. */
export const connectFirst = (addresses: readonly string[], attempt: Attempt, signal: AbortSignal): Promise<Wire> =>
  new Promise((resolve, reject) => {
    if (addresses.length === 0) reject(Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' }));
    else new Race(addresses, attempt, signal, { won: resolve, lost: reject }).next();
  });

interface Outcome {
  readonly won: (wire: Wire) => void;
  readonly lost: (error: Error) => void;
}

class Race {
  readonly #addresses: Iterator<string>;
  readonly #attempt: Attempt;
  readonly #outcome: Outcome;
  readonly #over = new AbortController();
  #waiting: number;
  #error: Error | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(addresses: readonly string[], attempt: Attempt, signal: AbortSignal, outcome: Outcome) {
    this.#addresses = addresses.values();
    this.#waiting = addresses.length;
    this.#attempt = attempt;
    this.#outcome = outcome;
    signal.addEventListener('abort', () => this.#stop(), { once: true });
  }

  next(): void {
    clearTimeout(this.#timer);
    if (this.#over.signal.aborted) return;
    const { value: address, done } = this.#addresses.next();
    if (done) return;
    this.#attempt(address, this.#over.signal).then(
      (wire) => this.#won(wire),
      (error: Error) => this.#lost(error),
    );
    this.#timer = setTimeout(() => this.next(), staggerMs);
  }

  #won(wire: Wire): void {
    if (this.#over.signal.aborted) {
      wire.destroy();
      return;
    }
    this.#stop();
    this.#outcome.won(wire);
  }

  #lost(error: Error): void {
    this.#error ??= error;
    this.#waiting -= 1;
    if (this.#waiting > 0) this.next();
    else this.#finish(this.#error);
  }

  #finish(error: Error): void {
    this.#stop();
    this.#outcome.lost(error);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#over.abort();
  }
}

export const connectTo =
  (dial: Dial, port: number, timeoutMs: number): Attempt =>
  (address, signal) =>
    new Promise((resolve, reject) => {
      const abandon = dial(address, port, timeoutMs, (error, wire) => {
        signal.removeEventListener('abort', abandon);
        if (wire === undefined) reject(error);
        else resolve(wire);
      });
      signal.addEventListener('abort', abandon, { once: true });
    });

/** Name and connection in one, for those who need not tell the two apart. */
export async function connectHost(
  { dial, resolve }: Vantage,
  { host, port }: HostPort,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Wire> {
  return connectFirst(await addressesOf(host, resolve), connectTo(dial, port, timeoutMs), signal);
}
