// Keepalive of a gateway: a control connection, a ping now and then, and a reconnect with backoff when it is gone. That
// it was closed says little (a worker was replaced); that nothing answers says everything.
import { type Backoff, createBackoff } from '../../sys/backoff.ts';
import { type LinkHost, tickMs } from './link.ts';

const longestTickMs = 4 * tickMs;

export interface KeepaliveActions {
  /** Connect the control connection; `alive` or `failed` follows. */
  connect(): void;
  ping(): void;
  /** Nothing answers: end everything. */
  dead(): void;
}

export class Keepalive {
  readonly #host: LinkHost;
  readonly #actions: KeepaliveActions;
  readonly #backoff: Backoff;
  #state: 'waiting' | 'connecting' | 'up' | 'closed' = 'waiting';
  #now = 0;
  /** When the next attempt is due. */
  #at = 0;
  #connectingSince = 0;
  #pingedAt = 0;
  #pingedExactly = 0;
  #waitsForPong = false;
  healthy = false;
  pingMs: number | undefined;

  constructor(host: LinkHost, actions: KeepaliveActions) {
    this.#host = host;
    this.#actions = actions;
    this.#backoff = createBackoff(host.timing.againMs, host.timing.againMostMs, host.random);
  }

  /** The gateway has answered. */
  alive(): void {
    this.#state = 'up';
    this.#waitsForPong = false;
    this.#pingedAt = this.#now;
    this.#backoff.reset();
    this.#set(true);
  }
  pong(): void {
    this.#waitsForPong = false;
    this.pingMs = performance.now() - this.#pingedExactly;
  }
  failed(_error: Error | undefined): void {
    if (this.#state === 'closed') return;
    this.#again();
    this.#set(false);
  }
  /** The control connection was closed. Once is nothing; a gateway that closes each one is not healthy. */
  lost(): void {
    if (this.#state === 'closed' || this.#state === 'waiting') return;
    const wasUp = this.#state === 'up';
    this.#again();
    if (wasUp) this.#at = this.#now;
    else this.#set(false);
  }
  #again(): void {
    this.#state = 'waiting';
    this.#at = this.#now + this.#backoff.next();
  }
  #set(healthy: boolean): void {
    if (this.healthy === healthy) return;
    this.healthy = healthy;
    this.#host.changed();
    if (healthy) this.#host.ready();
  }

  tick(now: number): void {
    // We slept ourselves (a stopped process, a suspended machine): the answer may be there, unread.
    if (now - this.#now > longestTickMs) this.#pingedAt += now - this.#now;
    this.#now = now;
    if (this.#state === 'waiting' && now >= this.#at) this.#connect(now);
    else if (this.#state === 'connecting' && now - this.#connectingSince > this.#host.timing.answerMs) this.#die();
    else if (this.#state === 'up') this.#watch(now);
  }
  #connect(now: number): void {
    this.#state = 'connecting';
    this.#connectingSince = now;
    this.#actions.connect();
  }
  #watch(now: number): void {
    const { pingEveryMs, pingTimeoutMs } = this.#host.timing;
    if (this.#waitsForPong) {
      if (now - this.#pingedAt >= pingTimeoutMs) this.#die();
    } else if (now - this.#pingedAt >= pingEveryMs) {
      this.#waitsForPong = true;
      this.#pingedAt = now;
      this.#pingedExactly = performance.now();
      this.#actions.ping();
    }
  }
  #die(): void {
    this.#again();
    this.#set(false);
    this.#actions.dead();
  }
  close(): void {
    this.#state = 'closed';
    this.healthy = false;
  }
}
