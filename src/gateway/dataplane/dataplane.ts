// The dataplane of one worker: listeners, routes, connection manager, tunnel.
import { setTimeout } from 'node:timers/promises';
import { type Dial, type Resolve, thisMachine, type Wire } from '../../net/wire/index.ts';
import { type Log, silentLog } from '../../sys/log.ts';
import type { ConnectionView } from '../engine.ts';
import type { RefusalCode } from '../refusals.ts';
import { RouteTable, type SnapshotChange, type Target } from '../snapshot/index.ts';
import { Acceptor } from './acceptor.ts';
import type { ClusterState, LimitCounts } from './clusters.ts';
import { ConnectionManager } from './connection-manager.ts';
import { clusterCounters, connectionView, type GatewayCounters } from './counters.ts';
import type {
  CreateTunnelHandler,
  Listener,
  OpenDone,
  OpenedConnection,
  OpenRequest,
  RefusedPeer,
  TunnelHandler,
  TunnelHost,
} from './interfaces.ts';
import { OpenFiles } from './open-files.ts';

export interface DataplaneOptions {
  /** @default says nothing */
  readonly log?: Log;
  /** Absent: tunnels are refused. */
  readonly tunnel?: CreateTunnelHandler;
  /** For the first message of a client. @default 5000 */
  readonly helloTimeoutMs?: number;
  /** Clients that have not said yet what they want; when there are more, the oldest goes. @default 10000 */
  readonly maxHalfOpen?: number;
  /** For each backend. @default 3000 */
  readonly connectTimeoutMs?: number;
  /** For all backends together. @default 15000 */
  readonly longestDialMs?: number;
  /** What connections of a removed cluster or route still have. @default 30000 */
  readonly removalGraceMs?: number;
  /** @default from this machine */
  readonly dial?: Dial;
  /** @default the resolver of this machine */
  readonly resolve?: Resolve;
  /** Open files that connections may have, which may change. @default as many as there are */
  readonly files?: () => number;
  /** Bytes that may wait for readers who do not take them. @default 256 MiB */
  readonly heldLimit?: number;
  /** Milliseconds that never go back. @default performance.now */
  readonly clock?: () => number;
}

export interface ConnectionFilter {
  readonly cluster?: string;
  readonly most?: number;
}

export interface Dataplane extends TunnelHost {
  /** Connections of what was removed end after the grace time. @default removalGraceMs */
  apply(change: SnapshotChange, graceMs?: number): void;
  accept(listener: Listener, wire: Wire): void;
  counters(): GatewayCounters;
  /** Oldest first. */
  connections(filter?: ConnectionFilter): ConnectionView[];
  limitsReport(): LimitCounts;
  limitsOthers(others: LimitCounts): void;
  /** Listeners must have been closed before. Resolves when everything has ended, at the latest after the grace time. */
  drain(graceMs: number): Promise<void>;
  /** Ends everything now. */
  close(): void;
}

export const createDataplane = (options: DataplaneOptions = {}): Dataplane => new GatewayDataplane(options);

const defaults = {
  log: silentLog,
  ...thisMachine,
  clock: () => performance.now(),
  helloTimeoutMs: 5000,
  maxHalfOpen: 10_000,
  connectTimeoutMs: 3000,
  longestDialMs: 15_000,
  removalGraceMs: 30_000,
  files: () => Number.POSITIVE_INFINITY,
};
const longestTickMs = 1000;
const shortestTickMs = 20;
const drainPollMs = 25;
/** A deadline is met by a quarter of its length. */
const tickFor = (ms: number): number => Math.max(shortestTickMs, Math.min(longestTickMs, ms / 4));

class GatewayDataplane implements Dataplane {
  readonly #routes = new RouteTable();
  readonly #connections: ConnectionManager;
  readonly #acceptor: Acceptor;
  readonly #tunnel: TunnelHandler | undefined;
  #draining = false;
  #tickMs: number;
  #timer: NodeJS.Timeout;

