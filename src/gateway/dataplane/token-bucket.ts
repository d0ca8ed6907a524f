// A token bucket: it is refilled at a steady rate, one second's worth at most, and whoever passes takes a token. The clock is
// the caller's.

export class TokenBucket {
  #perSecond: number;
  #tokens: number;
  #refilledAt: number;

  /** Full. */
  constructor(perSecond: number, now: number) {
    this.#perSecond = perSecond;
    this.#tokens = perSecond;
    this.#refilledAt = now;
  }

  /** What was taken stays taken. */
  setRate(perSecond: number, now: number): void {
    if (perSecond === this.#perSecond) return;
    this.#perSecond = perSecond;
    this.#tokens = Math.min(this.#tokens, perSecond);
    this.#refilledAt = now;
  }

  /** False: it is empty, and nothing was taken. */
  take(now: number): boolean {
    const elapsed = Math.max(0, now - this.#refilledAt);
    this.#refilledAt = now;
    this.#tokens = Math.min(this.#perSecond, this.#tokens + (elapsed / 1000) * this.#perSecond);
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Takes what was used elsewhere, and leaves a debt where there are not enough tokens. */
  debit(count: number): void {
    this.#tokens -= count;
  }
}
