// Listens on the agent's own address, and on nobody else's.
import { createServer } from 'node:net';
import { CausewayError } from '../core/errors.ts';
import { type HostPort, hostPort } from '../net/host-port.ts';
import { type Listener, listen } from '../net/wire/listen.ts';
import type { Wire } from '../net/wire/wire.ts';

/** Our sockets share their port with others of ours, so a second agent by mistake would get half of the connections. */
export async function claimListener(where: HostPort, onWire: (wire: Wire) => void): Promise<Listener> {
  try {
    if (where.port !== 0) await isFree(where);
    return await listen(where.host, where.port, onWire);
  } catch (error) {
    throw explained(where, error as NodeJS.ErrnoException);
  }
}

const isFree = ({ host, port }: HostPort): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()));
  });

function explained({ host, port }: HostPort, error: NodeJS.ErrnoException): Error {
  const [message, fix] = (reasons[error.code ?? ''] ?? unknown)(hostPort(host, port), error);
  return new CausewayError('CW-AGENT-LISTEN', message, fix);
}

type Explain = (where: string, error: NodeJS.ErrnoException) => [string, string];
const unknown: Explain = (where, { code, message }) => [
  `cannot listen on ${where} (${code ?? message})`,
  'give another address with --listen ADDRESS:PORT',
];
const reasons: Readonly<Record<string, Explain>> = {
  EADDRINUSE: (where) => [
    `another program listens on ${where}`,
    'is an agent running already? Stop it, or give another address with --listen',
  ],
  EACCES: (where) => [`this user may not listen on ${where}`, 'use a port from 1024 on, or give CAP_NET_BIND_SERVICE'],
  EADDRNOTAVAIL: (where) => [`${where} is not an address of this machine`, 'give one with --listen ADDRESS:PORT'],
};
