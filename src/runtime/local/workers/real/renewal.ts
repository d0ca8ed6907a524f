// Has something done again before it ends: with a third of its time left for whatever may go wrong, and soon again when
// something did. The clock is looked at often, because one long timer would sleep as long as the machine does.
import type { Log } from '../../../../net/log.ts';

const lookMs = 1_000;
/** After an attempt that failed. */
const againMs = 10_000;

export class Renewal {
  readonly #log: Log;
  readonly #now: () => number;
  #dueAt = Number.POSITIVE_INFINITY;
  #renew: () => Promise<void> = async () => {};
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Log, now: () => number = Date.now) {
    this.#log = log;
    this.#now = now;
  }

  before(ends: number, renew: () => Promise<void>): void {
    const now = this.#now();
    this.#dueAt = now + ((ends - now) * 2) / 3;
    this.#renew = renew;
    this.#timer ??= setInterval(() => void this.look(), lookMs).unref();
  }

  async look(): Promise<void> {
    if (this.#now() < this.#dueAt) return;
    this.#dueAt = this.#now() + againMs;
    await this.#renew().catch((error: Error) => this.#log.warn(error.message));
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#dueAt = Number.POSITIVE_INFINITY;
  }
}
