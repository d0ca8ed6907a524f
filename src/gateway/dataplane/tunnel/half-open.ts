// Connections that are not a tunnel yet: first bytes, then TLS. Bounded in number and in time; when there are too many,
// the oldest is closed.
import type { Endpoint } from '../../../net/wire/wire.ts';
import type { RefusalCode } from '../../refusals.ts';
import type { Listener, RefusedPeer } from '../interfaces.ts';
import { type TimeoutEntry, TimeoutQueue } from '../timeout-queue.ts';

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
    const { oldest } = this.#queue;
    if (oldest !== undefined && this.#queue.size >= this.#limits.most) this.#evict(oldest, 'too-many-half-open');
    this.#queue.add(pending, this.#limits.clock());
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
