// Connection manager: admission, the active connections, and the counts of those that were refused.

import type { Dial, Resolve } from '../../net/wire/index.ts';
import type { Log } from '../../sys/log.ts';
import type { ListenerKind } from '../engine.ts';
import type { RefusalCode } from '../refusals.ts';
import type { RouteTable, SnapshotChange, Target } from '../snapshot/index.ts';
import { type ClusterState, ClusterStates, type RefusalCounts } from './clusters.ts';
import { Connection, type ConnectionHost } from './connection.ts';
import { HeldBytes } from './held-bytes.ts';
import type { Listener, OpenDone, OpenedConnection, OpenRequest, RefusedPeer } from './interfaces.ts';
import type { OpenFiles } from './open-files.ts';
import { RefusalLog } from './refusal-log.ts';

export interface ConnectionManagerOptions {
  readonly log: Log;
  readonly dial: Dial;
  readonly resolve: Resolve;
  readonly clock: () => number;
  readonly connectTimeoutMs: number;
  readonly longestDialMs: number;
  readonly removalGraceMs: number;
  readonly openFiles: OpenFiles;
  readonly heldLimit?: number;
}

export class ConnectionManager implements ConnectionHost {
  readonly clock: () => number;
  readonly connectTimeoutMs: number;
  readonly dialUpstream: Dial;
  readonly clusters: ClusterStates;
  readonly active = new ActiveConnections();
  /** Of all active connections together. */
  files = 0;
  readonly held: HeldBytes;
  /** Before a cluster was known. */
  readonly refused: Partial<Record<ListenerKind, RefusalCounts>> = {};
  readonly #options: ConnectionManagerOptions;
  readonly #routes: RouteTable;
  readonly #refusalLog: RefusalLog;
  #lastId = 0;

  constructor(routes: RouteTable, options: ConnectionManagerOptions) {
    this.#routes = routes;
    this.#options = options;
    this.clock = options.clock;
    this.connectTimeoutMs = options.connectTimeoutMs;
    this.dialUpstream = options.dial;
    this.clusters = new ClusterStates(options.resolve, options.clock);
    this.#refusalLog = new RefusalLog(options.log);
    this.held = new HeldBytes(() => this.active.all, options.clock, options.heldLimit);
  }

  /** `files`: of the client's side and the backend's together. */
  open(request: OpenRequest, done: OpenDone, files = 1): OpenedConnection | undefined {
    const cluster = this.clusters.of(request.target.cluster);
    const refusal = this.#admit(cluster, request, files);
    if (refusal !== undefined) {
      this.refuse(refusal, request);
      done(refusal);
      return undefined;
    }
    this.#lastId += 1;
    const connection = new Connection({ id: this.#lastId, files, request, cluster, manager: this, done });
    connection.service.connections += 1;
    connection.service.open += 1;
    this.active.add(connection);
    connection.dial();
    return connection;
  }

  #admit(cluster: ClusterState, request: OpenRequest, files: number): RefusalCode | undefined {
    const refusal = cluster.admit(request, this.clock());
    if (refusal !== undefined) return refusal;
    if (this.#options.openFiles.take(cluster, files)) {
      this.files += files;
      return undefined;
    }
    cluster.limits.release();
    return 'no-descriptors';
  }

  refuse(code: RefusalCode, about: RefusedPeer): void {
    const { identity, listener } = about;
    // Whoever showed good credentials of a cluster is the cluster's matter, wherever it wanted to go.
    const target = about.target ?? (identity && this.#routes.cluster(identity.cluster)?.apiServer);
    const counts = target === undefined ? this.#refusedAt(listener.kind) : this.#refusalsOf(target);
    counts[code] = (counts[code] ?? 0) + 1;
    this.#refusalLog.note(code, about, this.clock());
  }
  #refusedAt(kind: ListenerKind): RefusalCounts {
    this.refused[kind] ??= {};
    return this.refused[kind];
  }
  #refusalsOf({ cluster, service }: NonNullable<RefusedPeer['target']>): RefusalCounts {
    return this.clusters.of(cluster).service(service).refusals;
  }

