// The gateway inside one worker: routes, doors and accounting around connections that carry themselves.
import { setTimeout } from 'node:timers/promises';
import { type Log, silentLog } from '../../net/log.ts';
import type { Wire } from '../../net/wire/wire.ts';
import type { RefusalCode } from '../refusals.ts';
import { RouteTable, type SnapshotChange, type Target } from '../snapshot/index.ts';
import { FrontDoor } from './acceptor.ts';
import type { ConnectionView } from './active-connections.ts';
import type { LimitCounts } from './clusters.ts';
import { Switchboard } from './connection-manager.ts';
import { clusterCounters, connectionView, type GatewayCounters } from './counters.ts';
import type {
  Listener,
  MakeTunnelDoor,
  OpenDone,
  OpenedConnection,
  OpenRequest,
  RefusedPeer,
  TunnelDoor,
  TunnelHost,
} from './interfaces.ts';
import { type Lookup, systemLookup } from './resolved-name.ts';

export interface GatewayOptions {
  /** @default says nothing */
  readonly log?: Log;
  /** Absent: tunnels are refused. */
  readonly tunnelDoor?: MakeTunnelDoor;
  /** For the first message of a client. @default 5000 */
  readonly helloTimeoutMs?: number;
  /** Clients that have not said yet what they want; when there are more, the oldest goes. @default 10000 */
  readonly mostHalfOpen?: number;
  /** For each backend. @default 3000 */
  readonly connectTimeoutMs?: number;
  /** For all backends together. @default 15000 */
  readonly longestDialMs?: number;
  /** What connections of a removed cluster or route still have. @default 30000 */
  readonly removalGraceMs?: number;
  /** @default the system's resolver */
  readonly lookup?: Lookup;
  /** Milliseconds that never go back. @default performance.now */
  readonly clock?: () => number;
}

export interface ConnectionFilter {
  readonly cluster?: string;
  readonly most?: number;
}

export interface Gateway extends TunnelHost {
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

export const createGateway = (options: GatewayOptions = {}): Gateway => new WorkerGateway(options);

const defaults = {
  log: silentLog,
  lookup: systemLookup,
  clock: () => performance.now(),
  helloTimeoutMs: 5000,
  mostHalfOpen: 10_000,
  connectTimeoutMs: 3000,
  longestDialMs: 15_000,
  removalGraceMs: 30_000,
};
const longestTickMs = 1000;
const shortestTickMs = 20;
const drainPollMs = 25;
/** A deadline is met by a quarter of its length. */
const tickFor = (ms: number): number => Math.max(shortestTickMs, Math.min(longestTickMs, ms / 4));

class WorkerGateway implements Gateway {
  readonly #routes = new RouteTable();
  readonly #switchboard: Switchboard;
  readonly #door: FrontDoor;
  readonly #tunnelDoor: TunnelDoor | undefined;
  #draining = false;
  #tickMs: number;
  #timer: NodeJS.Timeout;

  constructor(options: GatewayOptions) {
    const settings = { ...defaults, ...options };
    this.#switchboard = new Switchboard(this.#routes, settings);
    this.#door = new FrontDoor(this.#routes, this.#switchboard, settings);
    this.#tunnelDoor = options.tunnelDoor?.(this);
    this.#door.tunnelDoor = this.#tunnelDoor;
    const { helloTimeoutMs, longestDialMs, removalGraceMs } = settings;
    this.#tickMs = tickFor(Math.min(helloTimeoutMs, longestDialMs, removalGraceMs));
    this.#timer = this.#startTimer();
  }

  apply(change: SnapshotChange, graceMs?: number): void {
    this.#switchboard.apply(change, graceMs);
    this.#door.apply(change.settings);
    this.#tunnelDoor?.apply(change.settings);
    for (const name in change.changed) this.#tickForIdle(this.#routes.cluster(name)?.idleTimeoutMs ?? 0);
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
    const now = this.#switchboard.clock();
    this.#door.tick(now);
    this.#switchboard.tick(now);
  }

  accept(listener: Listener, wire: Wire): void {
    if (this.#draining) this.#door.turnAway(listener, wire);
    else this.#door.receive(listener, wire);
  }

  byAuthority(authority: string): Target | undefined {
    return this.#routes.byAuthority(authority);
  }
  open(request: OpenRequest, done: OpenDone): OpenedConnection | undefined {
    return this.#switchboard.open(request, done);
  }
  refuse(code: RefusalCode, about: RefusedPeer): void {
    this.#switchboard.refuse(code, about);
  }

  counters(): GatewayCounters {
    const { clusters, live, refused } = this.#switchboard;
    return {
      clusters: clusterCounters(clusters.states(), live.all),
      refusals: structuredClone(refused),
      halfOpen: this.#door.halfOpen + (this.#tunnelDoor?.halfOpen ?? 0),
      open: live.size,
    };
  }
  connections({ cluster, most = Number.POSITIVE_INFINITY }: ConnectionFilter = {}): ConnectionView[] {
    const now = this.#switchboard.clock();
    const found = this.#switchboard.live.all.filter(
      (one) => (cluster ?? one.cluster.entry.name) === one.cluster.entry.name,
    );
    return found
      .sort((a, b) => a.id - b.id)
      .slice(0, most)
      .map((connection) => connectionView(connection, now));
  }

  limitsReport(): LimitCounts {
    return this.#switchboard.clusters.limitsReport();
  }
  limitsOthers(others: LimitCounts): void {
    this.#switchboard.clusters.limitsOthers(others, (name) => this.#routes.cluster(name));
  }

  async drain(graceMs: number): Promise<void> {
    this.#draining = true;
    this.#tunnelDoor?.drain();
    const deadline = this.#switchboard.clock() + graceMs;
    while (this.#isBusy() && this.#switchboard.clock() < deadline) await setTimeout(drainPollMs);
    this.close();
  }
  #isBusy(): boolean {
    return this.#switchboard.live.size > 0 || this.#door.halfOpen > 0 || (this.#tunnelDoor?.open ?? 0) > 0;
  }

  close(): void {
    this.#draining = true;
    clearInterval(this.#timer);
    this.#door.close();
    this.#tunnelDoor?.close();
    this.#switchboard.live.destroyAll();
  }
}
