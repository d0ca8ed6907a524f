// A clock that stands still until a test moves it.
import type { Clock } from '../reconciler.ts';

export class FakeClock implements Clock {
  now = 0;
  readonly #timers = new Set<{ readonly at: number; readonly run: () => void }>();

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.now + ms, run };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** How long until each timer, in order. */
  get pending(): number[] {
    return [...this.#timers].map(({ at }) => at - this.now).sort((a, b) => a - b);
  }

  /** Timers that are due run in the order of their times. What they start is awaited by the caller. */
  advance(ms: number): void {
    this.now += ms;
    for (const timer of [...this.#timers].sort((a, b) => a.at - b.at)) {
      if (timer.at > this.now || !this.#timers.delete(timer)) continue;
      timer.run();
    }
  }
}

/** Until all that waits for no timer has been done. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
