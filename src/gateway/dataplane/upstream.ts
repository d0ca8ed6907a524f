// The endpoints of one target: one after the other, and those that failed lately only when there is no other.
import type { Endpoint } from '../../net/wire/wire.ts';
import type { Backend } from '../snapshot/hosts.ts';
import { type Lookup, ResolvedName } from './resolved-name.ts';

const firstEjectionMs = 10_000;
const longestEjectionMs = 60_000;
/** One bit each in `Turn.tried`. */
const mostTried = 32;

/** How far one connection has come with trying. */
export interface Turn {
  start: number;
  tried: number;
}

/** Whoever waits for a name. */
export interface Dialer {
  dial(): void;
}

/** One address of a backend, and how it did lately. */
export class Candidate implements Endpoint {
  readonly address: string;
  readonly port: number;
  #failures = 0;
  #ejectedUntil = 0;

  constructor(address: string, port: number) {
    this.address = address;
    this.port = port;
  }
  isEjected(now: number): boolean {
    return this.#ejectedUntil > now;
  }
  failed(now: number): void {
    // Many connections fail of one cause: that is one failure.
    if (this.isEjected(now)) return;
    this.#ejectedUntil = now + Math.min(firstEjectionMs * 2 ** this.#failures, longestEjectionMs);
    this.#failures += 1;
  }
  succeeded(): void {
    this.#failures = 0;
    this.#ejectedUntil = 0;
  }
}

interface Named {
  readonly name: ResolvedName;
  readonly port: number;
}

export class Backends {
  readonly #lookup: Lookup;
  readonly #clock: () => number;
  #given: readonly Backend[] = [];
  #fixed: Candidate[] = [];
  #named: Named[] = [];
  #all: Candidate[] = [];
  #waiters: Dialer[] = [];
  #cursor = 0;

  constructor(lookup: Lookup, clock: () => number) {
    this.#lookup = lookup;
    this.#clock = clock;
  }

  get all(): readonly Candidate[] {
    return this.#all;
  }

  /** What is known of an address that stays is kept. */
  update(backends: readonly Backend[]): void {
    if (backends === this.#given) return;
    this.#given = backends;
    const fixed = backends.filter(({ isAddress }) => isAddress);
    this.#fixed = fixed.map(({ host, port }) => this.#candidate(host, port));
    this.#named = backends
      .filter(({ isAddress }) => !isAddress)
      .map(({ host, port }) => ({ name: new ResolvedName(host, this.#lookup), port }));
    this.#assemble();
  }
  #assemble(): void {
    const found = this.#named.flatMap(({ name, port }) =>
      name.addresses.map((address) => this.#candidate(address, port)),
    );
    this.#all = [...this.#fixed, ...found];
  }
  #candidate(address: string, port: number): Candidate {
    const known = this.#all.find((candidate) => candidate.address === address && candidate.port === port);
    return known ?? new Candidate(address, port);
  }

  /** True: `next` can be asked. False: the dialer is called again when it can. */
  prepare(now: number, dialer: Dialer): boolean {
    if (this.#named.length === 0) return true;
    for (const { name } of this.#named) name.refresh(now, this.#clock, this.#answered);
    if (!this.#named.some(({ name }) => name.isWaiting(now))) return true;
    this.#waiters.push(dialer);
    return false;
  }
  readonly #answered = (): void => {
    this.#assemble();
    const now = this.#clock();
    if (this.#named.some(({ name }) => name.isWaiting(now))) return;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const dialer of waiters) dialer.dial();
  };

  begin(turn: Turn): void {
    turn.start = this.#cursor++;
    turn.tried = 0;
  }

  /** Each endpoint once in a turn. */
  next(turn: Turn, now: number): Candidate | undefined {
    return this.#untried(turn, now, false) ?? this.#untried(turn, now, true);
  }
  #untried(turn: Turn, now: number, ejectedToo: boolean): Candidate | undefined {
    const all = this.#all;
    for (let i = 0; i < all.length && i < mostTried; i++) {
      const bit = 1 << i;
      const candidate = all[(turn.start + i) % all.length];
      if ((turn.tried & bit) !== 0 || candidate === undefined) continue;
      if (!ejectedToo && candidate.isEjected(now)) continue;
      turn.tried |= bit;
      return candidate;
    }
    return undefined;
  }
}
