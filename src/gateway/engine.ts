// What runs a snapshot. The built-in engine is one; a suite under test/conformance says what each must do.
import type { Snapshot } from './snapshot/snapshot.ts';

export interface EngineOptions {
  readonly snapshot: Snapshot;
  /** Addresses of the shared ports. A cluster's own addresses are in the snapshot. */
  readonly addresses: readonly string[];
  readonly workers: number;
  /** How long connections of what was removed, or of a replaced worker, may go on. @default 30000 */
  readonly graceMs?: number;
}

export type ListenerKind = 'sni' | 'tunnel' | 'single' | 'nodePort' | 'address';

export interface Listening {
  readonly kind: ListenerKind;
  readonly address: string;
  /** What was asked for: 0 means that the system chose. */
  readonly wanted: number;
  readonly port: number;
}

export interface RunningGateway {
  listening(): readonly Listening[];
  /** Resolves when every worker routes by it; rejects, and changes nothing, when it is refused. */
  apply(snapshot: Snapshot): Promise<void>;
  /** Stops accepting, waits for connections to end by themselves, then ends them. */
  stop(graceMs: number): Promise<void>;
}

export interface GatewayEngine {
  readonly name: string;
  start(options: EngineOptions): Promise<RunningGateway>;
}
