// The server side of the tunnel: detects the protocol of each connection, authenticates it, and keeps the tunnels.
import type { TLSSocket } from 'node:tls';
import { trunkProtocol } from '../../../net/tunnel/trunk/index.ts';
import { type Endpoint, type Wire, wireOfTls } from '../../../net/wire/index.ts';
import { type Log, silentLog } from '../../../sys/log.ts';
import { answerOf, type RefusalCode } from '../../refusals.ts';
import type { SnapshotChange } from '../../snapshot/snapshot.ts';
import type { ClusterState } from '../clusters.ts';
import type { Listener, TunnelHandler, TunnelHost } from '../interfaces.ts';
import { Authenticator, identityOf } from './authenticator.ts';
import { H2Tunnel } from './h2-tunnel.ts';
import { type DetectedProtocol, type InspectorEvents, ProtocolInspector } from './protocol-inspector.ts';
import { ofAllTunnels, ResetLimiter } from './reset-limiter.ts';
import { failureOf, Handshake, type OwnCertificate, type TlsEvents, TlsTerminator } from './tls-handshake.ts';
import { TrunkTunnel } from './trunk-tunnel.ts';
import { type Tunnel, type TunnelContext, type TunnelPeer, tunnelTickMs } from './tunnel.ts';
import { TurnQueue } from './turn-queue.ts';
import { HalfOpen, UnauthenticatedTunnels } from './unauthenticated.ts';

export interface TunnelServerOptions {
  /** @default says nothing */
  readonly log?: Log;
  readonly certificate?: OwnCertificate;
  /** For the first bytes, and again for the handshake. @default 5000 */
  readonly firstBytesMs?: number;
  /** Connections that have not said anything yet, or are in the middle of a handshake. @default 10000 */
  readonly maxHalfOpen?: number;
  /** Tunnels that have not authenticated yet. @default 1000 */
  readonly maxUnauthenticated?: number;
  /** @default 1000 */
  readonly streamsPerSession?: number;
  /** Milliseconds since 1970: tokens are judged by it. @default Date.now */
  readonly now?: () => number;
  /** Milliseconds that never go back. @default performance.now */
  readonly clock?: () => number;
}

export interface TunnelServer extends TunnelHandler {
  /** For handshakes from now on. */
  setCertificate(certificate: OwnCertificate | undefined): void;
  /** Looks at the clock. It does so by itself, too. */
  tick(): void;
}

interface Secured {
  readonly socket: TLSSocket;
  readonly handshake: Handshake;
}

interface Detected {
  readonly inspector: ProtocolInspector;
  readonly protocol: DetectedProtocol;
  readonly head: Buffer;
}

/** TLS handshakes and sessions that begin in one turn of the event loop. */
const startsPerTurn = 1;
const closesPerTurn = 1;
const warnEveryMs = 10 * 60 * 1000;
const openToAll =
  'the tunnel takes everybody who knows an authority, without TLS and credentials (tunnel.authentication: none); meant for stock Envoy agents only';

export const createTunnelServer = (host: TunnelHost, options: TunnelServerOptions = {}): TunnelServer =>
  new TunnelConnections(host, options);

class TunnelConnections implements TunnelServer, InspectorEvents, TlsEvents, TunnelContext {
  readonly host: TunnelHost;
  readonly authenticator: Authenticator;
  readonly streamsPerSession: number;
  readonly clock: () => number;
  readonly resets: ResetLimiter;
  readonly #log: Log;
  readonly #halfOpen: HalfOpen;
  readonly #unauthenticated: UnauthenticatedTunnels;
  /** Their protocol is known; TLS and HTTP/2 cost much more than what came before. */
  readonly #starting = new TurnQueue<Detected>(startsPerTurn, (detected) => this.#start(detected));
  readonly #secured = new TurnQueue<Secured>(startsPerTurn, (secured) => this.#startSecured(secured));
  readonly #closing = new TurnQueue<Tunnel>(closesPerTurn, (tunnel) => tunnel.close());
  /** Each with the cluster that answers for its open file, once that is known. */
  readonly #tunnels = new Map<Tunnel, ClusterState | undefined>();
  /** Where no credentials are asked for: those that have not opened a connection yet. Oldest first. */
  readonly #withoutCluster = new Set<Tunnel>();
  /** Connections that read why they were refused. */
  #refusing = 0;
  #certificate: OwnCertificate | undefined;
  #tls: TlsTerminator | undefined;
  #timer: NodeJS.Timeout | undefined;
  #warnedAt = Number.NEGATIVE_INFINITY;
  #tickedAt: number;
  #draining = false;

