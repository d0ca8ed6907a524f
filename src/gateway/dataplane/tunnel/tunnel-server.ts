// The tunnel's door: whoever comes in is sorted by what it speaks, and from then on is a tunnel of its own.
import type { TLSSocket } from 'node:tls';
import { type Log, silentLog } from '../../../net/log.ts';
import { trunkProtocol } from '../../../net/tunnel/trunk/frame.ts';
import { wireOfTls } from '../../../net/wire/tls-wire.ts';
import type { Endpoint, Wire } from '../../../net/wire/wire.ts';
import { answerOf, type RefusalCode } from '../../refusals.ts';
import type { SnapshotChange } from '../../snapshot/snapshot.ts';
import type { Listener, TunnelDoor, TunnelHost } from '../interfaces.ts';
import { Gatekeeper } from './authenticator.ts';
import { identityOf } from './client-identity.ts';
import { H2Tunnel } from './h2-tunnel.ts';
import { HalfOpen } from './half-open.ts';
import { failureOf, Handshake } from './handshake.ts';
import type { TunnelPeer } from './peer.ts';
import { Knock, type KnockEvents, type Spoken } from './protocol-inspector.ts';
import { ofAllTunnels, ResetBudget } from './reset-limiter.ts';
import { type OwnCertificate, TlsEntrance, type TlsEvents } from './tls-terminator.ts';
import { TrunkTunnel } from './trunk-tunnel.ts';
import { type Tunnel, type TunnelContext, tunnelTickMs } from './tunnel.ts';
import { Strangers } from './unauthenticated.ts';

export interface TunnelDoorOptions {
  /** @default says nothing */
  readonly log?: Log;
  readonly certificate?: OwnCertificate;
  /** For the first bytes, and again for the handshake. @default 5000 */
  readonly firstBytesMs?: number;
  /** Connections that have not said anything yet, or are in the middle of a handshake. @default 10000 */
  readonly mostHalfOpen?: number;
  /** Tunnels that have not shown yet that they belong here. @default 1000 */
  readonly mostStrangers?: number;
  /** @default 1000 */
  readonly streamsPerSession?: number;
  /** Milliseconds since 1970: tokens are judged by it. @default Date.now */
  readonly now?: () => number;
  /** Milliseconds that never go back. @default performance.now */
  readonly clock?: () => number;
}

export interface CertifiedDoor extends TunnelDoor {
  /** For handshakes from now on. */
  setCertificate(certificate: OwnCertificate | undefined): void;
  /** Looks at the clock. It does so by itself, too. */
  tick(): void;
}

const warnEveryMs = 10 * 60 * 1000;
const openToAll =
  'the tunnel takes everybody who knows an authority, without TLS and credentials (tunnel.authentication: none); meant for stock Envoy agents only';

export const createTunnelDoor = (host: TunnelHost, options: TunnelDoorOptions = {}): CertifiedDoor =>
  new Door(host, options);

class Door implements CertifiedDoor, KnockEvents, TlsEvents, TunnelContext {
  readonly host: TunnelHost;
  readonly gatekeeper: Gatekeeper;
  readonly streamsPerSession: number;
  readonly clock: () => number;
  readonly resets: ResetBudget;
  readonly #log: Log;
  readonly #halfOpen: HalfOpen;
  readonly #strangers: Strangers;
  readonly #tunnels = new Set<Tunnel>();
  #certificate: OwnCertificate | undefined;
  #tls: TlsEntrance | undefined;
  #timer: NodeJS.Timeout | undefined;
  #warnedAt = Number.NEGATIVE_INFINITY;
  #tickedAt: number;
  #draining = false;

  constructor(host: TunnelHost, options: TunnelDoorOptions) {
    const { firstBytesMs: ms = 5000, mostHalfOpen: most = 10_000, mostStrangers = 1000 } = options;
    this.host = host;
    this.clock = options.clock ?? (() => performance.now());
    this.#tickedAt = this.clock();
    this.resets = new ResetBudget(ofAllTunnels, this.clock);
    this.#halfOpen = new HalfOpen({ ms, most, clock: this.clock }, (code, about) => host.refuse(code, about));
    this.#strangers = new Strangers(mostStrangers, (code, { peer }) => this.#refuse(code, peer));
    this.#log = options.log ?? silentLog;
    this.streamsPerSession = options.streamsPerSession ?? 1000;
    this.gatekeeper = new Gatekeeper(host, options.now ?? Date.now);
    this.#certificate = options.certificate;
  }

  get open(): number {
    return this.#tunnels.size + this.#halfOpen.size;
  }
  get halfOpen(): number {
    return this.#halfOpen.size + this.#strangers.size;
  }

  // Settings.

