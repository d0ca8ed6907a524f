// Unauthenticated tunnels: no good credentials yet, or where none are asked for no admitted connection yet. Bounded in
// number, and each in time.

import type { Endpoint } from '../../../net/wire/index.ts';
import type { RefusalCode } from '../../refusals.ts';
import type { Listener, RefusedPeer } from '../interfaces.ts';
import { type TimeoutEntry, TimeoutQueue } from '../timeout-queue.ts';
import type { Tunnel } from './tunnel.ts';

/** For showing good credentials. */
export const authenticationTimeoutMs = 15_000;

export class UnauthenticatedTunnels {
  /** Since when each is here. A Map keeps the order of insertion. */
  readonly #since = new Map<Tunnel, number>();
  readonly #most: number;
  readonly #refuse: (code: RefusalCode, tunnel: Tunnel) => void;

  constructor(most: number, refuse: (code: RefusalCode, tunnel: Tunnel) => void) {
    this.#most = most;
    this.#refuse = refuse;
  }

  get size(): number {
    return this.#since.size;
  }

  add(tunnel: Tunnel, now: number): void {
    if (this.#since.size >= this.#most) this.closeOldest('too-many-half-open');
    this.#since.set(tunnel, now);
  }
  /** False: there is none. */
  closeOldest(code: RefusalCode): boolean {
    const oldest = this.#since.keys().next().value;
    if (oldest === undefined) return false;
    this.#since.delete(oldest);
    this.#refuse(code, oldest);
    oldest.close();
    return true;
  }
  /** It is authenticated now, or gone. */
  remove(tunnel: Tunnel): void {
    this.#since.delete(tunnel);
  }

  tick(now: number): void {
    for (const [tunnel, since] of this.#since) {
      if (now - since < authenticationTimeoutMs) return;
      this.#since.delete(tunnel);
      // Whoever was refused knows why.
      if (!tunnel.wasRefused) this.#refuse('hello-timeout', tunnel);
      tunnel.expire();
    }
  }
}

// Connections that are not a tunnel yet: first bytes, then TLS. Bounded in number and in time; when there are too many,
// the oldest is closed.

export interface PendingConnection extends TimeoutEntry {
  readonly remote: Endpoint;
  readonly listener: Listener;
  /** Had its time, or its place is needed. */
  expire(): void;
}

export interface HalfOpenLimits {
  readonly most: number;
  /** For the first bytes, and again for the handshake. */
  readonly ms: number;
  readonly clock: () => number;
}

export class HalfOpen {
  readonly #queue = new TimeoutQueue<PendingConnection>();
  readonly #limits: HalfOpenLimits;
  readonly #refuse: (code: RefusalCode, about: RefusedPeer) => void;

  constructor(limits: HalfOpenLimits, refuse: (code: RefusalCode, about: RefusedPeer) => void) {
    this.#limits = limits;
    this.#refuse = refuse;
  }

  get size(): number {
    return this.#queue.size;
  }

  add(pending: PendingConnection): void {
    if (this.#queue.size >= this.#limits.most) this.closeOldest('too-many-half-open');
    this.#queue.add(pending, this.#limits.clock());
  }
  /** False: there is none. */
  closeOldest(code: RefusalCode): boolean {
    const { oldest } = this.#queue;
    if (oldest !== undefined) this.#evict(oldest, code);
    return oldest !== undefined;
  }
  /** It must be among them. */
  remove(pending: PendingConnection): void {
    this.#queue.remove(pending);
  }

  tick(now: number): void {
    const late = now - this.#limits.ms;
    for (let one = this.#queue.due(late); one !== undefined; one = this.#queue.due(late))
      this.#evict(one, 'hello-timeout');
  }
  #evict(pending: PendingConnection, code: RefusalCode): void {
    this.#queue.remove(pending);
    this.#refuse(code, { listener: pending.listener, remote: pending.remote });
    pending.expire();
  }

  close(): void {
    for (let one = this.#queue.oldest; one !== undefined; one = this.#queue.oldest) {
      this.#queue.remove(one);
      one.expire();
    }
  }
}
