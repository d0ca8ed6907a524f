// Whoever has connected and is not a tunnel yet: first bytes, then TLS. So many at most, and each for so long; when
// there are too many, the oldest goes.
import type { Endpoint } from '../../../net/wire/wire.ts';
import type { RefusalCode } from '../../refusals.ts';
import type { Listener, RefusedPeer } from '../interfaces.ts';
import { type Waiting, WaitingLine } from '../timeout-queue.ts';

export interface Visitor extends Waiting {
  readonly remote: Endpoint;
  readonly listener: Listener;
  /** Had its time, or its place is needed. */
  leave(): void;
}

export interface HalfOpenLimits {
  readonly most: number;
  /** For the first bytes, and again for the handshake. */
  readonly ms: number;
  readonly clock: () => number;
}

export class HalfOpen {
  readonly #line = new WaitingLine<Visitor>();
  readonly #limits: HalfOpenLimits;
  readonly #refuse: (code: RefusalCode, about: RefusedPeer) => void;

  constructor(limits: HalfOpenLimits, refuse: (code: RefusalCode, about: RefusedPeer) => void) {
    this.#limits = limits;
    this.#refuse = refuse;
  }

  get size(): number {
    return this.#line.size;
  }

  add(visitor: Visitor): void {
    const { oldest } = this.#line;
    if (oldest !== undefined && this.#line.size >= this.#limits.most) this.#showOut(oldest, 'too-many-half-open');
    this.#line.add(visitor, this.#limits.clock());
  }
  /** The visitor must be among them. */
  remove(visitor: Visitor): void {
    this.#line.remove(visitor);
  }

  tick(now: number): void {
    const late = now - this.#limits.ms;
    for (let one = this.#line.due(late); one !== undefined; one = this.#line.due(late))
      this.#showOut(one, 'hello-timeout');
  }
  #showOut(visitor: Visitor, code: RefusalCode): void {
    this.#line.remove(visitor);
    this.#refuse(code, { listener: visitor.listener, remote: visitor.remote });
    visitor.leave();
  }

  close(): void {
    for (let one = this.#line.oldest; one !== undefined; one = this.#line.oldest) {
      this.#line.remove(one);
      one.leave();
    }
  }
}
