// How an agent gets connections through to a gateway, whatever they are carried by.
import type { HostPort } from '../../core/host-port.ts';
import type { Wire } from '../wire/wire.ts';
import { AutoLink } from './auto-link.ts';
import { H2Link } from './h2/h2-link.ts';
import type { MakeLink } from './link.ts';
import { trunkProtocol } from './trunk/frame.ts';
import { TrunkLink } from './trunk/trunk-link.ts';
import { Tunnel } from './tunnel.ts';

/** A connection to a gateway that nobody has read from or written to yet. */
export interface DialledConnection {
  readonly wire: Wire;
  /** What TLS settled on; absent without TLS. */
  readonly alpn?: string;
}

export type DialDone = (error: Error | undefined, connection?: DialledConnection) => void;
/** Gets to a gateway: directly, through a proxy, with TLS or without. Calling what it returns abandons the attempt. */
export type Dialer = (address: HostPort, done: DialDone) => () => void;

export type OpenDone = (error: Error | undefined, wire?: Wire) => void;

export interface Transport {
  /**
   * Opens a connection to a place behind the gateway. `done` may be called before this returns, and before the gateway
   * has answered: a refusal closes the wire with a `TunnelRefused`.
   */
  open(authority: string, done: OpenDone): void;
  /** Ends everything. */
  close(): void;
  readonly state: TransportState;
}

export interface TransportState {
  /** Some gateway answers. */
  readonly ready: boolean;
  readonly gateways: readonly GatewayState[];
  /** Opens that wait for a connection to a gateway. */
  readonly waiting: number;
}

export interface GatewayState {
  readonly address: HostPort;
  /** It answered the last ping, or accepted us since. */
  readonly healthy: boolean;
  /** Unknown until the first connection. */
  readonly protocol: 'trunk' | 'h2' | undefined;
  /** Trunks or HTTP/2 sessions. */
  readonly connections: number;
  /** Connections that are carried. */
  readonly carried: number;
  /** Round trip of the last ping in milliseconds. */
  readonly pingMs?: number;
  /** Why it is not healthy, or did not take our credentials. */
  readonly problem?: string;
}

export interface TransportOptions {
  readonly gateways: readonly HostPort[];
  readonly dialer: Dialer;
  /** 'auto': by ALPN; without TLS trunks first, HTTP/2 where the gateway does not know them. @default 'auto' */
  readonly protocol?: 'auto' | 'trunk' | 'h2';
  /** The token, asked for at each open, so it may change. Absent: none (client certificate, or no authentication). */
  readonly credentials?: () => string | undefined;
  /** Told when `state` may have changed in a way that people care about: health, problem, protocol. */
  readonly changed?: () => void;
  readonly timing?: Partial<Timing>;
  /** @default Math.random */
  readonly random?: () => number;
}

export interface Timing {
  /** @default 2000 */
  readonly pingEveryMs: number;
  /** @default 5000 */
  readonly pingTimeoutMs: number;
  /** For the gateway's answer to a request. @default 20000 */
  readonly answerMs: number;
  /** Shortest and longest pause before connecting again. @default 200 and 10000 */
  readonly againMs: number;
  readonly againMostMs: number;
}

export const defaultTiming: Timing = {
  pingEveryMs: 2000,
  pingTimeoutMs: 5000,
  answerMs: 20_000,
  againMs: 200,
  againMostMs: 10_000,
};

// The transports by name.

const makers = {
  trunk: (address, host) => new TrunkLink(address, host),
  h2: (address, host) => new H2Link(address, host),
  auto: (address, host) => new AutoLink(address, host),
} satisfies Record<string, MakeLink>;

export const createTransport = (options: TransportOptions): Transport =>
  new Tunnel(options, makers[options.protocol ?? 'auto']);

/** Names for ALPN, in the order of preference. */
export const tunnelProtocols = { auto: [trunkProtocol, 'h2'], trunk: [trunkProtocol], h2: ['h2'] } as const;