  constructor(host: TunnelHost, options: TunnelServerOptions) {
    const { firstBytesMs: ms = 5000, maxHalfOpen: most = 10_000, maxUnauthenticated = 1000 } = options;
    this.host = host;
    this.clock = options.clock ?? (() => performance.now());
    this.#tickedAt = this.clock();
    this.resets = new ResetLimiter(ofAllTunnels, this.clock);
    this.#halfOpen = new HalfOpen({ ms, most, clock: this.clock }, (code, about) => host.refuse(code, about));
    this.#unauthenticated = new UnauthenticatedTunnels(maxUnauthenticated, (code, { peer }) =>
      this.#refuse(code, peer),
    );
    this.#log = options.log ?? silentLog;
    this.streamsPerSession = options.streamsPerSession ?? 1000;
    this.authenticator = new Authenticator(host, options.now ?? Date.now, this.clock);
    this.#certificate = options.certificate;
  }

  get open(): number {
    return this.#tunnels.size + this.#halfOpen.size;
  }
  get files(): number {
    return this.open + this.#refusing;
  }
  makeRoom(): boolean {
    const code = 'no-descriptors';
    return this.#halfOpen.closeOldest(code) || this.#unauthenticated.closeOldest(code) || this.#closeIdle(code);
  }
  #closeIdle(code: RefusalCode): boolean {
    const [oldest] = this.#withoutCluster;
    if (oldest === undefined) return false;
    this.#refuse(code, oldest.peer);
    oldest.close();
    return true;
  }
  get halfOpen(): number {
    return this.#halfOpen.size + this.#unauthenticated.size;
  }

  // Settings.

  apply(change: SnapshotChange): void {
    if (this.authenticator.apply(change)) this.#closeRevoked();
    this.#renewTls();
    this.#startTimer();
    this.#warn();
  }
  /** What an evicted node has open ends with it. */
  #closeRevoked(): void {
    for (const tunnel of [...this.#tunnels.keys()])
      for (const identity of tunnel.identities) {
        const refusal = this.authenticator.revocationOf(identity);
        if (refusal === undefined) continue;
        const { listener, remote } = tunnel.peer;
        this.host.refuse(refusal, { listener, remote, identity });
        tunnel.close();
        break;
      }
  }
  setCertificate(certificate: OwnCertificate | undefined): void {
    this.#certificate = certificate;
    this.#renewTls();
  }
  #renewTls(): void {
    const { authentication, authorities } = this.authenticator;
    if (this.#certificate === undefined) {
      this.#tls = undefined;
      return;
    }
    const asked = authentication === 'certificate' ? { authorities } : {};
    const settings = { certificate: this.#certificate, ...asked };
    if (!this.#tls?.apply(settings)) this.#tls = new TlsTerminator(settings, this);
  }
  #warn(): void {
    const now = this.clock();
    if (this.authenticator.authentication !== 'none' || now - this.#warnedAt < warnEveryMs) return;
    this.#warnedAt = now;
    this.#log.warn(openToAll);
  }

  // New connections.

  accept(wire: Wire, head: Buffer, remote: Endpoint, listener: Listener): void {
    this.#startTimer();
    const inspector = new ProtocolInspector(wire, remote, listener, this);
    this.#halfOpen.add(inspector);
    inspector.begin(head);
  }
  detected(inspector: ProtocolInspector, protocol: DetectedProtocol, head: Buffer): void {
    // Nobody reads until it is its turn.
    inspector.wire.pause();
    this.#starting.add({ inspector, protocol, head });
  }
  #start({ inspector, protocol, head }: Detected): void {
    if (inspector.expired) return;
    this.#halfOpen.remove(inspector);
    const { wire, remote, listener } = inspector;
    wire.resume();
    const peer: TunnelPeer = { listener, remote, local: wire.local, secure: false };
    if (protocol === 'trunk') this.#add(new TrunkTunnel(wire, peer, this)).start(head);
    else if (protocol === 'h2') this.#add(new H2Tunnel(wire.toSocket(head), peer, this));
    else if (protocol === 'tls') this.#handshake(wire, head, peer);
    else this.#refuseWire(wire, peer, protocol === 'http' ? 'plain-http' : 'not-tls');
  }
  gone(inspector: ProtocolInspector): void {
    this.#halfOpen.remove(inspector);
  }
  #handshake(wire: Wire, head: Buffer, peer: TunnelPeer): void {
    if (this.#tls === undefined) {
      this.#refuseWire(wire, peer, 'no-certificate');
      return;
    }
    const handshake = new Handshake(wire.toSocket(head), peer);
    this.#halfOpen.add(handshake);
    this.#tls.accept(handshake);
  }
  #refuse(code: RefusalCode, { listener, remote }: TunnelPeer, detail?: string): void {
    this.host.refuse(code, { listener, remote, detail });
  }
  #refuseWire(wire: Wire, peer: TunnelPeer, code: RefusalCode): void {
    this.#refuse(code, peer);
    const answer = answerOf(code);
    if (answer !== undefined) wire.write(answer, 0);
    wire.end();
    this.#refusing += 1;
    // Whoever does not take the answer in a moment does without.
    const timer = setTimeout(() => wire.destroy(), 1000).unref();
    const closed = (): void => {
      this.#refusing -= 1;
      clearTimeout(timer);
    };
    wire.read({ data: () => false, end: () => wire.destroy(), drained: () => {}, closed });
  }

  secured(socket: TLSSocket, handshake: Handshake): void {
    this.#secured.add({ socket, handshake });
  }
  #startSecured({ socket, handshake }: Secured): void {
    if (handshake.expired) {
      socket.destroy();
      return;
    }
    this.#halfOpen.remove(handshake);
    if (socket.destroyed) return;
    const { peer } = handshake;
    const identity = identityOf(socket, this.authenticator.authorities);
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
    this.#tunnels.set(tunnel, undefined);
    if (this.authenticator.isAuthenticated(tunnel.peer)) this.#claim(tunnel, tunnel.peer.identity?.cluster);
    else this.#unauthenticated.add(tunnel, this.clock());
    if (this.#draining) tunnel.drain();
    return tunnel;
  }
  authenticated(tunnel: Tunnel, cluster: string | undefined): void {
    this.#unauthenticated.remove(tunnel);
    if (cluster === undefined) this.#withoutCluster.add(tunnel);
    this.#claim(tunnel, cluster);
  }
  #claim(tunnel: Tunnel, cluster: string | undefined): void {
    if (cluster === undefined || !this.#tunnels.has(tunnel) || this.#tunnels.get(tunnel) !== undefined) return;
    this.#withoutCluster.delete(tunnel);
    const claimed = this.host.claimFile(cluster);
    if (claimed !== 'no-descriptors') {
      this.#tunnels.set(tunnel, claimed);
      return;
    }
    this.#refuse(claimed, tunnel.peer);
    this.closeLater(tunnel, 0);
  }
  ended(tunnel: Tunnel): void {
    const cluster = this.#tunnels.get(tunnel);
    if (cluster !== undefined) this.host.giveFile(cluster);
    this.#tunnels.delete(tunnel);
    this.#withoutCluster.delete(tunnel);
    this.#unauthenticated.remove(tunnel);
  }

  closeLater(tunnel: Tunnel, ms: number): void {
    setTimeout(() => this.#closing.add(tunnel), ms).unref();
  }

  // Time.

  #startTimer(): void {
    this.#timer ??= setInterval(() => this.tick(), 500).unref();
  }
  tick(): void {
    const now = this.clock();
    this.#halfOpen.tick(now);
    this.#unauthenticated.tick(now);
    if (now - this.#tickedAt < tunnelTickMs) return;
    this.#tickedAt = now;
    for (const tunnel of this.#tunnels.keys()) tunnel.tick();
    this.#warn();
  }

  drain(): void {
    this.#draining = true;
    for (const tunnel of this.#tunnels.keys()) tunnel.drain();
  }
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#starting.clear();
    this.#secured.clear();
    this.#halfOpen.close();
    for (const tunnel of [...this.#tunnels.keys()]) tunnel.close();
  }
}

const none = Buffer.alloc(0);
