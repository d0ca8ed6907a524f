// One admitted connection: dials backends until one answers, is carried, and is counted from admission to its end.
import { proxyHeader } from '../../net/proxy-protocol-write.ts';
import { type Dialled, dial } from '../../net/wire/dial.ts';
import { type Meter, type Splice, splice } from '../../net/wire/splice.ts';
import type { Endpoint, Wire } from '../../net/wire/wire.ts';
import type { RefusalCode } from '../refusals.ts';
import type { ClusterState, ServiceState } from './cluster-state.ts';
import { FirstBytes } from './first-bytes.ts';
import type { OpenDone, OpenedConnection, OpenRequest } from './interfaces.ts';
import type { Candidate, Turn } from './upstream.ts';

export type ConnectionState = 'dialing' | 'waiting' | 'carried' | 'closed';

/** What a connection needs of its worker. */
export interface ConnectionHost {
  readonly clock: () => number;
  readonly connectTimeoutMs: number;
  /** Counts and logs why; the client is told by whoever asked. */
  refuse(code: RefusalCode, request: OpenRequest): void;
  /** It has ended: take it off the list. */
  closed(connection: Connection): void;
}

const nowhere: Endpoint = { address: '', port: 0 };

export class Connection implements OpenedConnection, Meter, Turn {
  readonly id: number;
  readonly request: OpenRequest;
  readonly cluster: ClusterState;
  readonly service: ServiceState;
  readonly openedAt: number;
  state: ConnectionState = 'dialing';
  sent = 0;
  received = 0;
  start = 0;
  tried = 0;
  /** Place in the worker's list. */
  index = -1;
  /** Sum of bytes when it was last looked at, and since when it is the same. */
  seenBytes = 0;
  quietSince: number;
  /** Its route has gone: when it must end. 0: never. */
  endsAt = 0;
  readonly #host: ConnectionHost;
  #done: OpenDone | undefined;
  #candidate: Candidate | undefined;
  #abandonDial: (() => void) | undefined;
  #backend: Wire | undefined;
  #splice: Splice | undefined;

  constructor(id: number, request: OpenRequest, cluster: ClusterState, host: ConnectionHost, done: OpenDone) {
    this.id = id;
    this.request = request;
    this.cluster = cluster;
    this.service = cluster.service(request.target.service);
    this.openedAt = host.clock();
    this.quietSince = this.openedAt;
    this.#host = host;
    this.#done = done;
    this.service.backends.begin(this);
  }

  get backend(): Endpoint {
    return this.#candidate ?? nowhere;
  }

  dial(): void {
    if (this.state !== 'dialing') return;
    const now = this.#host.clock();
    const { backends } = this.service;
    if (!backends.prepare(now, this)) return;
    const candidate = backends.next(this, now);
    if (candidate === undefined) this.giveUp();
    else this.#try(candidate);
  }
  #try(candidate: Candidate): void {
    this.#candidate = candidate;
    const done: Dialled = (_error, wire) => this.#dialled(wire);
    this.#abandonDial = dial(candidate.address, candidate.port, this.#host.connectTimeoutMs, done);
  }
  #dialled(wire: Wire | undefined): void {
    this.#abandonDial = undefined;
    if (wire === undefined) {
      this.#candidate?.failed(this.#host.clock());
      this.dial();
    } else this.#reached(wire);
  }
  #reached(wire: Wire): void {
    this.#candidate?.succeeded();
    this.#backend = wire;
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
    this.#host.refuse(code, this.request);
    done?.(code);
  }

  carry(client: Wire, head?: FirstBytes | Buffer, ended = false): void {
    if (this.state === 'waiting' && this.#backend !== undefined)
      this.#send(client, this.#backend, head instanceof FirstBytes ? head : firstBytesOf(head), ended);
    else client.destroy(true);
  }
  #send(client: Wire, backend: Wire, first: FirstBytes, ended: boolean): void {
    this.sent += first.length;
    const tells = this.cluster.entry.config.backendProxyProtocol === true;
    if (first.writeTo(backend, tells ? proxyHeader(this.request.remote, this.request.local) : undefined)) {
      first.free();
      this.#join(client, backend, ended);
    } else this.#joinWhenWritten(client, backend, first, ended);
  }
  #joinWhenWritten(client: Wire, backend: Wire, first: FirstBytes, ended: boolean): void {
    client.pause();
    backend.pause();
    const drained = (): void => {
      first.free();
      client.resume();
      backend.resume();
      this.#join(client, backend, ended);
    };
    const closed = (): void => {
      this.#end();
      client.destroy(true);
    };
    backend.read({ data: () => false, end: () => {}, drained, closed });
  }
  #join(client: Wire, backend: Wire, ended: boolean): void {
    if (this.state === 'closed') return;
    this.state = 'carried';
    this.#splice = splice(client, backend, this, () => this.#end());
    if (ended) backend.end();
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
    this.#backend?.destroy(true);
  }

  #end(): void {
    if (this.state === 'closed') return;
    this.state = 'closed';
    this.#done = undefined;
    this.cluster.limits.release();
    this.service.open -= 1;
    this.service.sent += this.sent;
    this.service.received += this.received;
    this.#host.closed(this);
  }
}

function firstBytesOf(head: Buffer | undefined): FirstBytes {
  const first = new FirstBytes();
  if (head !== undefined && head.length > 0) first.add(head);
  return first;
}
