import { createServer } from 'node:net';

/**
 * A port for what cannot choose its own, below those the system gives to outgoing connections, so that nobody takes it
 * between this look and its use.
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (await isFree(host, port)) return port;
  }
}

const isFree = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host, port }, () => server.close(() => resolve(true)));
  });
