// What a gateway runs by: immutable, versioned, exchanged whole. The plan writes the same shape; `readSnapshot` checks it
// without any library, because the gateway loads none.
import { entryOf } from '../../core/collections.ts';
import { sameJson } from '../../core/same-json.ts';
import type { TokenAuthority } from '../../net/index.ts';

export interface Snapshot {
  readonly version: string;
  readonly seed: string;
  readonly listeners: {
    /** API server and konnectivity by SNI. */
    readonly sni?: number;
    /** Tunnel by CONNECT. */
    readonly tunnel?: number;
    /** Everything on one port, told apart by SNI. */
    readonly single?: number;
    readonly nodePortRange: string;
  };
  readonly tunnel: {
    /** Reserved name of the tunnel. */
    readonly name: string;
    readonly authentication: 'token' | 'certificate' | 'none';
    /** PEM files with the gateway's own certificate, relative to the snapshot's file. */
    readonly certificate?: { readonly certFile: string; readonly keyFile: string };
    /** Keys that sign agents' tokens (PEM, Ed25519): more than one while they are rotated. */
    readonly publicKeys?: readonly string[];
    /** Authorities that sign agents' client certificates (PEM). */
    readonly clientAuthorities?: readonly string[];
  };
  /** Networks whose PROXY protocol header is believed. */
  readonly trustedBalancers: readonly string[];
  readonly clusters: Readonly<Record<string, SnapshotCluster>>;
}

export interface SnapshotCluster {
  readonly apiServer: SnapshotRoute;
  readonly konnectivity: SnapshotRoute;
  /** Absent: everybody. */
  readonly allowedSourceRanges?: readonly string[];
  readonly maxConnections?: number;
  readonly connectionsPerSecond?: number;
  /** A duration: 10m, 1h. */
  readonly idleTimeout: string;
  /** The same once one side has ended. @default 1m */
  readonly halfClosedTimeout?: string;
  /** Tell backends the client's address with a PROXY protocol v2 header. */
  readonly backendProxyProtocol?: boolean;
  /** Who signs tokens of the cluster's own, which its agents may show at the tunnel as well as those of the seed's keys. */
  readonly tokenAuthorities?: readonly TokenAuthority[];
  /** Nodes that are shut out of the tunnel, whoever signed their tokens. */
  readonly evictedNodes?: readonly EvictedNode[];
  /** Seconds since 1970: a token that names no node, and was issued before, is refused. */
  readonly unboundTokensFrom?: number;
}

export interface EvictedNode {
  readonly name: string;
  /** Seconds since 1970: only tokens that were issued before. Absent: all of them. */
  readonly issuedBefore?: number;
}

export interface SnapshotRoute {
  readonly sni?: string;
  readonly authority?: string;
  readonly nodePort?: number;
  /** Own addresses and port (LoadBalancer). */
  readonly addresses?: readonly string[];
  readonly port?: number;
  /** host:port, [v6]:port. */
  readonly backends: readonly string[];
}

export type Service = 'apiServer' | 'konnectivity';

/** The difference between two snapshots: what a worker needs to get from one to the other. */
export interface SnapshotChange {
  readonly version: string;
  /** Everything but the clusters; small, so always whole. */
  readonly settings: Omit<Snapshot, 'clusters' | 'version'>;
  readonly changed: Readonly<Record<string, SnapshotCluster>>;
  readonly removed: readonly string[];
}

/** Linear, and without writing anything as text: most clusters are the same object in both, the others mostly equal. */
export function diffSnapshots(before: Snapshot | undefined, after: Snapshot): SnapshotChange {
  const { version, clusters, ...settings } = after;
  if (before === undefined) return { version, settings, changed: clusters, removed: [] };
  const changed: Record<string, SnapshotCluster> = {};
  for (const name in clusters) {
    const cluster = clusters[name];
    if (cluster !== undefined && !sameJson(entryOf(before.clusters, name), cluster)) changed[name] = cluster;
  }
  const removed: string[] = [];
  for (const name in before.clusters) if (!Object.hasOwn(clusters, name)) removed.push(name);
  return { version, settings, changed, removed };
}
