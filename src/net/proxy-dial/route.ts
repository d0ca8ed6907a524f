// Everything that is needed to get to a gateway. What may change while the program runs is asked for each time.
import type { SecureContext } from 'node:tls';
import type { HostPort } from '../../core/host-port.ts';
import type { HttpProxy } from '../proxy-url.ts';
import type { Vantage } from '../wire/dial.ts';
import type { Trust } from './diagnose-tls.ts';
import type { FinishedStep } from './steps.ts';

export interface Trusting {
  readonly context: SecureContext;
  readonly trust: Trust;
}

export interface Route {
  readonly gateway: HostPort;
  /** Absent: without TLS. */
  readonly tls?: {
    readonly serverName: string;
    readonly alpn: readonly string[];
    readonly trusting: () => Trusting;
  };
  /** Absent: directly. */
  readonly proxy?: () => HttpProxy;
  /** For a proxy with https://. */
  readonly proxyTrusting?: () => Trusting;
  /** Where it begins. @default this machine */
  readonly vantage?: Vantage;
  readonly timeouts?: Partial<Timeouts>;
}

export interface Timeouts {
  readonly resolve: number;
  readonly connect: number;
  /** A proxy answers only when it has reached the gateway itself. */
  readonly answer: number;
  readonly tls: number;
}

export const defaultTimeouts: Timeouts = { resolve: 5_000, connect: 5_000, answer: 10_000, tls: 5_000 };

export interface DialOptions {
  readonly signal?: AbortSignal;
  readonly observe?: (step: FinishedStep) => void;
}
