// One admitted connection: dials backends until one answers, is carried, and is counted from admission to its end.
import { proxyHeader } from '../../net/index.ts';
import {
  type Dial,
  type Dialled,
  type Endpoint,
  IdleWatch,
  type Meter,
  type Splice,
  splice,
  type Wire,
} from '../../net/wire/index.ts';
import type { ConnectionState } from '../engine.ts';
import type { RefusalCode } from '../refusals.ts';
import type { ClusterState, ServiceState } from './clusters.ts';
import { FirstBytes } from './first-bytes.ts';
import type { HeldBytes, HoldingConnection } from './held-bytes.ts';
import type { OpenDone, OpenedConnection, OpenRequest } from './interfaces.ts';
import { isOutOfFiles } from './open-files.ts';
import type { RoundRobinPosition, UpstreamHost } from './upstream.ts';

/** What a connection needs of its worker. */
export interface ConnectionHost {
  readonly clock: () => number;
  readonly connectTimeoutMs: number;
  readonly dialUpstream: Dial;
  /** Counts and logs why; the client is told by whoever asked. */
  refuse(code: RefusalCode, request: OpenRequest): void;
  readonly held: HeldBytes;
  /** It has ended: take it off the list. */
  closed(connection: Connection): void;
}

export interface ConnectionParts {
  readonly id: number;
  readonly files: number;
  readonly request: OpenRequest;
  readonly cluster: ClusterState;
  readonly manager: ConnectionHost;
  readonly done: OpenDone;
}

const nowhere: Endpoint = { address: '', port: 0 };

export class Connection extends IdleWatch implements OpenedConnection, Meter, HoldingConnection, RoundRobinPosition {
  readonly id: number;
  readonly request: OpenRequest;
  readonly cluster: ClusterState;
  readonly service: ServiceState;
  readonly openedAt: number;
  /** Of bytes that wait for readers. */
  heldBytes = 0;
  /** Open files that it takes. */
  readonly files: number;
  state: ConnectionState = 'dialing';
  sent = 0;
  received = 0;
  start = 0;
  tried = 0;
  /** Place in the worker's list. */
  index = -1;
  /** Its route has gone: when it must end. 0: never. */
  endsAt = 0;
  readonly #manager: ConnectionHost;
  /** The client had ended before it was carried. */
  #ended = false;
  #done: OpenDone | undefined;
  #upstream: UpstreamHost | undefined;
  #abandonDial: (() => void) | undefined;
  #upstreamWire: Wire | undefined;
  #splice: Splice | undefined;

  constructor({ id, files, request, cluster, manager, done }: ConnectionParts) {
    super(manager.clock());
    this.id = id;
    this.files = files;
    this.request = request;
    this.cluster = cluster;
    this.service = cluster.service(request.target.service);
    this.openedAt = this.quietSince;
    this.#manager = manager;
    this.#done = done;
    this.service.upstreams.beginRoundRobin(this);
  }

  /** Nothing happened for longer than it may stay so. */
  isIdle(now: number): boolean {
    const { idleTimeoutMs, halfClosedTimeoutMs } = this.cluster.entry;
    const isHalfClosed = this.#ended || this.#splice?.isHalfClosed === true;
    const quietMs = this.look(this.sent + this.received, isHalfClosed, now);
    return (idleTimeoutMs > 0 && quietMs > idleTimeoutMs) || (isHalfClosed && quietMs > halfClosedTimeoutMs);
  }

  holds(bytes: number): void {
    this.heldBytes += bytes;
    this.#manager.held.change(this.cluster, bytes);
  }
  shed(): void {
    this.#manager.refuse('too-much-unread', this.request);
    this.destroy();
  }

  get upstream(): Endpoint {
    return this.#upstream ?? nowhere;
  }

