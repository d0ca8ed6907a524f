// Accepts downstream connections: a bounded number whose first bytes are not complete, each for a bounded time.
import { compileNetworks, type IpMatcher } from '../../net/index.ts';
import type { Endpoint, Wire } from '../../net/wire/index.ts';
import type { RefusalCode } from '../refusals.ts';
import type { RouteTable, SnapshotChange, Target } from '../snapshot/index.ts';
import { type ConnectionManager, targetOf } from './connection-manager.ts';
import { DownstreamConnection, type DownstreamHost } from './downstream-connection.ts';
import type { Listener, OpenDone, OpenedConnection, OpenRequest, RefusedPeer, TunnelHandler } from './interfaces.ts';
import type { OpenFiles } from './open-files.ts';
import { TimeoutQueue } from './timeout-queue.ts';

export interface AcceptorLimits {
  readonly helloTimeoutMs: number;
  readonly maxHalfOpen: number;
  readonly openFiles: OpenFiles;
}

/** The client's connection and the backend's; in a tunnel there is only the latter. */
const filesByName = 2;
const nobody: IpMatcher = () => false;
/** How long a client that was refused may take to read why, */
const lingerMs = 2000;

export class Acceptor implements DownstreamHost {
  tunnel: TunnelHandler | undefined;
  readonly #routes: RouteTable;
  readonly #connections: ConnectionManager;
  readonly #limits: AcceptorLimits;
  readonly #halfOpen = new TimeoutQueue<DownstreamConnection>();
  readonly #lingering = new TimeoutQueue<DownstreamConnection>();
  #isTrusted = nobody;
  #trusted: readonly string[] = [];

  constructor(routes: RouteTable, connections: ConnectionManager, limits: AcceptorLimits) {
    this.#routes = routes;
    this.#connections = connections;
    this.#limits = limits;
  }

  get halfOpen(): number {
    return this.#halfOpen.size;
  }

  apply(settings: SnapshotChange['settings']): void {
    this.#trusted = settings.trustedBalancers;
    this.#isTrusted = this.#trusted.length === 0 ? nobody : compileNetworks(this.#trusted);
  }

  accept(listener: Listener, wire: Wire): void {
    if (this.#halfOpen.size >= this.#limits.maxHalfOpen) this.#halfOpen.oldest?.refuse('too-many-half-open');
    if (!this.#makeRoom()) {
      this.refuseAtOnce('no-descriptors', listener, wire);
      return;
    }
    const downstream = new DownstreamConnection(listener, wire, this);
    this.#halfOpen.add(downstream, this.#connections.clock());
    downstream.begin();
  }
  /** Who has not said for longest what it wants gives way. */
  #makeRoom(): boolean {
    if (this.#limits.openFiles.hasRoomForNewcomer()) return true;
    const { oldest } = this.#halfOpen;
    if (oldest === undefined) return this.tunnel?.makeRoom() ?? false;
    oldest.refuse('no-descriptors');
    return true;
  }

  /** Whatever it wants: the client is told why. */
  refuseAtOnce(code: RefusalCode, listener: Listener, wire: Wire): void {
    const downstream = new DownstreamConnection(listener, wire, this);
    this.#halfOpen.add(downstream, this.#connections.clock());
    downstream.refuse(code);
    wire.read(downstream);
  }

  /** To be called now and then. */
  tick(now: number): void {
    const late = now - this.#limits.helloTimeoutMs;
    for (let one = this.#halfOpen.due(late); one !== undefined; one = this.#halfOpen.due(late))
      one.refuse('hello-timeout');
    const slow = now - lingerMs;
    for (let one = this.#lingering.due(slow); one !== undefined; one = this.#lingering.due(slow)) one.close();
  }

  close(): void {
    for (const queue of [this.#halfOpen, this.#lingering])
      for (let one = queue.oldest; one !== undefined; one = queue.oldest) one.close();
  }

  needsProxyHeader(wire: Wire): boolean {
    return this.#trusted.length > 0 && this.#isTrusted(wire.remote.address);
  }
  isTunnel(listener: Listener, serverName: string): boolean {
    return listener.kind === 'single' && serverName === this.#routes.tunnelName;
  }
  bySni(serverName: string): Target | undefined {
    return this.#routes.bySni(serverName);
  }
  byPort(listener: Listener): Target | undefined {
    return targetOf(this.#routes, listener, '');
  }
  open(request: OpenRequest, done: OpenDone): OpenedConnection | undefined {
    return this.#connections.open(request, done, filesByName);
  }
  refuse(code: RefusalCode, about: RefusedPeer): void {
    this.#connections.refuse(code, about);
  }
  toTunnel(wire: Wire, head: Buffer, remote: Endpoint, listener: Listener): void {
    if (this.tunnel === undefined) wire.destroy(true);
    else this.tunnel.accept(wire, head, remote, listener);
  }
  inspected(downstream: DownstreamConnection): void {
    this.#halfOpen.remove(downstream);
  }
  startLinger(downstream: DownstreamConnection): void {
    while (this.#lingering.size > 0 && this.#lingering.size >= this.#limits.openFiles.mostLingering)
      this.#lingering.oldest?.close();
    this.#lingering.add(downstream, this.#connections.clock());
  }
  endLinger(downstream: DownstreamConnection): void {
    this.#lingering.remove(downstream);
  }
}
