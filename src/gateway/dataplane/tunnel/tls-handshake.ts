// TLS of the tunnel: one server that never listens; connections are handed to it.
import type { Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { trunkProtocol } from '../../../net/tunnel/trunk/index.ts';
import type { Endpoint } from '../../../net/wire/index.ts';
import type { RefusalCode } from '../../refusals.ts';
import type { Listener } from '../interfaces.ts';
import type { TimeoutEntry } from '../timeout-queue.ts';
import type { TunnelPeer } from './tunnel.ts';
import type { PendingConnection } from './unauthenticated.ts';

export interface OwnCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface TlsSettings {
  readonly certificate: OwnCertificate;
  /** Asked for a client certificate that one of these signed. Absent: not asked. */
  readonly authorities?: readonly string[];
}

export interface TlsEvents {
  secured(socket: TLSSocket, handshake: Handshake): void;
  failed(handshake: Handshake, error: NodeJS.ErrnoException): void;
}

/** The server's own timeout is stricter; this is for what it does not see. */
const longestHandshakeMs = 20_000;

export class TlsTerminator {
  readonly #server: Server;
  readonly #events: TlsEvents;
  readonly #asksForCertificate: boolean;
  /** Handshakes under way. The server tells of a session, not of the connection below; its two ends name it. */
  readonly #under = new Map<string, Handshake>();

  constructor(settings: TlsSettings, events: TlsEvents) {
    this.#events = events;
    this.#asksForCertificate = settings.authorities !== undefined;
    this.#server = createServer({
      ...contextOf(settings),
      ALPNProtocols: [trunkProtocol, 'h2'],
      requestCert: this.#asksForCertificate,
      // Judged at each request, with an answer that says what is wrong.
      rejectUnauthorized: false,
      handshakeTimeout: longestHandshakeMs,
    });
    this.#server.on('secureConnection', (socket) => this.#secured(socket));
    this.#server.on('tlsClientError', (error, socket) => this.#failed(error, socket));
  }

  /** False: these settings need another terminator. */
  apply(settings: TlsSettings): boolean {
    if ((settings.authorities !== undefined) !== this.#asksForCertificate) return false;
    this.#server.setSecureContext(contextOf(settings));
    return true;
  }

  /** `secured` or `failed` follow, unless it is told to leave before. */
  accept(handshake: Handshake): void {
    const { socket } = handshake;
    const key = keyOf(socket);
    this.#under.set(key, handshake);
    socket.on('error', () => {});
    // Nothing in a tunnel is half closed: whoever ends in the middle of the handshake has gone.
    socket.allowHalfOpen = false;
    socket.once('close', () => this.#failedEarly(key, handshake));
    this.#server.emit('connection', socket);
  }
  #failedEarly(key: string, handshake: Handshake): void {
    if (this.#under.get(key) !== handshake) return;
    this.#under.delete(key);
    this.#tell(handshake, new Error('closed'));
  }
  #take(socket: TLSSocket): Handshake | undefined {
    const key = keyOf(socket);
    const found = this.#under.get(key);
    this.#under.delete(key);
    return found;
  }
  #secured(socket: TLSSocket): void {
    socket.on('error', () => {});
    const handshake = this.#take(socket);
    if (handshake === undefined || handshake.over) socket.destroy();
    else {
      handshake.over = true;
      this.#events.secured(socket, handshake);
    }
  }
  #failed(error: NodeJS.ErrnoException, socket: TLSSocket): void {
    const handshake = this.#take(socket);
    socket.destroy();
    if (handshake !== undefined) this.#tell(handshake, error);
  }
  #tell(handshake: Handshake, error: NodeJS.ErrnoException): void {
    if (handshake.over) return;
    handshake.over = true;
    this.#events.failed(handshake, error);
  }
}

const contextOf = ({ certificate: { cert, key }, authorities }: TlsSettings) => ({
  cert,
  key,
  ...(authorities === undefined ? {} : { ca: [...authorities] }),
  minVersion: 'TLSv1.2' as const,
});

const keyOf = ({ remoteAddress, remotePort, localAddress, localPort }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;

// A TLS handshake of the tunnel, and what it means when it fails.

export class Handshake implements PendingConnection {
  readonly peer: TunnelPeer;
  readonly socket: Socket;
  before: TimeoutEntry | undefined;
  after: TimeoutEntry | undefined;
  since = 0;
  /** Done, failed, or told to leave. */
  over = false;
  /** Its time was over, or its place was needed. */
  expired = false;

  constructor(socket: Socket, peer: TunnelPeer) {
    this.socket = socket;
    this.peer = peer;
  }
  get remote(): Endpoint {
    return this.peer.remote;
  }
  get listener(): Listener {
    return this.peer.listener;
  }
  expire(): void {
    this.over = true;
    this.expired = true;
    this.socket.destroy();
  }
}

export interface HandshakeFailure {
  readonly code: RefusalCode;
  /** Which alert the agent sent, or what was wrong. */
  readonly detail: string;
}

/** The agent says why it goes (RFC 8446, section 6): OpenSSL puts the alert's name into the error's code. */
const alertIn = /^ERR_SSL_(?:TLSV1|TLSV13|SSLV3)_ALERT_(\w+)$/;
/** Two ends that speak TLS well and do not agree. */
const disagreements = new Set([
  'no_shared_cipher',
  'no_suitable_signature_algorithm',
  'no_suitable_key_share',
  'no_application_protocol',
  'unsupported_protocol',
  'version_too_low',
]);
const meanings: Readonly<Record<string, string>> = {
  unknown_ca: 'the agent does not trust the certificate of this gateway',
  bad_certificate: 'the agent does not accept the certificate of this gateway',
  certificate_unknown: 'the agent does not accept the certificate of this gateway',
  certificate_expired: 'the certificate of this gateway has expired, or the clock of the agent is wrong',
  closed: 'the agent hung up in the middle',
};

export function failureOf({ code = '', message }: NodeJS.ErrnoException): HandshakeFailure {
  if (code === 'ERR_TLS_HANDSHAKE_TIMEOUT') return { code: 'hello-timeout', detail: '' };
  const alert = alertIn.exec(code)?.[1]?.toLowerCase();
  if (alert !== undefined) return failed(alert);
  if (message === 'closed' || code === 'ECONNRESET' || code === 'EPIPE') return failed('closed');
  const reason = code.replace(/^ERR_SSL_/, '').toLowerCase();
  return disagreements.has(reason) ? failed(reason) : { code: 'hello-malformed', detail: reason };
}

function failed(name: string): HandshakeFailure {
  const meaning = meanings[name];
  return { code: 'handshake-failed', detail: meaning === undefined ? name : `${name}: ${meaning}` };
}
