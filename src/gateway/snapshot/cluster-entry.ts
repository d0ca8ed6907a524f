// One cluster while the gateway runs. The same object for as long as the cluster exists, so that counters and connections
// can hold on to it; what the snapshot says about it is exchanged inside.
import { durationMs, longestTimer } from '../../core/duration.ts';
import { sameJson } from '../../core/same-json.ts';
import { compileNetworks, type IpMatcher } from '../../net/index.ts';
import { type Backend, readBackend } from './hosts.ts';
import type { Service, SnapshotCluster, SnapshotRoute } from './snapshot.ts';

/** Where a connection is to go. The same object for as long as its cluster exists. */
export interface Target {
  readonly cluster: ClusterEntry;
  readonly service: Service;
  readonly route: SnapshotRoute;
  /** Another list exactly when the backends are others. */
  readonly backends: readonly Backend[];
}

/** For snapshots from before there was a setting. */
const defaultHalfClosedMs = 60_000;

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

export class ClusterEntry {
  readonly name: string;
  readonly apiServer: Target;
  readonly konnectivity: Target;
  /** What the snapshot says at present. */
  config: SnapshotCluster;
  /** Taken out of the snapshot: its connections end after a grace time. It never comes back; a new one does. */
  removed = false;
  /** Grows with every change of the cluster. */
  revision = 0;
  idleTimeoutMs = 0;
  halfClosedTimeoutMs = 0;
  /** Infinity where there is no limit. */
  maxConnections = Number.POSITIVE_INFINITY;
  connectionsPerSecond = Number.POSITIVE_INFINITY;
  #allowed: IpMatcher | undefined;

  constructor(name: string, config: SnapshotCluster) {
    this.name = name;
    this.config = config;
    this.apiServer = targetOf(this, 'apiServer');
    this.konnectivity = targetOf(this, 'konnectivity');
    this.#readLimits();
  }

  /** Ranges are compiled when the first connection asks: most clusters have none at a given time. */
  allows(source: string): boolean {
    const ranges = this.config.allowedSourceRanges;
    if (ranges === undefined) return true;
    this.#allowed ??= compileNetworks(ranges);
    return this.#allowed(source);
  }

  update(config: SnapshotCluster): void {
    this.config = config;
    this.revision++;
    updateTarget(this.apiServer, config.apiServer);
    updateTarget(this.konnectivity, config.konnectivity);
    this.#readLimits();
  }

  #readLimits(): void {
    const { idleTimeout, halfClosedTimeout, maxConnections, connectionsPerSecond } = this.config;
    this.idleTimeoutMs = Math.min(durationMs(idleTimeout) ?? 0, longestTimer);
    this.halfClosedTimeoutMs = Math.min(durationMs(halfClosedTimeout ?? '') ?? defaultHalfClosedMs, longestTimer);
    this.maxConnections = maxConnections ?? Number.POSITIVE_INFINITY;
    this.connectionsPerSecond = connectionsPerSecond ?? Number.POSITIVE_INFINITY;
    this.#allowed = undefined;
  }
}

function targetOf(cluster: ClusterEntry, service: Service): Target {
  const route = cluster.config[service];
  return { cluster, service, route, backends: route.backends.map(readBackend) };
}

function updateTarget(target: Mutable<Target>, route: SnapshotRoute): void {
  const sameBackends = sameJson(target.route.backends, route.backends);
  target.route = route;
  if (!sameBackends) target.backends = route.backends.map(readBackend);
}
