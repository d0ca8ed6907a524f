// A proxy that answers CONNECT as a test wants it to.
import { connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Certificate } from '../gateway/certificates.ts';
import type { Undo } from '../gateway/undo.ts';

export interface Ask {
  /** The head as it came. */
  readonly head: string;
  readonly authority: string;
  readonly credentials: string | undefined;
}

/** An answer to send before closing, a place to connect to, or nothing at all. */
export type Answer = string | { readonly to: number } | 'silence';

export interface MiniProxy {
  readonly port: number;
  readonly asked: readonly Ask[];
}

export async function miniProxy(t: Undo, answer: (ask: Ask) => Answer, certificate?: Certificate): Promise<MiniProxy> {
  const asked: Ask[] = [];
  const onSocket = (socket: Socket): void => {
    socket.on('error', () => socket.destroy());
    let head = '';
    const read = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', read);
      const ask = askIn(head);
      asked.push(ask);
      reply(socket, answer(ask));
    };
    socket.on('data', read);
  };
  const server =
    certificate === undefined
      ? createServer(onSocket)
      : createTlsServer({ cert: certificate.cert, key: certificate.key }, onSocket);
  return { port: await listening(t, server), asked };
}

function askIn(head: string): Ask {
  const basic = /^Proxy-Authorization: Basic (\S+)/im.exec(head)?.[1];
  return {
    head,
    authority: head.split(' ')[1] ?? '',
    credentials: basic === undefined ? undefined : Buffer.from(basic, 'base64').toString('utf8'),
  };
}

function reply(socket: Socket, answer: Answer): void {
  if (answer === 'silence') return;
  if (typeof answer === 'string') {
    socket.end(answer);
    return;
  }
  const onward = connect(answer.to, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    socket.pipe(onward).pipe(socket);
  });
  onward.on('error', () => socket.destroy());
  socket.on('close', () => onward.destroy());
}

/** The port; the server and what is open on it end with the test. */
export async function listening(t: Undo, server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as { port: number }).port;
}
