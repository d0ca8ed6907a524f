// One gateway as seen by the transport.
import type { HostPort } from '../../core/host-port.ts';
import type { Wire } from '../wire/wire.ts';
import type { DialDone, Dialer, DialledConnection, GatewayState, Timing } from './transport.ts';

export interface Link {
  readonly state: GatewayState;
  /** A connection right now, or undefined where that takes a `connect` first. */
  take(authority: string): Wire | undefined;
  /** Makes room for one connection; `done` is called once, never before this returns. */
  connect(done: (error: Error | undefined) => void): void;
  /** To be called every `tickMs`. */
  tick(now: number): void;
  close(): void;
}

export const tickMs = 250;

export interface LinkHost {
  readonly dialer: Dialer;
  readonly timing: Timing;
  readonly credentials: () => string | undefined;
  readonly random: () => number;
  /** `take` may answer again. */
  ready(): void;
  changed(): void;
}

export type MakeLink = (address: HostPort, host: LinkHost) => Link;

// Dials of one link: how many there are at a time, what went wrong last, and the end of all of them at once.

interface Attempt {
  readonly done: DialDone;
  cancel: () => void;
}

export class LinkDial {
  readonly address: HostPort;
  readonly #host: LinkHost;
  readonly #attempts = new Set<Attempt>();
  /** What went wrong last. */
  problem: string | undefined;

  constructor(address: HostPort, host: LinkHost) {
    this.address = address;
    this.#host = host;
  }

  begin(done: DialDone): void {
    const attempt: Attempt = { done, cancel: () => {} };
    this.#attempts.add(attempt);
    attempt.cancel = this.#host.dialer(this.address, (error, connection) => this.#finish(attempt, error, connection));
  }
  #finish(attempt: Attempt, error: Error | undefined, connection: DialledConnection | undefined): void {
    if (!this.#attempts.delete(attempt)) {
      connection?.wire.destroy();
      return;
    }
    if (connection === undefined) this.problem = error?.message ?? 'The gateway cannot be reached.';
    attempt.done(error ?? (connection === undefined ? new Error(this.problem) : undefined), connection);
  }

  /** Ends all attempts; whoever waits for one gets the error. */
  abandon(error: Error): void {
    this.problem = error.message;
    const attempts = [...this.#attempts];
    this.#attempts.clear();
    for (const attempt of attempts) {
      attempt.cancel();
      attempt.done(error);
    }
  }
}
