// Accepts connections as wires. Binding and accepting are two steps: the process that binds may give the listener away.
import { createServer, type Server, type Socket } from 'node:net';
import type { HostPort } from '../../core/host-port.ts';
import { keepAliveSeconds, wireOfNative } from './dial.ts';
import { wireOfDuplex } from './duplex-wire.ts';
import { bindNative, endpointOf, hasNative, type NativeConnection, type NativeListener } from './native.ts';
import { type Endpoint, errorOfStatus, type Wire } from './wire.ts';

export const backlog = 4096;

export interface Listener {
  readonly local: Endpoint;
  /** Takes no further connections; those it has accepted stay. */
  close(): void;
}

/** Binds without accepting. Throws an error with the system's code: EADDRINUSE, EACCES, EADDRNOTAVAIL. */
export function bindListener(address: string, port: number): NativeListener {
  const handle = bindNative(address, port);
  if (typeof handle !== 'number') return handle;
  throw errorOfStatus('bind', handle, `${address} port ${port}`);
}

/** Accepts on a listener that this or another process has bound. `failed` hears the system's code of an accept that failed. */
export function acceptOn(
  handle: NativeListener,
  onWire: (wire: Wire) => void,
  failed: (code: string) => void = () => {},
): Listener {
  handle.onconnection = (status, connection: NativeConnection) => {
    if (status === 0) onWire(wireOfNative(connection));
    else failed(errorOfStatus('accept', status).code);
  };
  const status = handle.listen(backlog);
  if (status !== 0) throw errorOfStatus('listen', status);
  return { local: endpointOf(handle, 'getsockname'), close: () => handle.close() };
}

/** Binds and accepts in this process. */
export async function listen(
  address: string,
  port: number,
  onWire: (wire: Wire) => void,
  options: { readonly reusePort?: boolean; readonly failed?: (code: string) => void } = {},
): Promise<Listener> {
  const { failed = () => {} } = options;
  if (hasNative()) return acceptOn(bindListener(address, port), onWire, failed);
  const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true, keepAlive: true });
  server.on('connection', (socket: Socket) => {
    socket.setKeepAlive(true, keepAliveSeconds * 1000);
    onWire(wireOfDuplex(socket));
  });
  await listening(server, { host: address, port, backlog, reusePort: options.reusePort ?? false, ipv6Only: true });
  server.on('error', ({ code = '' }: NodeJS.ErrnoException) => failed(code));
  const local = server.address() as { address: string; port: number };
  return { local: { address: local.address, port: local.port }, close: () => server.close() };
}

const listening = (server: Server, options: object): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen(options, () => {
      server.off('error', reject);
      resolve();
    });
  });

/** Whether nobody listens there, at this moment. */
export const isFree = ({ host, port }: HostPort): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
