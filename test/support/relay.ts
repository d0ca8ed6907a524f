// A TCP relay whose connections can be cut, and which can be closed and opened again on the same port.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Undo } from './gateway/undo.ts';

export interface Relay {
  readonly port: number;
  /** Resets all connections; new ones are accepted. */
  cut(): void;
  /** Resets all connections, and accepts none any more. */
  close(): void;
  open(): void;
}

export async function startRelay(t: Undo, target: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => {});
      one.once('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    if (!isOpen) near.resetAndDestroy();
    near.pipe(far).pipe(near);
  });
  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    cut();
  });
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    close() {
      isOpen = false;
      cut();
    },
    open() {
      isOpen = true;
    },
  };
}
