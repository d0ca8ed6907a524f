// What runs gateways. Platform and CLI start gateways only through this interface; the built-in engine is one, and a suite
// under test/conformance says what each must do.
import type { AdminAddress, AdminPlace } from '../net/index.ts';
import type { Log } from '../sys/log.ts';
import type { Service, Snapshot } from './snapshot/snapshot.ts';

export interface GatewayEngine {
  readonly name: string;
  /** In the care of this process: it holds the desired snapshot, and the gateway ends with it. */
  start(options: EngineOptions): Promise<RunningGateway>;
  /** As a program of its own, told by a snapshot file, signals and an admin address. Resolves with the exit code. */
  run(options: RunOptions): Promise<number>;
}

export interface EngineOptions {
  readonly snapshot: Snapshot;
  /** Addresses of the shared ports. A cluster's own addresses are in the snapshot. */
  readonly addresses: readonly string[];
  readonly workers: number;
  /** How long connections of what was removed, or of a replaced worker, may go on. @default 30000 */
  readonly graceMs?: number;
  /** Certificate files are named relative to this. @default the working directory */
  readonly directory?: string;
  /** @default nothing is logged, unless CAUSEWAY_DEBUG is set */
  readonly log?: Log;
}

export interface RunOptions {
  readonly snapshotFile: string;
  readonly addresses: readonly string[];
  readonly admin: AdminPlace;
  readonly workers: number;
  readonly graceMs: number;
  /** How long connections may go on in a worker or process that was replaced. @default graceMs */
  readonly replacedGraceMs?: number;
  /** Says how the process that takes over is started. @default as this one was */
  readonly successorFile?: string;
  /** Goes on, and says why at the admin address, where the snapshot is not there or cannot be served. */
  readonly startEmpty?: boolean;
  /** Written when this process serves, for whoever supervises it. */
  readonly pidFile?: string;
  readonly log: Log;
  /** Called when it serves. */
  started?(listening: readonly Listening[], admin: AdminAddress): void;
}

export interface RunningGateway {
  listening(): readonly Listening[];
  /** Resolves when every worker routes by it; rejects, and changes nothing, when it is refused. */
  apply(snapshot: Snapshot): Promise<void>;
  status(): GatewayStatus;
  /** Sums over all workers, as of their last report: "connections CLUSTER SERVICE" and so on, see `Counters`. */
  counters(): ReadonlyMap<string, number>;
  /** Asks the workers for their newest counters. */
  refreshCounters(): Promise<void>;
  connections(filter: { readonly cluster?: string; readonly most: number }): Promise<ConnectionView[]>;
  /** The files of the tunnel's certificate have changed. */
  reloadCertificate(): Promise<void>;
  /** Replaces what carries connections by the program on disk. Open connections go on for the grace time. */
  upgrade(): Promise<void>;
  /** Drains: accepts nothing more, waits for connections to end by themselves, then ends them. */
  stop(graceMs: number): Promise<void>;
}

export interface GatewayStatus {
  /** It takes connections. */
  readonly ready: boolean;
  readonly draining: boolean;
  /** The one in force. */
  readonly snapshot: Snapshot | undefined;
  readonly workers: readonly WorkerStatus[];
  /** Workers that ended although nobody told them to. */
  readonly workerRestarts: number;
}

export interface WorkerStatus {
  readonly pid: number;
  readonly state: 'starting' | 'ready' | 'draining' | 'gone';
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

export type ListenerKind = 'sni' | 'tunnel' | 'single' | 'nodePort' | 'address';

export interface Listening {
  readonly kind: ListenerKind;
  readonly address: string;
  /** What was asked for: 0 means that the system chose. */
  readonly wanted: number;
  readonly port: number;
}

export type ConnectionState = 'dialing' | 'waiting' | 'carried' | 'closed';

/** One connection as the admin address shows it. */
export interface ConnectionView {
  readonly id: number;
  readonly cluster: string;
  readonly service: Service;
  readonly listener: ListenerKind;
  /** Server name or authority that was asked for. */
  readonly name: string;
  /** Of whose agent it came, where its token says so. */
  readonly node?: string;
  readonly state: ConnectionState;
  readonly client: string;
  readonly backend: string;
  /** Bytes from client to backend. */
  readonly sent: number;
  /** Bytes from backend to client. */
  readonly received: number;
  readonly ageMs: number;
  /** How long nothing came through, as far as the sweep has seen. */
  readonly quietMs: number;
}
