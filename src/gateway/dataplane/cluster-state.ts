// What a worker keeps of one cluster beside its entry: counters and limits, which outlive a change of the entry.
import type { Endpoint } from '../../net/wire/wire.ts';
import type { RefusalCode } from '../refusals.ts';
import type { ClusterEntry } from '../snapshot/cluster-entry.ts';
import type { Service } from '../snapshot/snapshot.ts';
import { Limits } from './limits.ts';
import type { Lookup } from './resolved-name.ts';
import { UpstreamHosts } from './upstream.ts';

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

  constructor(lookup: Lookup, clock: () => number) {
    this.upstreams = new UpstreamHosts(lookup, clock);
  }
}

export class ClusterState {
  readonly limits = new Limits();
  readonly apiServer: ServiceState;
  readonly konnectivity: ServiceState;
  entry: ClusterEntry;

  constructor(entry: ClusterEntry, lookup: Lookup, clock: () => number) {
    this.entry = entry;
    this.apiServer = new ServiceState(lookup, clock);
    this.konnectivity = new ServiceState(lookup, clock);
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
