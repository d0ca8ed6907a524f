// How many streams a peer may open and take back. Agents do it now and then; a flood does nothing else.

export interface ResetLimits {
  readonly burst: number;
  readonly perSecond: number;
}

export const ofOneTunnel: ResetLimits = { burst: 1000, perSecond: 100 };
/** A flood by many tunnels, each within its own budget. */
export const ofAllTunnels: ResetLimits = { burst: 2000, perSecond: 500 };
/** From here on a tunnel takes part in a flood: its requests wait a moment, to see whether they are taken back at once. */
const suspicious = 50;

export class ResetLimiter {
  readonly #limits: ResetLimits;
  readonly #now: () => number;
  /** Of all tunnels together. */
  readonly #shared: ResetLimiter | undefined;
  #spent = 0;
  #at: number;

  constructor(limits: ResetLimits, now: () => number, shared?: ResetLimiter) {
    this.#limits = limits;
    this.#now = now;
    this.#shared = shared;
    this.#at = now();
  }

  /** False: that was one too many. Whoever only takes back now and then does not pay for a flood of others. */
  spend(): boolean {
    const { burst, perSecond } = this.#limits;
    const now = this.#now();
    this.#spent = Math.min(burst, Math.max(0, this.#spent - ((now - this.#at) / 1000) * perSecond)) + 1;
    this.#at = now;
    const allHave = this.#shared?.spend() ?? true;
    return this.#spent <= burst && (allHave || !this.isSuspicious);
  }
  get isSuspicious(): boolean {
    return this.#spent > suspicious;
  }
}
