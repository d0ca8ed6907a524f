// Takes an address and port for all workers, and says in words why that was not possible.
import { createServer } from 'node:net';
import { getSystemErrorName } from 'node:util';
import { CausewayError } from '../../core/errors.ts';
import { hostPort } from '../../core/host-port.ts';
import { bindNative, hasNative, type NativeListener } from '../../net/wire/native.ts';

export interface Bound {
  readonly port: number;
  /** Undefined where handles cannot be passed on: the worker then binds by itself. */
  readonly handle: NativeListener | undefined;
}

/** Bound, shared with the other slots, and not listening: connections come only when a worker listens. */
export function bindOne(address: string, port: number): Promise<Bound> {
  return bind(address, port, true);
}

/**
 * Rejects when anybody listens there already. The system would let us share with every program of the same user that
 * shares, and give each of the two a part of the connections.
 */
export async function refuseTaken(address: string, port: number): Promise<void> {
  (await bind(address, port, false)).handle?.close();
}

async function bind(address: string, port: number, shared: boolean): Promise<Bound> {
  if (!hasNative()) return { port: await tryPort(address, port, shared), handle: undefined };
  const handle = bindNative(address, port, shared);
  if (typeof handle === 'number') throw cannotListen(getSystemErrorName(handle), address, port);
  // The library underneath reports "in use" only to the next call.
  const name = { port: 0 };
  const status = handle.getsockname(name);
  if (status === 0) return { port: name.port, handle };
  handle.close();
  throw cannotListen(getSystemErrorName(status), address, port);
}

/** Whether workers will be able to bind here, and which port it is when any would do. */
function tryPort(address: string, port: number, reusePort: boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error.code ?? '', address, port)));
    server.listen({ host: address, port, reusePort, ipv6Only: address.includes(':') }, () => {
      const bound = server.address();
      server.close(() => resolve(typeof bound === 'object' && bound !== null ? bound.port : port));
    });
  });
}

interface Explanation {
  readonly why: string;
  readonly fix: string;
}

const explanations: Record<string, (address: string, port: number) => Explanation> = {
  EADDRINUSE: (_, port) => ({
    why: 'another program listens there',
    fix:
      `"ss -ltnp sport = :${port}" shows which; stop it, or choose another port in the snapshot; ` +
      'to take over from a gateway that was killed, start with the same --admin',
  }),
  EACCES: () => ({
    why: 'ports below 1024 need a privilege',
    fix: 'choose a port from 1024 up, or give the gateway CAP_NET_BIND_SERVICE (systemd: AmbientCapabilities=)',
  }),
  EADDRNOTAVAIL: (address) => ({
    why: 'this machine does not have the address',
    fix: `correct it, or add it: ip address add ${address}/${address.includes(':') ? 128 : 32} dev lo`,
  }),
  EMFILE: () => ({
    why: 'this process may not open more files',
    fix: 'raise the limit: ulimit -n, or LimitNOFILE= in the systemd unit',
  }),
};

function cannotListen(code: string, address: string, port: number): CausewayError {
  const explain = explanations[code] ?? (() => ({ why: code, fix: 'check the address and port in the snapshot' }));
  const { why, fix } = explain(address, port);
  return new CausewayError('CW-GATEWAY-LISTEN', `cannot listen on ${hostPort(address, port)}: ${why}`, fix);
}
