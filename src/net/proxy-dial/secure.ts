// TLS over an open connection. The certificate is judged here and not inside the handshake, because whoever is refused
// must be told who presented it. Nothing is sent before the judgement.
import { isIP, type Socket } from 'node:net';
import {
  checkServerIdentity,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
  connect as tlsConnect,
} from 'node:tls';
import { type Presented, presentedBy } from '../tls/certificate.ts';

export interface SecureOptions {
  /** The name that the certificate must have; sent as SNI unless it is an address. */
  readonly serverName: string;
  readonly context: SecureContext;
  readonly alpn?: readonly string[];
  /** Of an earlier connection to the same place with the same context. */
  readonly session?: Buffer;
}

export interface Secured {
  readonly socket: TLSSocket;
  readonly alpn: string | undefined;
  readonly protocol: string;
  readonly presented: Presented | undefined;
}

/** The handshake is done, and the certificate is not one that we asked for. */
export class CertificateRefused extends Error {
  /** As OpenSSL or Node call it: CERT_HAS_EXPIRED … */
  readonly code: string;
  readonly presented: Presented | undefined;
  constructor(code: string, presented: Presented | undefined) {
    super(`the certificate was refused: ${code}`);
    this.name = 'CertificateRefused';
    this.code = code;
    this.presented = presented;
  }
}

export function secure(socket: Socket, options: SecureOptions, signal: AbortSignal): Promise<Secured> {
  return new Promise((resolve, reject) => {
    const tls = tlsConnect({
      socket,
      secureContext: options.context,
      session: options.session,
      ALPNProtocols: options.alpn === undefined ? undefined : [...options.alpn],
      ...(isIP(options.serverName) > 0 ? {} : { servername: options.serverName }),
      checkServerIdentity: (_host: string, certificate: PeerCertificate) =>
        checkServerIdentity(options.serverName, certificate),
      rejectUnauthorized: false,
    });
    const finish = (): void => {
      tls.removeListener('error', failed).removeListener('end', ended);
      signal.removeEventListener('abort', aborted);
    };
    const failed = (error: Error): void => {
      finish();
      tls.on('error', () => {}).destroy();
      reject(error);
    };
    const ended = (): void => failed(Object.assign(new Error('closed in the handshake'), { code: 'ECONNRESET' }));
    const aborted = (): void => failed(new Error('called off'));
    signal.addEventListener('abort', aborted, { once: true });
    tls.on('error', failed).on('end', ended);
    tls.once('secureConnect', () => {
      const presented = certificateOf(tls);
      if (!tls.authorized) return failed(new CertificateRefused(refusalOf(tls), presented));
      finish();
      resolve({ socket: tls, alpn: tls.alpnProtocol || undefined, protocol: tls.getProtocol() ?? '', presented });
    });
  });
}

function certificateOf(tls: TLSSocket): Presented | undefined {
  const certificate = tls.getPeerX509Certificate();
  return certificate === undefined ? undefined : presentedBy(certificate);
}

/** A code or, as Node's types have it, an error with one. */
function refusalOf(tls: TLSSocket): string {
  const reason: unknown = tls.authorizationError;
  if (typeof reason === 'string') return reason;
  return (reason as NodeJS.ErrnoException | undefined)?.code ?? 'UNKNOWN';
}

// TLS sessions to take up again: a trunk more costs no signature then. They belong to the context that made them, so new
// authorities or a new client certificate start afresh.

const sessions = new WeakMap<SecureContext, Map<string, Buffer>>();
/** A gateway has few names; a table that grows beyond this has been used wrongly. */
const most = 64;

export const sessionFor = (context: SecureContext, key: string): Buffer | undefined => sessions.get(context)?.get(key);

export function rememberSession(socket: TLSSocket, context: SecureContext, key: string): void {
  const known = sessions.get(context) ?? new Map<string, Buffer>();
  sessions.set(context, known);
  socket.on('session', (session: Buffer) => {
    if (known.size < most || known.has(key)) known.set(key, session);
  });
}
