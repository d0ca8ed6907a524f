// An HTTP proxy that does one thing: CONNECT, to the places that somebody else decides about.
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type HostPort, hostPort, parseHostPort } from '../../../../core/host-port.ts';
import { listening } from '../worker-layout.ts';

/** Where to go, or with which status and words it is refused. */
export type ConnectAnswer =
  | HostPort
  | { readonly status: number; readonly words: string; readonly headers?: readonly string[] };

export interface ConnectServer {
  readonly port: number;
  /** Ends what is open too. */
  close(): Promise<void>;
}

export async function openConnectServer(
  listen: HostPort,
  decide: (target: HostPort, request: IncomingMessage) => ConnectAnswer,
): Promise<ConnectServer> {
  const open = new Set<Duplex>();
  const server = createServer((_, response) => response.writeHead(405, { connection: 'close' }).end('only CONNECT\n'));
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy()).once('close', () => open.delete(socket));
  });
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    const target = parseHostPort(request.url ?? '');
    const answer = target === undefined ? { status: 400, words: 'Bad Request' } : decide(target, request);
    if ('status' in answer) client.end(headOf(answer.status, answer.words, answer.headers));
    else carry(client, head, answer);
  });
  await listening(server, listen);
  return {
    port: (server.address() as { port: number }).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

const headOf = (status: number, words: string, headers: readonly string[] = []): string =>
  [`HTTP/1.1 ${status} ${words}`, ...headers, ...(status === 200 ? [] : ['Connection: close']), '', ''].join('\r\n');

function carry(client: Duplex, head: Buffer, { host, port }: HostPort): void {
  const onward = connect({ host, port, noDelay: true });
  let connected = false;
  onward.once('connect', () => {
    connected = true;
    client.write(headOf(200, 'Connection established'));
    if (head.length > 0) onward.write(head);
    client.pipe(onward).pipe(client);
  });
  onward.on('error', () => void (connected || client.end(headOf(502, 'Bad Gateway'))));
  onward.once('close', () => void (connected && client.destroy()));
  client.once('close', () => onward.destroy());
}

// For programs that dial names only, on a machine where nobody resolves the platform's names: a proxy on loopback that
// knows these names, brings their connections to the gateway's address, and nothing anywhere else.

export interface NameForwarder extends ConnectServer {
  /** http://host:port */
  readonly url: string;
  /** host:port as it is asked for, and where that is. */
  know(places: ReadonlyMap<string, HostPort>): void;
}

export async function openNameForwarder(listen: HostPort): Promise<NameForwarder> {
  let known: ReadonlyMap<string, HostPort> = new Map();
  const server = await openConnectServer(
    listen,
    (target) => known.get(hostPort(target.host, target.port)) ?? { status: 403, words: 'Forbidden' },
  );
  return {
    ...server,
    url: `http://${listen.host}:${server.port}`,
    know: (places) => {
      known = places;
    },
  };
}
