// Does one thing again and again: when something changed, when a time has come, and after a failure with growing patience.
// Never twice at once; what is asked for meanwhile is done right after.
import { isDeepStrictEqual } from 'node:util';
import { longestTimer } from '../core/duration.ts';
import type { StepAnswer } from './steps.ts';

export interface StepLoopOptions {
  readonly pass: () => Promise<readonly StepAnswer[]>;
  /** When there is something to do in any case (milliseconds). */
  readonly wakeAt: () => number;
  readonly now: () => number;
}

const firstRetryMs = 500;
const longestRetryMs = 15_000;
/** Somebody may have changed what we made. */
const lookAgainMs = 60_000;

export class StepLoop {
  readonly #options: StepLoopOptions;
  readonly #listeners = new Set<() => void>();
  #answers: readonly StepAnswer[] = [];
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;
  #retryMs = firstRetryMs;

  constructor(options: StepLoopOptions) {
    this.#options = options;
  }

  get answers(): readonly StepAnswer[] {
    return this.#answers;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Now, and waits for a pass that began after this call. */
  async run(): Promise<void> {
    await this.#running;
    this.wake();
    await this.#running;
  }

  wake(): void {
    if (this.#stopped) return;
    if (this.#running !== undefined) {
      this.#again = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#running = this.#work().finally(() => {
      this.#running = undefined;
      this.#next();
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #work(): Promise<void> {
    const before = this.#answers;
    this.#answers = await this.#options.pass();
    const same = isDeepStrictEqual(before, this.#answers);
    this.#retryMs = same ? Math.min(this.#retryMs * 2, longestRetryMs) : firstRetryMs;
    if (!same) for (const listener of this.#listeners) listener();
  }

  #next(): void {
    if (this.#stopped) return;
    if (this.#again) {
      this.#again = false;
      this.wake();
      return;
    }
    const healthy = this.#answers.every((answer) => answer.healthy);
    const due = Math.max(this.#options.wakeAt() - this.#options.now(), 0);
    const wait = Math.min(healthy ? lookAgainMs : this.#retryMs, due, longestTimer);
    // A due time that the pass could not satisfy must not become a loop.
    this.#timer = setTimeout(() => this.wake(), Math.max(wait, firstRetryMs)).unref();
  }
}
