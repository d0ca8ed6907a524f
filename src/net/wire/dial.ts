// Connections to others are opened through `Dial` and names looked up through `Resolve`, so that the same code runs from
// another vantage: another host, a pod, the far end of a tunnel. The only file that does either for this machine.
import { createConnection } from 'node:net';
import { hostPort } from '../../core/host-port.ts';
import { createResolver } from '../resolve/resolver.ts';
import { wireOfDuplex } from './duplex-wire.ts';
import { connectNative, hasNative, type NativeConnection } from './native.ts';
import { RawWire } from './raw-wire.ts';
import { errorOfStatus, type Wire } from './wire.ts';

export type Dialled = (error: Error | undefined, wire?: Wire) => void;
/**
 * Opens a TCP connection to an IP address; which answer of a resolver to try is the caller's decision. Calls `done` once.
 * Calling what it returns abandons the attempt: `done` is not called any more.
 */
export type Dial = (address: string, port: number, timeoutMs: number, done: Dialled) => () => void;
/** The addresses of a host name. Rejects with the resolver's error. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Where connections are opened from. */
export interface Vantage {
  readonly dial: Dial;
  readonly resolve: Resolve;
}

/** Seconds of silence after which the kernel asks whether the other side is still there. */
export const keepAliveSeconds = 30;

export const localDial: Dial = (address, port, timeoutMs, done) =>
  hasNative() ? dialNative(address, port, timeoutMs, done) : dialPlain(address, port, timeoutMs, done);

export const localResolve: Resolve = createResolver();

export const thisMachine: Vantage = { dial: localDial, resolve: localResolve };

function dialNative(address: string, port: number, timeoutMs: number, done: Dialled): () => void {
  let open = true;
  const finish = (status: number): void => {
    if (!open) return;
    open = false;
    clearTimeout(timer);
    if (status === 0) {
      done(undefined, wireOfNative(handle as NativeConnection));
      return;
    }
    if (typeof handle !== 'number') handle.close();
    done(errorOfStatus('connect', status, hostPort(address, port)));
  };
  const timer = afterPolling(timeoutMs, () => finish(timedOut));
  const handle = connectNative(address, port, finish);
  // Not before the caller has the function to abandon it.
  if (typeof handle === 'number') process.nextTick(finish, handle);
  return () => {
    if (!open) return;
    open = false;
    clearTimeout(timer);
    if (typeof handle !== 'number') handle.close();
  };
}
const timedOut = -110;

/** A process that was busy for long sees its timers first: what came meanwhile is heard before time is up. */
const afterPolling = (ms: number, expired: () => void): NodeJS.Timeout => setTimeout(setImmediate, ms, expired);

export function wireOfNative(handle: NativeConnection): Wire {
  handle.setNoDelay(true);
  handle.setKeepAlive(true, keepAliveSeconds);
  return new RawWire(handle);
}

function dialPlain(address: string, port: number, timeoutMs: number, done: Dialled): () => void {
  const socket = createConnection({ host: address, port, allowHalfOpen: true, noDelay: true });
  socket.setKeepAlive(true, keepAliveSeconds * 1000);
  let open = true;
  const finish = (error?: Error): void => {
    if (!open) return;
    open = false;
    clearTimeout(timer);
    socket.removeAllListeners();
    if (error !== undefined) socket.on('error', () => {}).destroy();
    done(error, error === undefined ? wireOfDuplex(socket) : undefined);
  };
  const timer = afterPolling(timeoutMs, () => finish(errorOfStatus('connect', timedOut, hostPort(address, port))));
  socket.once('connect', () => finish()).once('error', finish);
  return () => {
    open = false;
    clearTimeout(timer);
    socket
      .removeAllListeners()
      .on('error', () => {})
      .destroy();
  };
}
