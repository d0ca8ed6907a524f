// One gateway as seen by the transport.
import type { HostPort } from '../host-port.ts';
import type { Wire } from '../wire/wire.ts';
import type { Dialer, GatewayState, Timing } from './transport.ts';

export interface Link {
  readonly state: GatewayState;
  /** A connection right now, or undefined where that takes a `connect` first. */
  take(authority: string): Wire | undefined;
  /** Makes room for one connection; `done` is called once, never before this returns. */
  connect(done: (error: Error | undefined) => void): void;
  /** To be called every `tickMs`. */
  tick(now: number): void;
  close(): void;
}

export const tickMs = 250;

export interface LinkHost {
  readonly dialer: Dialer;
  readonly timing: Timing;
  readonly credentials: () => string | undefined;
  readonly random: () => number;
  /** `take` may answer again. */
  ready(): void;
  changed(): void;
}

export type MakeLink = (address: HostPort, host: LinkHost) => Link;
