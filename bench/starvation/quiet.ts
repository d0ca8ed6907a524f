// The quiet tenant: one connection, one small message at a time, and how long each takes to come back.
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const pauseMs = 5;

export interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly samples: number;
}

/** Sends back what comes. */
export async function echo(): Promise<{ port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port: (server.address() as { port: number }).port, close };
}

/** `first` is what the way there needs to see before it carries: a ClientHello, or nothing. */
export async function quietTenant(port: number, first: Buffer): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true }).on('error', () => {});
  await once(socket, 'connect');
  if (first.length === 0) return socket;
  socket.write(first);
  for (let got = 0; got < first.length; ) got += ((await once(socket, 'data')) as [Buffer])[0].length;
  return socket;
}

export async function measure(socket: Socket, forMs: number): Promise<Latency> {
  const times: number[] = [];
  const until = performance.now() + forMs;
  const message = Buffer.alloc(64, 1);
  while (performance.now() < until) {
    const sent = performance.now();
    socket.write(message);
    await received(socket, message.length);
    times.push(performance.now() - sent);
    await sleep(pauseMs);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? NaN;
  return { p50: at(0.5), p99: at(0.99), samples: times.length };
}

const received = (socket: Socket, bytes: number): Promise<void> =>
  new Promise((resolve, reject) => {
    let missing = bytes;
    const lost = (): void => reject(new Error('the quiet tenant lost its connection'));
    const data = (chunk: Buffer): void => {
      missing -= chunk.length;
      if (missing > 0) return;
      socket.off('close', lost).off('data', data);
      resolve();
    };
    if (socket.destroyed) lost();
    else socket.on('close', lost).on('data', data);
  });
