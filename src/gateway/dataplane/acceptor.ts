// Receives clients: a bounded number of those that have not said yet what they want, each for a bounded time.
import { compileNetworks, type IpMatcher } from '../../net/ip-ranges.ts';
import type { Endpoint, Wire } from '../../net/wire/wire.ts';
import type { RefusalCode } from '../refusals.ts';
import type { RouteTable, SnapshotChange, Target } from '../snapshot/index.ts';
import type { Switchboard } from './connection-manager.ts';
import { Arrival, type Reception } from './downstream-connection.ts';
import type { Listener, OpenDone, OpenedConnection, OpenRequest, RefusedPeer, TunnelDoor } from './interfaces.ts';
import { targetOf } from './target-of.ts';
import { WaitingLine } from './timeout-queue.ts';

export interface FrontDoorLimits {
  readonly helloTimeoutMs: number;
  readonly mostHalfOpen: number;
}

const nobody: IpMatcher = () => false;
/** How long a client that was refused may take to read why, and how many of them may do so. */
const lingerMs = 2000;
const mostLeaving = 1000;

export class FrontDoor implements Reception {
  tunnelDoor: TunnelDoor | undefined;
  readonly #routes: RouteTable;
  readonly #switchboard: Switchboard;
  readonly #limits: FrontDoorLimits;
  readonly #halfOpen = new WaitingLine<Arrival>();
  readonly #leaving = new WaitingLine<Arrival>();
  #isTrusted = nobody;
  #trusted: readonly string[] = [];

  constructor(routes: RouteTable, switchboard: Switchboard, limits: FrontDoorLimits) {
    this.#routes = routes;
    this.#switchboard = switchboard;
    this.#limits = limits;
  }

  get halfOpen(): number {
    return this.#halfOpen.size;
  }

  apply(settings: SnapshotChange['settings']): void {
    this.#trusted = settings.trustedBalancers;
    this.#isTrusted = this.#trusted.length === 0 ? nobody : compileNetworks(this.#trusted);
  }

  receive(listener: Listener, wire: Wire): void {
    if (this.#halfOpen.size >= this.#limits.mostHalfOpen) this.#halfOpen.oldest?.refuse('too-many-half-open');
    const arrival = new Arrival(listener, wire, this);
    this.#halfOpen.add(arrival, this.#switchboard.clock());
    arrival.begin();
  }

  /** No longer taking part: the client is told so. */
  turnAway(listener: Listener, wire: Wire): void {
    const arrival = new Arrival(listener, wire, this);
    this.#halfOpen.add(arrival, this.#switchboard.clock());
    arrival.refuse('draining');
    wire.read(arrival);
  }

  /** To be called now and then. */
  tick(now: number): void {
    const late = now - this.#limits.helloTimeoutMs;
    for (let one = this.#halfOpen.due(late); one !== undefined; one = this.#halfOpen.due(late))
      one.refuse('hello-timeout');
    const slow = now - lingerMs;
    for (let one = this.#leaving.due(slow); one !== undefined; one = this.#leaving.due(slow)) one.showOut();
  }

  close(): void {
    for (const line of [this.#halfOpen, this.#leaving])
      for (let one = line.oldest; one !== undefined; one = line.oldest) one.showOut();
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
    return this.#switchboard.open(request, done);
  }
  refuse(code: RefusalCode, about: RefusedPeer): void {
    this.#switchboard.refuse(code, about);
  }
  toTunnel(wire: Wire, head: Buffer, remote: Endpoint, listener: Listener): void {
    if (this.tunnelDoor === undefined) wire.destroy(true);
    else this.tunnelDoor.accept(wire, head, remote, listener);
  }
  isNoLongerHalfOpen(arrival: Arrival): void {
    this.#halfOpen.remove(arrival);
  }
  leaves(arrival: Arrival): void {
    if (this.#leaving.size >= mostLeaving) this.#leaving.oldest?.showOut();
    this.#leaving.add(arrival, this.#switchboard.clock());
  }
  hasLeft(arrival: Arrival): void {
    this.#leaving.remove(arrival);
  }
}
