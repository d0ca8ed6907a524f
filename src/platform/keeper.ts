// Brings something to what is wanted, and keeps trying. Only the newest wish counts, wishes that are the same change
// nothing, and one attempt runs at a time.
import { sameJson } from '../core/same-json.ts';
import { type Problem, problemOf } from './problem.ts';

export interface KeeperOptions<Wish> {
  bring(wish: Wish): Promise<void>;
  /** Done, or the reason why not has changed. */
  changed(): void;
  /** @default equality of JSON */
  same?(a: Wish, b: Wish): boolean;
  /** @default 1000, doubled up to 30 000 */
  readonly pauseMs?: number;
}

const longestPauseMs = 30_000;

export class Keeper<Wish> {
  /** Why the last attempt failed. */
  problem: Problem | undefined;
  readonly #options: KeeperOptions<Wish>;
  readonly #firstPauseMs: number;
  #wish: Wish | undefined;
  #brought: Wish | undefined;
  #working: Promise<void> | undefined;
  #pauseMs: number;
  #retry: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: KeeperOptions<Wish>) {
    this.#options = options;
    this.#firstPauseMs = options.pauseMs ?? 1000;
    this.#pauseMs = this.#firstPauseMs;
  }

  /** What is wanted is there, as far as bringing it goes. */
  get done(): boolean {
    return this.#brought !== undefined && this.#brought === this.#wish;
  }

  want(wish: Wish): void {
    const { same = sameJson } = this.#options;
    if (this.#stopped || (this.#wish !== undefined && same(wish, this.#wish))) return;
    this.#wish = wish;
    this.#pauseMs = this.#firstPauseMs;
    this.#start();
  }

  /** Resolves when nothing goes on any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#retry);
    await this.#working;
  }

  #start(): void {
    clearTimeout(this.#retry);
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
  }

  async #work(): Promise<void> {
    while (!this.#stopped && this.#wish !== undefined && !this.done) {
      const wish = this.#wish;
      try {
        await this.#options.bring(wish);
        this.#brought = wish;
        this.problem = undefined;
      } catch (error) {
        this.problem = problemOf(error);
        if (wish === this.#wish) return this.#tryLater();
      }
      this.#options.changed();
    }
  }

  #tryLater(): void {
    this.#options.changed();
    if (this.#stopped) return;
    this.#retry = setTimeout(() => this.#start(), this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
  }
}
