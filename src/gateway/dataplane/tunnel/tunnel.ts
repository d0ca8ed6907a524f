// What the server knows about each connection that carries tunnels.

import type { Endpoint } from '../../../net/wire/index.ts';
import type { Listener, TunnelHost } from '../interfaces.ts';
import type { Authenticator, ClientIdentity, TunnelIdentity } from './authenticator.ts';
import type { ResetLimiter } from './reset-limiter.ts';

export interface Tunnel {
  readonly peer: TunnelPeer;
  /** Those that were let in by it. */
  readonly identities: TunnelIdentities;
  /** It has asked for something and did not get it. */
  readonly wasRefused: boolean;
  /** Every `tunnelTickMs`. */
  tick(): void;
  /** No new connections, please. */
  drain(): void;
  /** It did not authenticate in time. A request that is on its way is still carried. */
  expire(): void;
  close(): void;
}

export const tunnelTickMs = 5000;

export interface TunnelContext {
  readonly host: TunnelHost;
  readonly authenticator: Authenticator;
  /** Streams that a peer may have open in one tunnel. */
  readonly streamsPerSession: number;
  /** Milliseconds that never go back. */
  readonly clock: () => number;
  /** Of all tunnels together. */
  readonly resets: ResetLimiter;
  /** It has authenticated, as an agent of this cluster. */
  authenticated(tunnel: Tunnel, cluster: string | undefined): void;
  ended(tunnel: Tunnel): void;
  /** After so long, and not many in one turn: where many are shut out together, they come back together. */
  closeLater(tunnel: Tunnel, ms: number): void;
}

/** A tunnel is one agent's; only HTTP/2 lets each request show a token of its own. */
export class TunnelIdentities {
  readonly #known = new Map<string, TunnelIdentity>();
  #last: TunnelIdentity | undefined;

  /** The oldest token of each counts: what it opened may be open still. */
  add(identity: TunnelIdentity | undefined): void {
    // That of a token that is remembered is the same object each time.
    if (identity === undefined || identity === this.#last) return;
    this.#last = identity;
    const key = `${identity.cluster}/${identity.node ?? ''}`;
    if (!this.#known.has(key)) this.#known.set(key, identity);
  }
  [Symbol.iterator](): Iterator<TunnelIdentity> {
    return this.#known.values();
  }
}

// Whoever is at the other end of a tunnel's connection.

export interface TunnelPeer {
  readonly listener: Listener;
  /** The real agent, balancers looked through. */
  readonly remote: Endpoint;
  readonly local: Endpoint;
  /** It came with TLS. */
  readonly secure: boolean;
  /** Its client certificate, where one was asked for and shown. */
  readonly identity?: ClientIdentity;
}
