// Tunnels that have not shown yet that they belong here: by good credentials, or where none are asked for by a
// connection that was admitted. So many at most, and each for so long.
import type { RefusalCode } from '../../refusals.ts';
import type { Tunnel } from './tunnel.ts';

/** For good credentials. */
export const knownWithinMs = 15_000;

export class Strangers {
  /** Since when each is here. A Map keeps the order of arrival. */
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
    if (this.#since.size >= this.#most) this.#showOutOldest();
    this.#since.set(tunnel, now);
  }
  #showOutOldest(): void {
    const oldest = this.#since.keys().next().value;
    if (oldest === undefined) return;
    this.#since.delete(oldest);
    this.#refuse('too-many-half-open', oldest);
    oldest.close();
  }
  /** It is known now, or gone. */
  remove(tunnel: Tunnel): void {
    this.#since.delete(tunnel);
  }

  tick(now: number): void {
    for (const [tunnel, since] of this.#since) {
      if (now - since < knownWithinMs) return;
      this.#since.delete(tunnel);
      // Whoever was refused knows why.
      if (!tunnel.wasRefused) this.#refuse('hello-timeout', tunnel);
      tunnel.leave();
    }
  }
}
