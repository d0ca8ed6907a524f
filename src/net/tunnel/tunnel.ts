// The transport over several gateways: healthy ones in turn, another one where a connection cannot be had.
import { TunnelBroken } from './errors.ts';
import { type Link, type LinkHost, type MakeLink, tickMs } from './link.ts';
import {
  defaultTiming,
  type OpenDone,
  type Transport,
  type TransportOptions,
  type TransportState,
} from './transport.ts';

interface Waiter {
  readonly authority: string;
  readonly done: OpenDone;
}

/** Connections to gateways that are being made at a time. */
const mostAttempts = 128;

export class Tunnel implements Transport {
  readonly #links: readonly Link[];
  readonly #timer: NodeJS.Timeout;
  #waiters: Waiter[] = [];
  #attempts = 0;
  #turn = 0;
  #closed = false;

  constructor(options: TransportOptions, makeLink: MakeLink) {
    if (options.gateways.length === 0) throw new Error('A tunnel needs at least one gateway.');
    const host: LinkHost = {
      dialer: options.dialer,
      timing: { ...defaultTiming, ...options.timing },
      credentials: options.credentials ?? (() => undefined),
      random: options.random ?? Math.random,
      ready: () => this.#serve(),
      changed: options.changed ?? (() => {}),
    };
    this.#links = options.gateways.map((address) => makeLink(address, host));
    this.#timer = setInterval(() => this.#tick(), tickMs);
    this.#tick();
  }

  get state(): TransportState {
    const gateways = this.#links.map((link) => link.state);
    return { ready: gateways.some(({ healthy }) => healthy), gateways, waiting: this.#waiters.length };
  }

  open(authority: string, done: OpenDone): void {
    if (this.#closed) {
      done(closedError());
      return;
    }
    if (this.#waiters.length === 0 && this.#take(authority, done)) return;
    this.#waiters.push({ authority, done });
    if (this.#attempts < mostAttempts) this.#attempt();
  }

  #take(authority: string, done: OpenDone): boolean {
    const count = this.#links.length;
    for (let step = 0; step < count; step += 1) {
      this.#turn = this.#turn + 1 < count ? this.#turn + 1 : 0;
      const wire = (this.#links[this.#turn] as Link).take(authority);
      if (wire === undefined) continue;
      done(undefined, wire);
      return true;
    }
    return false;
  }

  #serve(): void {
    while (this.#waiters.length > 0) {
      const { authority, done } = this.#waiters[0] as Waiter;
      // Taken off before `done` runs, which may open again.
      const first = this.#waiters.shift() as Waiter;
      if (this.#take(authority, done)) continue;
      this.#waiters.unshift(first);
      return;
    }
  }

  /** There are as many attempts as waiters. Each ends with a connection for the oldest of them, or with its error. */
  #attempt(): void {
    this.#attempts += 1;
    this.#tryLinks(this.#inOrder(), undefined);
  }
  /** Healthy ones first, each in turn. */
  #inOrder(): Link[] {
    const turned = [...this.#links.slice(this.#turn), ...this.#links.slice(0, this.#turn)];
    const healthy = turned.filter((link) => link.state.healthy);
    return healthy.length === turned.length ? turned : [...healthy, ...turned.filter((link) => !link.state.healthy)];
  }
  #tryLinks(links: readonly Link[], error: Error | undefined): void {
    const [link, ...others] = links;
    if (link === undefined || this.#closed) {
      this.#attemptOver(error ?? closedError());
      return;
    }
    link.connect((failure) => {
      if (failure === undefined) this.#attemptOver(undefined);
      else this.#tryLinks(others, failure);
    });
  }
  #attemptOver(error: Error | undefined): void {
    this.#attempts -= 1;
    if (error === undefined) this.#serve();
    else this.#waiters.shift()?.done(error);
    if (this.#attempts < Math.min(this.#waiters.length, mostAttempts)) this.#attempt();
  }

  #tick(): void {
    const now = performance.now();
    for (const link of this.#links) link.tick(now);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#timer);
    for (const link of this.#links) link.close();
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const { done } of waiters) done(closedError());
  }
}

const closedError = (): Error => new TunnelBroken('ECONNRESET', 'The tunnel was closed.');
