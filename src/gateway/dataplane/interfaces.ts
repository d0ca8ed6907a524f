// Between listeners, the connection manager and the tunnel: what one asks of the other.
import type { Endpoint, Wire } from '../../net/wire/index.ts';
import type { ListenerKind } from '../engine.ts';
import type { RefusalCode } from '../refusals.ts';
import type { Target } from '../snapshot/cluster-entry.ts';
import type { SnapshotChange } from '../snapshot/snapshot.ts';
import type { ClusterState } from './clusters.ts';
import type { FirstBytes } from './first-bytes.ts';
import type { TunnelIdentity } from './tunnel/authenticator.ts';

/** Where a connection came in. `port` is the one that was asked for, so that routes match; 0 only where it was 0. */
export interface Listener {
  readonly kind: ListenerKind;
  readonly address: string;
  readonly port: number;
}

export interface OpenRequest {
  readonly listener: Listener;
  /** What the client asked for: server name or authority. Empty where listener's address and port say it. */
  readonly name: string;
  readonly target: Target;
  /** Of whose agent it is, where that was asked for. */
  readonly identity?: TunnelIdentity | undefined;
  /** The real client, balancers looked through. */
  readonly remote: Endpoint;
  /** Where the client connected to: the destination that a backend is told by PROXY protocol. */
  readonly local: Endpoint;
}

/** Either a refusal, already counted and logged; or a connection to a backend that waits for `carry`. */
export type OpenDone = (refusal: RefusalCode | undefined, opened?: OpenedConnection) => void;

/** A connection that was admitted. Counted from the start, so it must be carried or abandoned. */
export interface OpenedConnection {
  readonly upstream: Endpoint;
  /**
   * Joins the client with the backend, counts, and ends by itself. `head` is what was already read from the client
   * (and is taken over); `ended` that it will send nothing more.
   */
  carry(client: Wire, head?: Buffer | FirstBytes, ended?: boolean): void;
  /** The client has gone: ends the dial, or the backend's connection. `done` is not called any more. */
  abandon(): void;
}

/** What the tunnel may ask of the dataplane. */
export interface TunnelHost {
  byAuthority(authority: string): Target | undefined;
  /** `done` may be called before this returns. */
  open(request: OpenRequest, done: OpenDone): OpenedConnection | undefined;
  /** The open file of a tunnel is its cluster's from now on, until it is given back; undefined: there is no such cluster. */
  claimFile(cluster: string): ClusterState | 'no-descriptors' | undefined;
  giveFile(cluster: ClusterState): void;
  /** Counts and logs a refusal that the tunnel decided; the tunnel answers. */
  refuse(code: RefusalCode, about: RefusedPeer): void;
}

export interface RefusedPeer {
  readonly listener: Listener;
  /** Absent: the peer got no further than the listener. */
  readonly target?: Target;
  /** Of whose agent it is, where its credentials were good once. */
  readonly identity?: TunnelIdentity | undefined;
  readonly remote: Endpoint;
  /** What the peer asked for; it is not trusted. */
  readonly name?: string;
  /** More than the code says; in the log only. */
  readonly detail?: string;
}

export interface TunnelHandler {
  /** Peers that have not shown yet what they want and that they may. */
  readonly halfOpen: number;
  /** Tunnels that are open, and peers that may become one: a drain waits for them. */
  readonly open: number;
  /** Open files that it has, whatever for. */
  readonly files: number;
  /** Closes one that has not shown good credentials, because another needs its open file; false: there is none. */
  makeRoom(): boolean;
  /** `head` is what was already read; the handler owns it. `listener` is 'tunnel' or 'single'. */
  accept(wire: Wire, head: Buffer, remote: Endpoint, listener: Listener): void;
  apply(change: SnapshotChange): void;
  /** Tells peers to go elsewhere (GOAWAY); what is open goes on. */
  drain(): void;
  /** Ends everything now. */
  close(): void;
}

export type CreateTunnelHandler = (host: TunnelHost) => TunnelHandler;