  dial(): void {
    if (this.state !== 'dialing') return;
    const now = this.#manager.clock();
    const { upstreams } = this.service;
    if (!upstreams.prepare(now, this)) return;
    const upstream = upstreams.next(this, now);
    if (upstream === undefined) this.giveUp();
    else this.#try(upstream);
  }
  #try(upstream: UpstreamHost): void {
    this.#upstream = upstream;
    const done: Dialled = (error, wire) => this.#dialled(error, wire);
    this.#abandonDial = this.#manager.dialUpstream(
      upstream.address,
      upstream.port,
      this.#manager.connectTimeoutMs,
      done,
    );
  }
  #dialled(error: Error | undefined, wire: Wire | undefined): void {
    this.#abandonDial = undefined;
    if (isOutOfFiles(error)) this.giveUp('no-descriptors');
    else if (wire === undefined) {
      this.#upstream?.failed(this.#manager.clock());
      this.dial();
    } else this.#connected(wire);
  }
  #connected(wire: Wire): void {
    this.#upstream?.succeeded();
    this.#upstreamWire = wire;
    this.state = 'waiting';
    const done = this.#done;
    this.#done = undefined;
    done?.(undefined, this);
  }

  /** No backend answered, or not in time. */
  giveUp(code: RefusalCode = 'no-backend'): void {
    const done = this.#done;
    this.#abandonDial?.();
    this.#end();
    this.#manager.refuse(code, this.request);
    done?.(code);
  }

  carry(client: Wire, head?: FirstBytes | Buffer, ended = false): void {
    if (this.state === 'waiting' && this.#upstreamWire !== undefined)
      this.#send(client, this.#upstreamWire, head instanceof FirstBytes ? head : firstBytesOf(head), ended);
    else client.destroy(true);
  }
  #send(client: Wire, upstreamWire: Wire, first: FirstBytes, ended: boolean): void {
    this.sent += first.length;
    const tells = this.cluster.entry.config.backendProxyProtocol === true;
    if (first.writeTo(upstreamWire, tells ? proxyHeader(this.request.remote, this.request.local) : undefined)) {
      first.free();
      this.#join(client, upstreamWire, ended);
    } else this.#joinWhenWritten(client, upstreamWire, first, ended);
  }
  #joinWhenWritten(client: Wire, upstreamWire: Wire, first: FirstBytes, ended: boolean): void {
    client.pause();
    upstreamWire.pause();
    const drained = (): void => {
      first.free();
      client.resume();
      upstreamWire.resume();
      this.#join(client, upstreamWire, ended);
    };
    const closed = (): void => {
      this.#end();
      client.destroy(true);
    };
    upstreamWire.read({ data: () => false, end: () => {}, drained, closed });
  }
  #join(client: Wire, upstreamWire: Wire, ended: boolean): void {
    if (this.state === 'closed') return;
    this.state = 'carried';
    this.#ended = ended;
    this.#splice = splice(client, upstreamWire, this, () => this.#end());
    if (ended) upstreamWire.end();
  }

  /** Ends both sides at once; `code` is for a client that was not carried yet. */
  destroy(code?: RefusalCode): void {
    // Not by a reset: Node never closes a socket that is reset while its end is still on the way out.
    if (this.state === 'carried') this.#splice?.destroy();
    else if (this.state === 'dialing') this.giveUp(code);
    else this.abandon();
  }

  abandon(): void {
    if (this.state === 'closed') return;
    this.#end();
    this.#abandonDial?.();
    this.#upstreamWire?.destroy(true);
  }

  #end(): void {
    if (this.state === 'closed') return;
    this.state = 'closed';
    this.#done = undefined;
    this.cluster.limits.release();
    this.service.open -= 1;
    this.service.sent += this.sent;
    this.service.received += this.received;
    this.#manager.closed(this);
  }
}

function firstBytesOf(head: Buffer | undefined): FirstBytes {
  const first = new FirstBytes();
  if (head !== undefined && head.length > 0) first.add(head);
  return first;
}
