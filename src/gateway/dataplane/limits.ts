// Limits of one cluster, counted by several workers that tell each other now and then what they did.
//
// Every worker knows its own numbers exactly and the others' as of the last exchange. Between two exchanges the others
// are blind to what it admits, so all workers together admit at most as many too many as (workers - 1) of them admit in
// one interval. A single worker is exact. Debts stay: what was too fast in one interval is missing in the next.

export type LimitRefusal = 'too-many-connections' | 'too-fast';
/** Open connections, and connections admitted since the last report. */
export type LimitCount = readonly [open: number, admitted: number];

export class Limits {
  #maxConnections = Number.POSITIVE_INFINITY;
  #perSecond = Number.POSITIVE_INFINITY;
  #open = 0;
  #othersOpen = 0;
  /** Admissions that are still free: refilled over time, one second's worth at most. */
  #tokens = 0;
  #refilledAt = 0;
  #admitted = 0;
  #reportedOpen = 0;

  get open(): number {
    return this.#open;
  }
  get limited(): boolean {
    return this.#maxConnections !== Number.POSITIVE_INFINITY || this.#perSecond !== Number.POSITIVE_INFINITY;
  }

  /** Infinity: no limit. Connections that are open already stay, even if there are too many of them now. */
  configure(maxConnections: number, perSecond: number, now: number): void {
    this.#maxConnections = maxConnections;
    const before = this.#perSecond;
    this.#perSecond = perSecond;
    if (perSecond === before || perSecond === Number.POSITIVE_INFINITY) return;
    const fresh = before === Number.POSITIVE_INFINITY;
    this.#tokens = fresh ? perSecond : Math.min(this.#tokens, perSecond);
    this.#refilledAt = now;
    // What was admitted without a limit is nobody's debt.
    if (fresh) this.#admitted = 0;
  }

  /** Counts the connection as open unless it answers why not. */
  admit(now: number): LimitRefusal | undefined {
    if (this.#open + this.#othersOpen >= this.#maxConnections) return 'too-many-connections';
    if (this.#perSecond !== Number.POSITIVE_INFINITY) {
      this.#refill(now);
      if (this.#tokens < 1) return 'too-fast';
      this.#tokens -= 1;
    }
    this.#open += 1;
    this.#admitted += 1;
    return undefined;
  }
  #refill(now: number): void {
    const elapsed = Math.max(0, now - this.#refilledAt);
    this.#refilledAt = now;
    this.#tokens = Math.min(this.#perSecond, this.#tokens + (elapsed / 1000) * this.#perSecond);
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
    if (this.#perSecond !== Number.POSITIVE_INFINITY) this.#tokens -= admitted;
  }
}
