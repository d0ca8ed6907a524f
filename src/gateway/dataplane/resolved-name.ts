// Backends by name: looked up when needed, remembered for seconds, and for longer while the resolver does not answer.
import { type LookupAddress, lookup } from 'node:dns';

export type Lookup = (name: string, done: (addresses: readonly string[] | undefined) => void) => void;

export const systemLookup: Lookup = (name, done) =>
  lookup(name, { all: true }, (error: Error | null, found: LookupAddress[]) =>
    done(error === null ? found.map(({ address }) => address) : undefined),
  );

const freshMs = 5000;
/** So long an old answer is better than waiting for a new one. */
const usableMs = 60_000;

export class ResolvedName {
  readonly #name: string;
  readonly #lookup: Lookup;
  #addresses: readonly string[] = [];
  #askedAt = Number.NEGATIVE_INFINITY;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #asking = false;

  constructor(name: string, resolve: Lookup) {
    this.#name = name;
    this.#lookup = resolve;
  }

  get addresses(): readonly string[] {
    return this.#addresses;
  }
  /** Nothing to go by yet: wait for the answer. */
  isWaiting(now: number): boolean {
    return this.#asking && now - this.#answeredAt > usableMs;
  }

  /** Asks when the last answer is too old; `changed` is called after each answer. */
  refresh(now: number, clock: () => number, changed: () => void): void {
    if (this.#asking || now - this.#askedAt < freshMs) return;
    this.#asking = true;
    this.#askedAt = now;
    this.#lookup(this.#name, (addresses) => {
      this.#asking = false;
      if (addresses !== undefined && addresses.length > 0) {
        this.#addresses = addresses;
        this.#answeredAt = clock();
      }
      changed();
    });
  }
}
