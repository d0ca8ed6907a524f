// What the door knows about each connection that carries tunnels.
import type { TunnelHost } from '../interfaces.ts';
import type { Gatekeeper } from './authenticator.ts';
import type { TunnelPeer } from './peer.ts';
import type { ResetBudget } from './reset-limiter.ts';

export interface Tunnel {
  readonly peer: TunnelPeer;
  /** It has asked for something and did not get it. */
  readonly wasRefused: boolean;
  /** Every `tunnelTickMs`. */
  tick(): void;
  /** No new connections, please. */
  drain(): void;
  /** It did not show in time that it belongs here. What it asks for in this moment is still carried. */
  leave(): void;
  close(): void;
}

export const tunnelTickMs = 5000;

export interface TunnelContext {
  readonly host: TunnelHost;
  readonly gatekeeper: Gatekeeper;
  /** Streams that a peer may have open in one tunnel. */
  readonly streamsPerSession: number;
  /** Milliseconds that never go back. */
  readonly clock: () => number;
  /** Of all tunnels together. */
  readonly resets: ResetBudget;
  /** It has shown that it belongs here. */
  known(tunnel: Tunnel): void;
  ended(tunnel: Tunnel): void;
}
