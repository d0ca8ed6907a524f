// State of the clusters that a worker has had connections for. A cluster without connections and refusals costs nothing.

import type { Endpoint, Resolve } from '../../net/wire/index.ts';
import type { RefusalCode } from '../refusals.ts';
import type { ClusterEntry } from '../snapshot/cluster-entry.ts';
import type { AppliedChange } from '../snapshot/route-table.ts';
import type { Service } from '../snapshot/snapshot.ts';
import type { ByteHolder } from './held-bytes.ts';
import { type LimitCount, Limits } from './limits.ts';
import type { FileHolder } from './open-files.ts';
import { UpstreamHosts } from './upstream.ts';

export type LimitCounts = Readonly<Record<string, LimitCount>>;

export class ClusterStates {
  readonly #states = new Map<string, ClusterState>();
  readonly #resolve: Resolve;
  readonly #clock: () => number;

  constructor(resolve: Resolve, clock: () => number) {
    this.#resolve = resolve;
    this.#clock = clock;
  }

  states(): Iterable<ClusterState> {
    return this.#states.values();
  }

  of(entry: ClusterEntry): ClusterState {
    return this.#states.get(entry.name) ?? this.#open(entry);
  }
  #open(entry: ClusterEntry): ClusterState {
    const state = new ClusterState(entry, this.#resolve, this.#clock);
    // A connection may still be on its way to a cluster that has just gone: counted, but not kept.
    if (!entry.removed) this.#states.set(entry.name, state);
    return state;
  }

  /** Answers with those whose connections must be looked at. */
  apply({ added, updated, removed }: AppliedChange): Set<ClusterState> {
    const now = this.#clock();
    const touched = new Set<ClusterState>();
    // One that was removed may have connections left, and may come back.
    for (const entry of [...removed, ...updated, ...added]) {
      const state = this.#states.get(entry.name);
      if (state === undefined) continue;
      touched.add(state);
      if (entry.removed) this.forgetIfGone(state);
      else state.update(entry, now);
    }
    return touched;
  }

  /** A cluster that was removed is forgotten with its last connection. */
  forgetIfGone(state: ClusterState): void {
    const { name, removed } = state.entry;
    if (removed && state.limits.open === 0 && state.files === 0 && this.#states.get(name) === state)
      this.#states.delete(name);
  }

  limitsReport(): LimitCounts {
    const counts: Record<string, LimitCount> = {};
    for (const { limits, entry } of this.#states.values()) {
      const count = limits.limited ? limits.report() : undefined;
      if (count !== undefined) counts[entry.name] = count;
    }
    return counts;
  }

  /** Clusters that this worker has never had to do with are opened: their limits count here too. */
  limitsOthers(others: LimitCounts, entryOf: (name: string) => ClusterEntry | undefined): void {
    for (const name in others) {
      const count = others[name];
      const entry = entryOf(name);
      if (count !== undefined && entry !== undefined) this.of(entry).limits.others(count);
    }
  }
}

// What a worker keeps of one cluster beside its entry: counters and limits, which outlive a change of the entry.

export type RefusalCounts = Partial<Record<RefusalCode, number>>;

export interface ServiceCounters {
  /** Connections that were admitted, ever. */
  readonly connections: number;
  readonly open: number;
  /** Bytes from clients to backends. */
  readonly sent: number;
  /** Bytes from backends to clients. */
  readonly received: number;
  readonly refusals: Readonly<RefusalCounts>;
}

export class ServiceState {
  readonly upstreams: UpstreamHosts;
  readonly refusals: RefusalCounts = {};
  connections = 0;
  open = 0;
  /** Of connections that have ended; those that are open count for themselves. */
  sent = 0;
  received = 0;

  constructor(resolve: Resolve, clock: () => number) {
    this.upstreams = new UpstreamHosts(resolve, clock);
  }
}

export class ClusterState implements FileHolder, ByteHolder {
  files = 0;
  heldBytes = 0;
  readonly limits = new Limits();
  readonly apiServer: ServiceState;
  readonly konnectivity: ServiceState;
  entry: ClusterEntry;

  constructor(entry: ClusterEntry, resolve: Resolve, clock: () => number) {
    this.entry = entry;
    this.apiServer = new ServiceState(resolve, clock);
    this.konnectivity = new ServiceState(resolve, clock);
    this.update(entry, clock());
  }

  update(entry: ClusterEntry, now: number): void {
    this.entry = entry;
    this.limits.configure(entry.maxConnections, entry.connectionsPerSecond, now);
    this.apiServer.upstreams.update(entry.apiServer.backends);
    this.konnectivity.upstreams.update(entry.konnectivity.backends);
  }

  service(name: Service): ServiceState {
    return name === 'apiServer' ? this.apiServer : this.konnectivity;
  }

  /** Counts the connection unless it answers why not. */
  admit(peer: { readonly remote: Endpoint }, now: number): RefusalCode | undefined {
    const { entry } = this;
    // The address costs a system call: only where somebody wants to know.
    if (entry.config.allowedSourceRanges !== undefined && !entry.allows(peer.remote.address))
      return 'source-not-allowed';
    return this.limits.admit(now);
  }
}
