// A TLS handshake of the tunnel, and what it means when it fails.
import type { Socket } from 'node:net';
import type { Endpoint } from '../../../net/wire/wire.ts';
import type { RefusalCode } from '../../refusals.ts';
import type { Listener } from '../interfaces.ts';
import type { TimeoutEntry } from '../timeout-queue.ts';
import type { PendingConnection } from './half-open.ts';
import type { TunnelPeer } from './peer.ts';

export class Handshake implements PendingConnection {
  readonly peer: TunnelPeer;
  readonly socket: Socket;
  before: TimeoutEntry | undefined;
  after: TimeoutEntry | undefined;
  since = 0;
  /** Done, failed, or told to leave. */
  over = false;

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
