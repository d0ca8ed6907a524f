// Unauthenticated tunnels: no good credentials yet, or where none are asked for no admitted connection yet. Bounded in
// number, and each in time.
import type { RefusalCode } from '../../refusals.ts';
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
    if (this.#since.size >= this.#most) this.#closeOldest();
    this.#since.set(tunnel, now);
  }
  #closeOldest(): void {
    const oldest = this.#since.keys().next().value;
    if (oldest === undefined) return;
    this.#since.delete(oldest);
    this.#refuse('too-many-half-open', oldest);
    oldest.close();
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