  constructor(options: DataplaneOptions) {
    const all = { ...defaults, ...options };
    const settings = { ...all, openFiles: new OpenFiles(all.files, () => this.#files) };
    this.#connections = new ConnectionManager(this.#routes, settings);
    this.#acceptor = new Acceptor(this.#routes, this.#connections, settings);
    this.#tunnel = options.tunnel?.(this);
    this.#acceptor.tunnel = this.#tunnel;
    const { helloTimeoutMs, longestDialMs, removalGraceMs } = settings;
    this.#tickMs = tickFor(Math.min(helloTimeoutMs, longestDialMs, removalGraceMs));
    this.#timer = this.#startTimer();
  }

  /** But for those of clients that linger. */
  get #files(): number {
    return this.#connections.files + this.#acceptor.halfOpen + (this.#tunnel?.files ?? 0);
  }

  apply(change: SnapshotChange, graceMs?: number): void {
    this.#connections.apply(change, graceMs);
    this.#acceptor.apply(change.settings);
    this.#tunnel?.apply(change);
    for (const name in change.changed) {
      const { idleTimeoutMs = 0, halfClosedTimeoutMs = 0 } = this.#routes.cluster(name) ?? {};
      this.#tickForIdle(idleTimeoutMs);
      this.#tickForIdle(halfClosedTimeoutMs);
    }
  }
  #tickForIdle(idleMs: number): void {
    if (idleMs === 0 || tickFor(idleMs) >= this.#tickMs) return;
    this.#tickMs = tickFor(idleMs);
    clearInterval(this.#timer);
    this.#timer = this.#startTimer();
  }
  #startTimer(): NodeJS.Timeout {
    return setInterval(() => this.#tick(), this.#tickMs).unref();
  }
  #tick(): void {
    const now = this.#connections.clock();
    this.#acceptor.tick(now);
    this.#connections.tick(now);
  }

  accept(listener: Listener, wire: Wire): void {
    if (this.#draining) this.#acceptor.refuseAtOnce('draining', listener, wire);
    else this.#acceptor.accept(listener, wire);
  }

  byAuthority(authority: string): Target | undefined {
    return this.#routes.byAuthority(authority);
  }
  open(request: OpenRequest, done: OpenDone): OpenedConnection | undefined {
    return this.#connections.open(request, done);
  }
  claimFile(cluster: string): ClusterState | 'no-descriptors' | undefined {
    return this.#connections.claimFile(cluster);
  }
  giveFile(cluster: ClusterState): void {
    this.#connections.giveFile(cluster);
  }
  refuse(code: RefusalCode, about: RefusedPeer): void {
    this.#connections.refuse(code, about);
  }

  counters(): GatewayCounters {
    const { clusters, active, refused } = this.#connections;
    return {
      clusters: clusterCounters(clusters.states(), active.all),
      refusals: structuredClone(refused),
      halfOpen: this.#acceptor.halfOpen + (this.#tunnel?.halfOpen ?? 0),
      held: this.#connections.held.total,
      open: active.size,
    };
  }
  connections({ cluster, most = Number.POSITIVE_INFINITY }: ConnectionFilter = {}): ConnectionView[] {
    const now = this.#connections.clock();
    const found = this.#connections.active.all.filter(
      (one) => (cluster ?? one.cluster.entry.name) === one.cluster.entry.name,
    );
    return found
      .sort((a, b) => a.id - b.id)
      .slice(0, most)
      .map((connection) => connectionView(connection, now));
  }

  limitsReport(): LimitCounts {
    return this.#connections.clusters.limitsReport();
  }
  limitsOthers(others: LimitCounts): void {
    this.#connections.clusters.limitsOthers(others, (name) => this.#routes.cluster(name));
  }

  async drain(graceMs: number): Promise<void> {
    this.#draining = true;
    this.#tunnel?.drain();
    const deadline = this.#connections.clock() + graceMs;
    while (this.#isBusy() && this.#connections.clock() < deadline) await setTimeout(drainPollMs);
    this.close();
  }
  #isBusy(): boolean {
    return this.#connections.active.size > 0 || this.#acceptor.halfOpen > 0 || (this.#tunnel?.open ?? 0) > 0;
  }

  close(): void {
    this.#draining = true;
    clearInterval(this.#timer);
    this.#acceptor.close();
    this.#tunnel?.close();
    this.#connections.active.destroyAll();
  }
}