  apply({ tunnel }: SnapshotChange['settings']): void {
    this.gatekeeper.apply(tunnel);
    this.#renewTls();
    this.#startTimer();
    this.#warn();
  }
  setCertificate(certificate: OwnCertificate | undefined): void {
    this.#certificate = certificate;
    this.#renewTls();
  }
  #renewTls(): void {
    const { authentication, authorities } = this.gatekeeper;
    if (this.#certificate === undefined) {
      this.#tls = undefined;
      return;
    }
    const asked = authentication === 'certificate' ? { authorities } : {};
    const settings = { certificate: this.#certificate, ...asked };
    if (!this.#tls?.apply(settings)) this.#tls = new TlsEntrance(settings, this);
  }
  #warn(): void {
    const now = this.clock();
    if (this.gatekeeper.authentication !== 'none' || now - this.#warnedAt < warnEveryMs) return;
    this.#warnedAt = now;
    this.#log.warn(openToAll);
  }

  // Arrivals.

  accept(wire: Wire, head: Buffer, remote: Endpoint, listener: Listener): void {
    this.#startTimer();
    const knock = new Knock(wire, remote, listener, this);
    this.#halfOpen.add(knock);
    knock.begin(head);
  }
  said(knock: Knock, spoken: Spoken, head: Buffer): void {
    this.#halfOpen.remove(knock);
    const { wire, remote, listener } = knock;
    const peer: TunnelPeer = { listener, remote, local: wire.local, secure: false };
    if (spoken === 'trunk') this.#add(new TrunkTunnel(wire, peer, this)).start(head);
    else if (spoken === 'h2') this.#add(new H2Tunnel(wire.toSocket(head), peer, this));
    else if (spoken === 'tls') this.#handshake(wire, head, peer);
    else this.#turnAway(wire, peer, spoken === 'http' ? 'plain-http' : 'not-tls');
  }
  gone(knock: Knock): void {
    this.#halfOpen.remove(knock);
  }
  #handshake(wire: Wire, head: Buffer, peer: TunnelPeer): void {
    if (this.#tls === undefined) {
      this.#turnAway(wire, peer, 'no-certificate');
      return;
    }
    const handshake = new Handshake(wire.toSocket(head), peer);
    this.#halfOpen.add(handshake);
    this.#tls.accept(handshake);
  }
  #refuse(code: RefusalCode, { listener, remote }: TunnelPeer, detail?: string): void {
    this.host.refuse(code, { listener, remote, detail });
  }
  #turnAway(wire: Wire, peer: TunnelPeer, code: RefusalCode): void {
    this.#refuse(code, peer);
    const answer = answerOf(code);
    if (answer !== undefined) wire.write(answer, 0);
    wire.end();
    // Whoever does not take the answer in a moment does without.
    setTimeout(() => wire.destroy(), 1000).unref();
    wire.read({ data: () => false, end: () => wire.destroy(), drained: () => {}, closed: () => {} });
  }

  secured(socket: TLSSocket, handshake: Handshake): void {
    this.#halfOpen.remove(handshake);
    const { peer } = handshake;
    const identity = identityOf(socket, this.gatekeeper.authorities);
    const secure: TunnelPeer = { ...peer, secure: true, ...(identity === undefined ? {} : { identity }) };
    if (socket.alpnProtocol === 'h2') this.#add(new H2Tunnel(socket, secure, this));
    else if (socket.alpnProtocol === trunkProtocol)
      this.#add(new TrunkTunnel(wireOfTls(socket), secure, this)).start(none);
    else {
      this.#refuse('not-connect', peer);
      socket.destroy();
    }
  }
  failed(handshake: Handshake, error: NodeJS.ErrnoException): void {
    this.#halfOpen.remove(handshake);
    const { code, detail } = failureOf(error);
    this.#refuse(code, handshake.peer, detail);
  }

  #add<Kind extends Tunnel>(tunnel: Kind): Kind {
    this.#tunnels.add(tunnel);
    if (!this.gatekeeper.isKnown(tunnel.peer)) this.#strangers.add(tunnel, this.clock());
    if (this.#draining) tunnel.drain();
    return tunnel;
  }
  known(tunnel: Tunnel): void {
    this.#strangers.remove(tunnel);
  }
  ended(tunnel: Tunnel): void {
    this.#tunnels.delete(tunnel);
    this.#strangers.remove(tunnel);
  }

  // Time.

  #startTimer(): void {
    this.#timer ??= setInterval(() => this.tick(), 500).unref();
  }
  tick(): void {
    const now = this.clock();
    this.#halfOpen.tick(now);
    this.#strangers.tick(now);
    if (now - this.#tickedAt < tunnelTickMs) return;
    this.#tickedAt = now;
    for (const tunnel of this.#tunnels) tunnel.tick();
    this.#warn();
  }

  drain(): void {
    this.#draining = true;
    for (const tunnel of this.#tunnels) tunnel.drain();
  }
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#halfOpen.close();
    for (const tunnel of [...this.#tunnels]) tunnel.close();
  }
}

const none = Buffer.alloc(0);
