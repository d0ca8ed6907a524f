// A TLS server that says its name, and clients that ask for it, for tests of whole gateways.
import { once } from 'node:events';
import { connect as connectTcp, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

export interface Backend {
  readonly address: string;
  /** Connections that are open now. */
  readonly sockets: Set<Socket>;
}

/** Says its name after the first bytes, then echoes. It does not look into TLS: the gateway passes bytes through. */
export async function backend(t: TestContext, name: string): Promise<Backend> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    socket.once('data', () => {
      socket.write(`${name}\n`);
      socket.on('data', (chunk) => socket.write(chunk));
    });
    socket.on('end', () => socket.end());
  });
  // On a busy machine this process may not come to accept for seconds, and that is not what is being tested.
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
  await once(server, 'listening');
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { address: `127.0.0.1:${(server.address() as { port: number }).port}`, sockets };
}

/** The smallest ClientHello that names a server. */
export function clientHello(serverName: string): Buffer {
  const name = Buffer.from(serverName);
  const sni = Buffer.concat([words(0, name.length + 5, name.length + 3), Buffer.from([0]), words(name.length), name]);
  const suites = words(2, 0x1301);
  const extensions = Buffer.concat([words(sni.length), sni]);
  const body = Buffer.concat([
    words(0x0303),
    Buffer.alloc(32, 7),
    Buffer.from([0]),
    suites,
    Buffer.from([1, 0]),
    extensions,
  ]);
  const handshake = Buffer.concat([Buffer.from([1, 0]), words(body.length), body]);
  return Buffer.concat([Buffer.from([22]), words(0x0301, handshake.length), handshake]);
}

const words = (...values: readonly number[]): Buffer => {
  const buffer = Buffer.alloc(values.length * 2);
  for (const [at, value] of values.entries()) buffer.writeUInt16BE(value, at * 2);
  return buffer;
};

export interface Client {
  readonly socket: Socket;
  readonly greeting: string;
}

const timeoutMs = 30_000;
const stageOf = (socket: Socket): string =>
  socket.connecting ? 'not connected' : `connected from ${socket.localPort}`;

/** Connects by SNI and waits for the backend's name; rejects when anything else happens. */
export function connectBySni(port: number, serverName: string, host = '127.0.0.1'): Promise<Client> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host, port });
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no answer, ${stageOf(socket)}`)));
    socket.once('error', reject).once('close', () => reject(new Error('closed without an answer')));
    socket.once('connect', () => socket.write(clientHello(serverName)));
    socket.once('data', (chunk) => {
      socket.setTimeout(0);
      resolve({ socket, greeting: chunk.toString('latin1').trim() });
    });
  });
}
