// Dials of one link: how many there are at a time, what went wrong last, and the end of all of them at once.
import type { HostPort } from '../host-port.ts';
import type { LinkHost } from './link.ts';
import type { DialDone, DialledConnection } from './transport.ts';

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
