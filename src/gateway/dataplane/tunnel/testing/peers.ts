// For tests: peers of a tunnel, one connection each, that do what no good agent does.
import { once } from 'node:events';
import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2 } from 'node:http2';
import { connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { type Dialer, TunnelRefused } from '../../../../net/tunnel/index.ts';
import { TrunkClient } from '../../../../net/tunnel/trunk/index.ts';
import type { Wire } from '../../../../net/wire/index.ts';
import { type KeyPair, plainDialer } from './dialers.ts';

export const soon = (ms = 20): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A connection that sends these bytes and nothing else. */
export async function silentSocket(t: TestContext, port: number, bytes: Buffer): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  if (bytes.length > 0) socket.write(bytes);
  return socket.resume();
}

/** Absent: without TLS. */
export interface PeerTls {
  readonly ca: string;
  readonly own?: KeyPair;
}

export async function h2Peer(t: TestContext, port: number, secure?: PeerTls): Promise<ClientHttp2Session> {
  const tls = { ca: secure?.ca, servername: 'tunnel.example', ...secure?.own };
  const session = secure
    ? connectHttp2(`https://127.0.0.1:${port}`, {
        createConnection: () => connectTls({ port, host: '127.0.0.1', ALPNProtocols: ['h2'], ...tls }),
      })
    : connectHttp2(`http://127.0.0.1:${port}`);
  session.on('error', () => {});
  t.after(() => session.destroy());
  await once(session, 'remoteSettings');
  return session;
}

export function connectStream(session: ClientHttp2Session, authority: string, token?: string): ClientHttp2Stream {
  const headers = { ':method': 'CONNECT', ':authority': authority };
  const credentials = token === undefined ? {} : { 'proxy-authorization': `Bearer ${token}` };
  return session.request({ ...headers, ...credentials }, { endStream: false }).on('error', () => {});
}
/** The refusal, or '200'. */
export async function h2Answer(session: ClientHttp2Session, authority: string, token?: string): Promise<string> {
  const [headers] = (await once(connectStream(session, authority, token), 'response')) as [Record<string, unknown>];
  return String(headers['causeway-refusal'] ?? headers[':status']);
}

export interface TrunkPeer {
  readonly trunk: TrunkClient;
  /** The refusal of its greeting. */
  readonly greeting: string | undefined;
  readonly isLost: () => boolean;
}

export function trunkPeer(
  t: TestContext,
  port: number,
  { dialer = plainDialer, token }: { dialer?: Dialer; token?: string } = {},
): Promise<TrunkPeer> {
  return new Promise((resolve, reject) => {
    dialer({ host: '127.0.0.1', port }, (error, connection) => {
      if (connection === undefined) {
        reject(error);
        return;
      }
      let lost = false;
      const trunk = new TrunkClient(connection.wire, token, {
        greeted: (_trunk, refusal) => resolve({ trunk, greeting: refusal?.refusal, isLost: () => lost }),
        room: () => {},
        pong: () => {},
        lost: () => {
          lost = true;
        },
      });
      t.after(() => trunk.close());
    });
  });
}

/** What became of a connection: the refusal, or the error, or 'over'. */
export const endOf = (wire: Wire): Promise<string> =>
  new Promise((resolve) => {
    const closed = (error?: Error): void =>
      resolve(error instanceof TunnelRefused ? error.refusal : (error?.message ?? 'over'));
    wire.read({ data: () => false, end: () => wire.end(), drained: () => {}, closed });
  });

export interface Cable {
  readonly port: number;
  /** Nothing comes through any more, and nobody is told. */
  cut(): void;
}

export async function cableTo(t: TestContext, port: number): Promise<Cable> {
  let isCut = false;
  const sockets: Socket[] = [];
  const pass = (from: Socket, to: Socket): void =>
    void from.on('error', () => {}).on('data', (chunk: Buffer) => void (isCut || to.write(chunk)));
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    sockets.push(near, far);
    pass(near, far);
    pass(far, near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const cut = (): void => {
    isCut = true;
  };
  return { port: (server.address() as { port: number }).port, cut };
}
