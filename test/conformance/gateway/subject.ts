import type { GatewayEngine } from '../../../src/gateway/engine.ts';

/** What the suite runs against. */
export interface Subject {
  readonly engine: GatewayEngine;
  /** How long connections of a removed cluster may go on. */
  readonly graceMs: number;
  /** Whether the way to a backend stays open in a tunnel when the backend has ended its own half. */
  readonly halfClosesTunnels: boolean;
  /** Whether tunnels of other clusters survive a change, too. */
  readonly keepsTunnels: boolean;
}
