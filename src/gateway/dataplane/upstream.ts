// The upstream hosts of one route: round robin, with outlier detection. Hosts that are ejected are tried only when there is
// no other.

import type { Endpoint, Resolve } from '../../net/wire/index.ts';
import { exponentialMs } from '../../sys/backoff.ts';
import type { Backend } from '../snapshot/hosts.ts';

const baseEjectionMs = 10_000;
const maxEjectionMs = 60_000;
/** One bit each in `RoundRobinPosition.tried`. */
const maxTried = 32;

/** Where one connection began, and which hosts it has tried. */
export interface RoundRobinPosition {
  start: number;
  tried: number;
}

/** Whoever waits for a name. */
export interface Dialer {
  dial(): void;
}

/** Outlier detection: a host that failed is ejected, for longer each time it fails in a row. */
class OutlierDetection {
  #failures = 0;
  #ejectedUntil = 0;

  isEjected(now: number): boolean {
    return this.#ejectedUntil > now;
  }
  failed(now: number): void {
    // Many connections fail of one cause: that is one failure.
    if (this.isEjected(now)) return;
    this.#ejectedUntil = now + exponentialMs(baseEjectionMs, maxEjectionMs, this.#failures);
    this.#failures += 1;
  }
  succeeded(): void {
    this.#failures = 0;
    this.#ejectedUntil = 0;
  }
}

/** One address of a backend. */
export class UpstreamHost extends OutlierDetection implements Endpoint {
  readonly address: string;
  readonly port: number;

  constructor(address: string, port: number) {
    super();
    this.address = address;
    this.port = port;
  }
}

interface Named {
  readonly name: ResolvedName;
  readonly port: number;
}

export class UpstreamHosts {
  readonly #resolve: Resolve;
  readonly #clock: () => number;
  #given: readonly Backend[] = [];
  #fixed: UpstreamHost[] = [];
  #named: Named[] = [];
  #all: UpstreamHost[] = [];
  #waiters: Dialer[] = [];
  #cursor = 0;

  constructor(resolve: Resolve, clock: () => number) {
    this.#resolve = resolve;
    this.#clock = clock;
  }

  get all(): readonly UpstreamHost[] {
    return this.#all;
  }

  /** What is known of an address that stays is kept. */
  update(backends: readonly Backend[]): void {
    if (backends === this.#given) return;
    this.#given = backends;
    const fixed = backends.filter(({ isAddress }) => isAddress);
    this.#fixed = fixed.map(({ host, port }) => this.#host(host, port));
    this.#named = backends
      .filter(({ isAddress }) => !isAddress)
      .map(({ host, port }) => ({ name: new ResolvedName(host, this.#resolve), port }));
    this.#assemble();
  }
  #assemble(): void {
    const found = this.#named.flatMap(({ name, port }) => name.addresses.map((address) => this.#host(address, port)));
    this.#all = [...this.#fixed, ...found];
  }
  #host(address: string, port: number): UpstreamHost {
    const known = this.#all.find((host) => host.address === address && host.port === port);
    return known ?? new UpstreamHost(address, port);
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

  beginRoundRobin(position: RoundRobinPosition): void {
    position.start = this.#cursor++;
    position.tried = 0;
  }

  /** Each host once per connection. */
  next(position: RoundRobinPosition, now: number): UpstreamHost | undefined {
    return this.#untried(position, now, false) ?? this.#untried(position, now, true);
  }
  #untried(position: RoundRobinPosition, now: number, ejectedToo: boolean): UpstreamHost | undefined {
    const all = this.#all;
    for (let i = 0; i < all.length && i < maxTried; i++) {
      const bit = 1 << i;
      const host = all[(position.start + i) % all.length];
      if ((position.tried & bit) !== 0 || host === undefined) continue;
      if (!ejectedToo && host.isEjected(now)) continue;
      position.tried |= bit;
      return host;
    }
    return undefined;
  }
}

// Backends by name: looked up when needed, remembered for seconds, and for longer while the resolver does not answer.

const freshMs = 5000;
/** So long an old answer is better than waiting for a new one. */
const usableMs = 60_000;

export class ResolvedName {
  readonly #name: string;
  readonly #resolve: Resolve;
  #addresses: readonly string[] = [];
  #askedAt = Number.NEGATIVE_INFINITY;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #asking = false;

  constructor(name: string, resolve: Resolve) {
    this.#name = name;
    this.#resolve = resolve;
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
    const answered = (addresses: readonly string[]): void => {
      this.#asking = false;
      if (addresses.length > 0) {
        this.#addresses = addresses;
        this.#answeredAt = clock();
      }
      changed();
    };
    // A resolver that fails has no answer: the old one stays for a while.
    this.#resolve(this.#name).then(answered, () => answered([]));
  }
}
