// Brings things to their desired state, each by its key, and keeps trying. Level-triggered: an attempt gets the desired
// state as it is then, never a change; whatever is asked for during an attempt is one more attempt after it.
import { isDeepStrictEqual } from 'node:util';
import { longestTimer } from '../core/duration.ts';
import { type Backoff, createBackoff } from '../sys/backoff.ts';
import { type Verdict, verdictOf } from './condition.ts';

export interface ReconcilerOptions<Desired> {
  /** One attempt. It rejects where the desired state cannot be had, and says `done: false` where it is on its way. */
  reconcile(key: string, desired: Desired): Promise<Result>;
  /** The state of this key is another one: done, not done, or failed for another reason. */
  changed?(key: string): void;
  /** Of desired states: one that is the same starts no attempt. @default deep equality */
  same?(a: Desired, b: Desired): boolean;
  /** Pauses between attempts that are not done. @default 1000, doubled up to 30 000, with jitter */
  readonly backoff?: { readonly firstMs: number; readonly longestMs: number };
  readonly clock?: Clock;
  readonly random?: () => number;
}

/** What an attempt came to. */
export interface Result {
  readonly done: boolean;
  /** Of one that is not done: it got further than the one before, so the pauses begin anew. */
  readonly progress?: boolean;
  /** The next attempt comes after this time at the latest. Where it is done, there is none without it. */
  readonly requeueAfterMs?: number;
}

/** The desired state is there, and nothing is due later. */
export const reconciled: Result = { done: true };

export interface ReconcileState {
  /** The newest desired state was reconciled. */
  readonly done: boolean;
  /** Why the last attempt failed; absent where it did not. */
  readonly failure?: Verdict;
}

export interface Clock {
  /** What it returns cancels it. */
  after(ms: number, run: () => void): () => void;
}

const systemClock: Clock = {
  after(ms, run) {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};

interface Entry<Desired> {
  desired: Desired;
  /** Rises with each desired state that is another one. */
  generation: number;
  /** Of the last attempt that was done. */
  observedGeneration: number;
  failure: Verdict | undefined;
  readonly backoff: Backoff;
  running: Promise<void> | undefined;
  /** Something was asked for during the attempt. */
  again: boolean;
  cancel(): void;
}

const idle = (): void => {};

export class Reconciler<Desired> {
  readonly #options: ReconcilerOptions<Desired>;
  readonly #entries = new Map<string, Entry<Desired>>();
  /** Attempts of keys that were forgotten: whoever comes back under such a key waits for it. */
  readonly #ending = new Map<string, Promise<void>>();
  #stopped = false;

  constructor(options: ReconcilerOptions<Desired>) {
    this.#options = options;
  }

  /** The newest desired state counts; one that is the same changes nothing. */
  desire(key: string, desired: Desired): void {
    if (this.#stopped) return;
    const { same = isDeepStrictEqual } = this.#options;
    const known = this.#entries.get(key);
    if (known !== undefined && same(known.desired, desired)) return;
    const entry = known ?? this.#newEntry(desired);
    entry.desired = desired;
    entry.generation += 1;
    entry.backoff.reset();
    this.#entries.set(key, entry);
    this.wake(key);
  }

  /** An attempt now, or right after the one that runs. */
  wake(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined || this.#stopped) return;
    if (entry.running !== undefined) {
      entry.again = true;
      return;
    }
    entry.cancel();
    // Not in this call: an attempt may wake its own key, and desired states that come one after the other need one attempt.
    const begin = this.#ending.get(key) ?? Promise.resolve();
    entry.running = begin
      .then(() => this.#attempt(key, entry))
      .finally(() => {
        entry.running = undefined;
        if (!entry.again) return;
        entry.again = false;
        if (this.#isLive(key, entry)) this.wake(key);
      });
  }

  /** An attempt that begins after this call; resolves when it has ended, whatever came of it. */
  async run(key: string): Promise<void> {
    await this.#entries.get(key)?.running;
    this.wake(key);
    await this.#entries.get(key)?.running;
  }

  state(key: string): ReconcileState {
    const entry = this.#entries.get(key);
    if (entry === undefined) return { done: false };
    const done = entry.observedGeneration === entry.generation;
    return entry.failure === undefined ? { done } : { done, failure: entry.failure };
  }

  /** No attempt begins any more for this key. Resolves when the one that runs has ended. */
  async forget(key: string): Promise<void> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return this.#ending.get(key);
    this.#entries.delete(key);
    entry.cancel();
    const ending = entry.running?.finally(() => {
      if (this.#ending.get(key) === ending) this.#ending.delete(key);
    });
    if (ending !== undefined) this.#ending.set(key, ending);
    await ending;
  }

  /** No attempt begins any more. Resolves when those that run have ended; their states can still be read. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const entry of this.#entries.values()) entry.cancel();
    await Promise.all([...[...this.#entries.values()].map(({ running }) => running), ...this.#ending.values()]);
  }

  #newEntry(desired: Desired): Entry<Desired> {
    const { backoff: { firstMs, longestMs } = { firstMs: 1000, longestMs: 30_000 }, random = Math.random } =
      this.#options;
    return {
      desired,
      generation: 0,
      observedGeneration: 0,
      failure: undefined,
      backoff: createBackoff(firstMs, longestMs, random),
      running: undefined,
      again: false,
      cancel: idle,
    };
  }

  #isLive(key: string, entry: Entry<Desired>): boolean {
    return !this.#stopped && this.#entries.get(key) === entry;
  }

  async #attempt(key: string, entry: Entry<Desired>): Promise<void> {
    if (!this.#isLive(key, entry)) return;
    entry.again = false;
    const { generation, desired } = entry;
    const before = this.state(key);
    let result: Result;
    try {
      result = await this.#options.reconcile(key, desired);
      entry.failure = undefined;
    } catch (error) {
      result = { done: false };
      entry.failure = verdictOf(error);
    }
    // A state that was reached and is lost again counts as not reached.
    entry.observedGeneration = result.done ? generation : Math.min(entry.observedGeneration, generation - 1);
    if (!isDeepStrictEqual(before, this.state(key))) this.#options.changed?.(key);
    if (this.#isLive(key, entry) && !entry.again) this.#requeue(key, entry, result);
  }

  #requeue(key: string, entry: Entry<Desired>, { done, progress, requeueAfterMs }: Result): void {
    const { clock = systemClock } = this.#options;
    if (done || progress) entry.backoff.reset();
    const latest = requeueAfterMs ?? Number.POSITIVE_INFINITY;
    const wait = done ? latest : Math.min(entry.backoff.next(), latest);
    if (wait === Number.POSITIVE_INFINITY) return;
    entry.cancel = clock.after(Math.min(Math.max(wait, 0), longestTimer), () => this.wake(key));
  }
}