  /** The open file of an authenticated tunnel is its cluster's from now on; undefined where there is no such cluster. */
  claimFile(name: string): ClusterState | 'no-descriptors' | undefined {
    const entry = this.#routes.cluster(name);
    if (entry === undefined) return undefined;
    const cluster = this.clusters.of(entry);
    return this.#options.openFiles.claim(cluster) ? cluster : 'no-descriptors';
  }
  giveFile(cluster: ClusterState): void {
    this.#options.openFiles.give(cluster, 1);
    this.clusters.forgetIfGone(cluster);
  }

  closed(connection: Connection): void {
    this.active.remove(connection);
    this.files -= connection.files;
    this.#options.openFiles.give(connection.cluster, connection.files);
    this.clusters.forgetIfGone(connection.cluster);
  }

  /** Connections of clusters that did not change are not even looked at. */
  apply(change: SnapshotChange, graceMs = this.#options.removalGraceMs): void {
    const touched = this.clusters.apply(this.#routes.apply(change));
    this.#shareFiles();
    if (touched.size === 0) return;
    const endsAt = this.clock() + graceMs;
    for (const connection of this.active.all) {
      if (!touched.has(connection.cluster)) continue;
      connection.endsAt = this.#hasRoute(connection) ? 0 : connection.endsAt || endsAt;
    }
  }
  #shareFiles(): void {
    this.#options.openFiles.configure(this.#routes.size, this.clusters.states());
  }
  #hasRoute({ request, cluster }: Connection): boolean {
    const target = targetOf(this.#routes, request.listener, request.name);
    return target?.cluster.name === cluster.entry.name && target.service === request.target.service;
  }

  tick(now: number): void {
    this.active.sweep(now, this.#options.longestDialMs);
    this.#shareFiles();
    this.#refusalLog.tick(now);
  }
}

// The active connections of one worker, and the sweep that ends those whose time is over. One timer for all of them.

export class ActiveConnections {
  readonly #all: Connection[] = [];

  get size(): number {
    return this.#all.length;
  }
  get all(): readonly Connection[] {
    return this.#all;
  }

  add(connection: Connection): void {
    connection.index = this.#all.length;
    this.#all.push(connection);
  }

  /** The last one takes its place. */
  remove(connection: Connection): void {
    const last = this.#all.pop();
    if (last === undefined || last === connection) return;
    this.#all[connection.index] = last;
    last.index = connection.index;
  }

  /** From behind, because those that end are taken out on the way. */
  sweep(now: number, longestDialMs: number): void {
    for (let i = this.#all.length - 1; i >= 0; i--) {
      const connection = this.#all[i];
      if (connection !== undefined && isOver(connection, now, longestDialMs)) connection.destroy();
    }
  }

  destroyAll(): void {
    for (const connection of [...this.#all]) connection.destroy('draining');
  }
}

function isOver(connection: Connection, now: number, longestDialMs: number): boolean {
  if (connection.endsAt !== 0 && connection.endsAt <= now) return true;
  if (connection.state === 'dialing') return now - connection.openedAt > longestDialMs;
  return connection.isIdle(now);
}

// Where a connection that came in somewhere, by some name, goes at present.

/** `name` is a server name or an authority; empty where the listener alone decides. */
export function targetOf(routes: RouteTable, listener: Listener, name: string): Target | undefined {
  switch (listener.kind) {
    case 'nodePort':
      return routes.byNodePort(listener.port);
    case 'address':
      return routes.byAddress(listener.address, listener.port);
    default:
      return listener.kind === 'tunnel' ? routes.byAuthority(name) : (routes.bySni(name) ?? routes.byAuthority(name));
  }
}
