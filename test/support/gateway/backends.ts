// Backends that say who they are and count who came.
import { createHash, type Hash } from 'node:crypto';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Certificate } from './certificates.ts';
import { pattern } from './pattern.ts';

export interface Backend {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  /** host:port, as a snapshot writes it. */
  readonly target: string;
  /** TCP connections that ever came. */
  connections(): number;
  open(): number;
  /** Bytes that have come on the connections that are open. */
  receivedSoFar(): number;
  stop(): Promise<void>;
}

/** Greets with its name and echoes: `NAME SNI\n`, then whatever it gets. */
export function greetingBackend(name: string, certificate: Certificate, host = '127.0.0.1'): Promise<Backend> {
  const server = createTlsServer({ cert: certificate.cert, key: certificate.key, allowHalfOpen: true });
  server.on('secureConnection', (socket) => {
    socket.on('error', () => socket.destroy());
    socket.write(`${name} ${socket.servername || '-'}\n`);
    socket.pipe(socket);
  });
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return listening(name, server, host);
}

export interface Received {
  readonly bytes: number;
  readonly sha256: string;
}

/** Reads to the end, then answers what it got, as a line of JSON, and `answer` bytes of a known pattern. */
export function digestingBackend(name: string, answer: number, host = '127.0.0.1'): Promise<Backend> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const hash = createHash('sha256');
    let bytes = 0;
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      bytes += chunk.length;
      hash.update(chunk);
    });
    socket.on('end', () => answerWith(socket, { bytes, hash }, answer));
  });
  return listening(name, server, host);
}

function answerWith(socket: Socket, { bytes, hash }: { bytes: number; hash: Hash }, answer: number): void {
  socket.write(`${JSON.stringify({ bytes, sha256: hash.digest('hex') } satisfies Received)}\n`);
  socket.end(pattern(answer));
}

export interface PartingBackend extends Backend {
  /** What the first client sent until it ended. */
  readonly received: Promise<Received>;
}

/** Says goodbye and ends its half at once, and listens to the end. */
export async function partingBackend(name: string): Promise<PartingBackend> {
  const received = Promise.withResolvers<Received>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const hash = createHash('sha256');
    let bytes = 0;
    socket.on('error', () => received.resolve({ bytes, sha256: 'broken' }));
    socket.on('data', (chunk) => {
      bytes += chunk.length;
      hash.update(chunk);
    });
    socket.on('end', () => received.resolve({ bytes, sha256: hash.digest('hex') }));
    socket.end('goodbye\n');
  });
  return { ...(await listening(name, server, '127.0.0.1')), received: received.promise };
}

/** Says its name at once in cleartext and echoes; what comes first (a PROXY header, say) is echoed too. */
export const plainBackend = (name: string, host = '127.0.0.1'): Promise<Backend> => echoing(name, `${name} -\n`, host);

/** Says nothing by itself. */
export const silentBackend = (name: string, host = '127.0.0.1'): Promise<Backend> => echoing(name, '', host);

function echoing(name: string, greeting: string, host: string): Promise<Backend> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.write(greeting);
    socket.pipe(socket);
  });
  return listening(name, server, host);
}

async function listening(name: string, server: Server, host: string): Promise<Backend> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen({ host, port: 0 }, resolve));
  const { port } = server.address() as { port: number };
  return {
    name,
    address: host,
    port,
    target: host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`,
    connections: () => connections,
    open: () => sockets.size,
    receivedSoFar: () => [...sockets].reduce((sum, { bytesRead }) => sum + bytesRead, 0),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Passes everything on to a server that does not count by itself. */
export function countingRelay(
  name: string,
  target: { readonly host: string; readonly port: number },
): Promise<Backend> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const onward = connect({ ...target, allowHalfOpen: true });
    for (const [from, into] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      from.on('error', () => into.destroy());
      from.pipe(into);
    }
  });
  return listening(name, server, '127.0.0.1');
}
