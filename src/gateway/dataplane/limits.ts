// Limits of one cluster, counted by several workers that tell each other now and then what they did.
//
// Every worker knows its own numbers exactly and the others' as of the last exchange. Between two exchanges the others
// are blind to what it admits, so all workers together admit at most as many too many as (workers - 1) of them admit in
// one interval. A single worker is exact. Debts stay: what was too fast in one interval is missing in the next.
import { TokenBucket } from './token-bucket.ts';

export type LimitRefusal = 'too-many-connections' | 'too-fast';
/** Open connections, and connections admitted since the last report. */
export type LimitCount = readonly [open: number, admitted: number];

export class Limits {
  #maxConnections = Number.POSITIVE_INFINITY;
  #open = 0;
  #othersOpen = 0;
  /** Of new connections per second; absent where they are not limited. */
  #rate: TokenBucket | undefined;
  #admitted = 0;
  #reportedOpen = 0;

  get open(): number {
    return this.#open;
  }
  get limited(): boolean {
    return this.#maxConnections !== Number.POSITIVE_INFINITY || this.#rate !== undefined;
  }

  /** Infinity: no limit. Connections that are open already stay, even if there are too many of them now. */
  configure(maxConnections: number, perSecond: number, now: number): void {
    this.#maxConnections = maxConnections;
    if (perSecond === Number.POSITIVE_INFINITY) this.#rate = undefined;
    else if (this.#rate !== undefined) this.#rate.setRate(perSecond, now);
    else {
      this.#rate = new TokenBucket(perSecond, now);
      // What was admitted without a limit is nobody's debt.
      this.#admitted = 0;
    }
  }

  /** Counts the connection as open unless it answers why not. */
  admit(now: number): LimitRefusal | undefined {
    if (this.#open + this.#othersOpen >= this.#maxConnections) return 'too-many-connections';
    if (this.#rate !== undefined && !this.#rate.take(now)) return 'too-fast';
    this.#open += 1;
    this.#admitted += 1;
    return undefined;
  }

  release(): void {
    this.#open -= 1;
  }

  /** What the others must know; nothing where nothing happened. */
  report(): LimitCount | undefined {
    if (this.#admitted === 0 && this.#open === this.#reportedOpen) return undefined;
    const count: LimitCount = [this.#open, this.#admitted];
    this.#reportedOpen = this.#open;
    this.#admitted = 0;
    return count;
  }

  /** `open` of all other workers together; `admitted` by them since they were last told of. */
  others([open, admitted]: LimitCount): void {
    this.#othersOpen = open;
    this.#rate?.debit(admitted);
  }
}
