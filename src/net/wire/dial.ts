// Opens a connection to an IP address. Names are resolved by whoever dials, because only it knows which answer to try.
import { createConnection } from 'node:net';
import { hostPort } from '../host-port.ts';
import { wireOfDuplex } from './duplex-wire.ts';
import { connectNative, hasNative, type NativeConnection } from './native.ts';
import { RawWire } from './raw-wire.ts';
import { errorOfStatus, type Wire } from './wire.ts';

export type Dialled = (error: Error | undefined, wire?: Wire) => void;

/** Seconds of silence after which the kernel asks whether the other side is still there. */
export const keepAliveSeconds = 30;

/** Calls `done` once. Calling what it returns abandons the attempt: `done` is not called any more. */
export function dial(address: string, port: number, timeoutMs: number, done: Dialled): () => void {
  return hasNative() ? dialNative(address, port, timeoutMs, done) : dialPlain(address, port, timeoutMs, done);
}

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
