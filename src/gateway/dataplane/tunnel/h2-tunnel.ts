// An HTTP/2 session at the gateway: CONNECT only, each stream judged by itself.
import { constants, performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import { maximumHeaders, sessionWindow, streamWindow } from '../../../net/tunnel/h2/index.ts';
import { stopReading } from '../../../net/wire/index.ts';
import type { RefusalCode } from '../../refusals.ts';
import { type Admission, ownerOf } from './authenticator.ts';
import { H2Request, type RequestHeaders, type RequestOwner } from './h2-request.ts';
import { closeDelayMs, RequestLimiter } from './request-limiter.ts';
import { ofOneTunnel, ResetLimiter } from './reset-limiter.ts';
import { type Tunnel, type TunnelContext, TunnelIdentities, type TunnelPeer } from './tunnel.ts';

const { NGHTTP2_ENHANCE_YOUR_CALM, NGHTTP2_NO_ERROR } = constants;
const silentTicks = 6;
const goneTicks = 9;
/** Time for requests that are on their way when the session is told to end. */
const lastRequestsMs = 500;
const calmingMs = 200;
/** Streams of a session that has not authenticated; as many as HTTP/2 recommends at least (RFC 9113, 6.5.2). */
const unauthenticatedStreams = 100;
const anyStream = 2 ** 31 - 1;

export class H2Tunnel implements Tunnel, RequestOwner {
  readonly peer: TunnelPeer;
  readonly context: TunnelContext;
  readonly identities = new TunnelIdentities();
  readonly #session: ServerHttp2Session;
  readonly #resets: ResetLimiter;
  readonly #requests: RequestLimiter;
  readonly #socket: Duplex;
  #ticks = 0;
  #authenticated = false;
  wasRefused = false;
  #ended = false;
  /** Told to go, and ignored until it does. */
  #calming = false;

  constructor(socket: Duplex, peer: TunnelPeer, context: TunnelContext) {
    this.peer = peer;
    this.context = context;
    this.#resets = new ResetLimiter(ofOneTunnel, context.clock, context.resets);
    this.#requests = new RequestLimiter(context.clock);
    this.#socket = socket;
    this.#session = performServerHandshake(socket, {
      settings: {
        initialWindowSize: streamWindow,
        maxConcurrentStreams: Math.min(context.streamsPerSession, unauthenticatedStreams),
        // Larger than what is taken, so that most who exceed it hear why.
        maxHeaderListSize: 8 * maximumHeaders,
      },
      maxSessionMemory: 256,
      // Ours is stricter, and says why.
      streamResetBurst: 100_000,
      streamResetRate: 10_000,
    } as Parameters<typeof performServerHandshake>[1]);
    this.#session.setLocalWindowSize(sessionWindow);
    this.#session.on('stream', (stream, headers) => this.#stream(stream, headers as RequestHeaders));
    this.#session.on('error', () => {});
    this.#session.on('close', () => this.#end());
    // HTTP/2 has no half-closed connections, but our sockets stay open on one side, and then Node waits for ever.
    socket.once('end', () => this.close());
  }
  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.context.ended(this);
  }
  /** Its end is announced a moment after it happened, and whoever speaks to it in between would throw. */
  get #over(): boolean {
    return this.#ended || this.#session.destroyed;
  }

  #stream(stream: ServerHttp2Stream, headers: RequestHeaders): void {
    this.#ticks = 0;
    stream.on('error', () => {});
    if (this.#calming) {
      stream.destroy();
      return;
    }
    const request = new H2Request(stream, headers, this);
    stream.on('close', () => {
      if (stream.rstCode !== NGHTTP2_NO_ERROR && !request.carried) this.#wasReset();
    });
    if (!this.#resets.isSuspicious) request.begin();
    else
      setImmediate(() => {
        if (!stream.destroyed && !this.#over) request.begin();
      });
  }
  judged(admission: Admission): void {
    if (!this.#authenticated && this.context.authenticator.provesAuthenticated(admission))
      this.#setAuthenticated(ownerOf(admission));
    if (admission.refusal === undefined) {
      this.identities.add(admission.identity);
      return;
    }
    this.wasRefused = true;
    if (!this.#requests.takeRefusal()) this.#shutOut('too-many-refusals');
  }
  mayOpen(): boolean {
    return this.#requests.takeOpen();
  }
  #setAuthenticated(cluster: string | undefined): void {
    this.#authenticated = true;
    this.#requests.setAuthenticated();
    this.context.authenticated(this, cluster);
    if (!this.#over) this.#session.settings({ maxConcurrentStreams: this.context.streamsPerSession });
  }
  #wasReset(): void {
    if (this.#over || this.#calming) return;
    // An unauthenticated peer has no streams to reset.
    if (this.#resets.spend() && (this.#authenticated || !this.#resets.isSuspicious)) return;
    if (this.#authenticated) this.#calm('too-many-resets', calmingMs);
    else this.#shutOut('too-many-resets');
  }
  #shutOut(code: RefusalCode): void {
    if (this.#over || this.#calming) return;
    this.#calm(code, closeDelayMs());
    // After the answers of this turn, which the session sends when it has read what came.
    setImmediate(stopReading, this.#socket);
  }
  #calm(code: RefusalCode, closeAfterMs: number): void {
    this.#calming = true;
    this.#refuse(code);
    this.#session.goaway(NGHTTP2_ENHANCE_YOUR_CALM);
    // Closed at once, with bytes unread, the peer would not hear it.
    this.context.closeLater(this, closeAfterMs);
  }
  #refuse(code: RefusalCode): void {
    const { listener, remote } = this.peer;
    this.context.host.refuse(code, { listener, remote });
  }

  /** After a while without a request it is asked whether it is there. */
  tick(): void {
    if (this.#over) return;
    this.#ticks += 1;
    if (this.#ticks >= goneTicks) this.close();
    else if (this.#ticks === silentTicks)
      this.#session.ping((error) => {
        if (error === null) this.#ticks = 0;
      });
  }
  drain(): void {
    if (this.#over) return;
    this.#session.goaway(NGHTTP2_NO_ERROR, anyStream);
    setTimeout(() => this.#over || this.#session.close(), lastRequestsMs).unref();
  }
  expire(): void {
    this.drain();
    setTimeout(() => this.#authenticated || this.close(), 2 * lastRequestsMs).unref();
  }
  close(): void {
    this.#session.destroy();
    this.#end();
  }
}
