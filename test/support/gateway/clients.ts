// The ways in: TCP, TLS with a name, CONNECT in HTTP/2.
import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import { Conversation, opened } from './conversation.ts';

export interface Place {
  readonly host: string;
  readonly port: number;
}

export const tcp = ({ host, port }: Place): Promise<Conversation> =>
  opened(connectTcp({ host, port, allowHalfOpen: true, noDelay: true }), 'connect');

/** Whether anybody accepts connections there. */
export const accepts = (place: Place): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connectTcp({ ...place }).once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });

/** A TLS client that checks nothing: tests read the greeting to know who answered. */
export function tls(place: Place, options: ConnectionOptions = {}): Promise<Conversation> {
  const socket = connectTcp({ ...place, allowHalfOpen: true, noDelay: true });
  return opened(tlsOver(socket, options), 'secureConnect');
}

const tlsOver = (socket: Duplex, options: ConnectionOptions): TLSSocket =>
  connectTls({ socket, rejectUnauthorized: false, ...options });

export interface Tunnel {
  readonly session: ClientHttp2Session;
  /** CONNECT; the status, the headers, and the conversation when it was opened. */
  connect(authority: string | undefined, headers?: Record<string, string>): Promise<Answer>;
  close(): void;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly conversation: Conversation;
}

/** An HTTP/2 session to a tunnel listener; over TLS where there are options for it. */
export function tunnelTo({ host, port }: Place, secure?: ConnectionOptions): Promise<Tunnel> {
  const scheme = secure === undefined ? 'http' : 'https';
  const named = host.includes(':') ? `[${host}]` : host;
  return tunnelIn(connectHttp2(`${scheme}://${named}:${port}`, { rejectUnauthorized: false, ...secure }));
}

/** The same from behind a balancer, which says something first. */
export function tunnelBehind(place: Place, said: Buffer, secure?: ConnectionOptions): Promise<Tunnel> {
  const socket = connectTcp({ ...place, noDelay: true });
  socket.write(said);
  const createConnection = (): Duplex =>
    secure === undefined ? socket : tlsOver(socket, { ALPNProtocols: ['h2'], ...secure });
  return tunnelIn(connectHttp2(`${secure === undefined ? 'http' : 'https'}://tunnel`, { createConnection }));
}

async function tunnelIn(session: ClientHttp2Session): Promise<Tunnel> {
  session.on('error', () => {});
  await once(session, 'connect', { signal: AbortSignal.timeout(10_000) });
  return {
    session,
    connect: (authority, headers) => connectStream(session, authority, headers),
    close: () => session.destroy(),
  };
}

async function connectStream(
  session: ClientHttp2Session,
  authority: string | undefined,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const named = authority === undefined ? {} : { ':authority': authority };
  const stream = session.request({ ':method': 'CONNECT', ...named, ...headers }, { endStream: false });
  const conversation = new Conversation(stream);
  const [answer] = (await once(stream, 'response', { signal: AbortSignal.timeout(10_000) })) as [IncomingHttpHeaders];
  return { status: Number(answer[':status']), headers: answer, conversation };
}

/** What the backend behind a place says first, to a client with this name or none. */
export async function greeting(place: Place, servername = ''): Promise<string> {
  const conversation = await tls(place, { servername });
  try {
    return await conversation.line();
  } finally {
    conversation.close();
  }
}

/** The same through a stream that somebody opened: TLS without a name, as pods do it. */
export async function greetingInside({ duplex }: Conversation, servername = ''): Promise<string> {
  duplex.removeAllListeners('data');
  const conversation = await opened(tlsOver(duplex, { servername }), 'secureConnect');
  return conversation.line();
}
