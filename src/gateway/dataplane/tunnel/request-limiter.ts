// How often one tunnel may ask for connections, and how often in vain. A peer without good credentials is closed after a few
// refusals: it costs a new connection to go on. Agents ask in vain now and then; a flood does nothing else.
import { TokenBucket } from '../token-bucket.ts';

/** Of a tunnel that has not authenticated: an agent with a wrong token shows it, and asks a few times. */
export const unauthenticatedRefusals = 8;
/** Of an authenticated tunnel. */
export const refusalsPerSecond = 100;
/** More than one agent has connections to open, and less than what keeps a worker busy. */
export const opensPerSecond = 5000;
/**
 * How long a tunnel that was shut out stays connected, unread: closed at once it would only come back. Up to three times as
 * long, so that many that were shut out together do not come back together.
 */
const delayedCloseMs = 1000;
export const closeDelayMs = (): number => delayedCloseMs * (1 + 2 * Math.random());

export class RequestLimiter {
  readonly #clock: () => number;
  #left = unauthenticatedRefusals;
  #refusals: TokenBucket | undefined;
  #opens: TokenBucket | undefined;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  setAuthenticated(): void {
    this.#refusals ??= new TokenBucket(refusalsPerSecond, this.#clock());
  }

  /** False: more than the tunnel may ask for. */
  takeOpen(): boolean {
    const now = this.#clock();
    this.#opens ??= new TokenBucket(opensPerSecond, now);
    return this.#opens.take(now);
  }

  /** False: that was one refusal too many, the tunnel is to be closed. */
  takeRefusal(): boolean {
    if (this.#refusals !== undefined) return this.#refusals.take(this.#clock());
    this.#left -= 1;
    return this.#left > 0;
  }
}
