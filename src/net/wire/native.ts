// The only file that uses parts of Node that are not documented: handles of TCP connections without the streams on top
// of them. They cost a third of the time and memory of a socket. `nativeWorks` tries them out; where they are missing or
// behave otherwise, or with CAUSEWAY_WIRE=plain, everything runs on documented sockets.
import { Socket, type SocketConstructorOpts } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { type Endpoint, unmapped } from './wire.ts';

export interface NativeStream {
  /** Free for the owner: handles are found back from their callbacks by it. */
  owner?: unknown;
  onread: (this: NativeStream) => Uint8Array | undefined;
  readStart(): number;
  readStop(): number;
  useUserBuffer(buffer: Uint8Array): void;
  writeBuffer(request: WriteRequest, chunk: Uint8Array): number;
  shutdown(request: ShutdownRequest): number;
  close(): void;
}

export interface NativeConnection extends NativeStream {
  reset?(): number;
  setNoDelay(on: boolean): number;
  setKeepAlive(on: boolean, seconds: number): number;
  getpeername(out: object): number;
  getsockname(out: object): number;
  connect(request: object, address: string, port: number): number;
  connect6(request: object, address: string, port: number): number;
}

/** A bound, not yet listening socket: it can be sent to another process. */
export interface NativeListener {
  onconnection: (status: number, connection: NativeConnection) => void;
  bind(address: string, port: number, flags: number): number;
  bind6(address: string, port: number, flags: number): number;
  listen(backlog: number): number;
  getsockname(out: object): number;
  close(): void;
  ref(): void;
  unref(): void;
}

export interface WriteRequest {
  owner: unknown;
  /** Keeps the memory alive while the kernel has not taken it. */
  chunk: Uint8Array | undefined;
  oncomplete: (this: WriteRequest, status: number) => void;
}

export interface ShutdownRequest {
  owner: unknown;
  oncomplete: (this: ShutdownRequest, status: number) => void;
}

interface Bindings {
  TCP: new (kind: number) => NativeConnection & NativeListener;
  TCPConnectWrap: new () => { oncomplete: (status: number) => void };
  constants: { SOCKET: number; SERVER: number; UV_TCP_REUSEPORT: number; UV_TCP_IPV6ONLY: number };
  WriteWrap: new () => WriteRequest;
  ShutdownWrap: new () => ShutdownRequest;
  streamBaseState: Int32Array;
  kReadBytesOrError: number;
  kLastWriteWasAsync: number;
}

function loadBindings(): Bindings | undefined {
  if (process.env.CAUSEWAY_WIRE === 'plain') return undefined;
  try {
    const { binding } = process as unknown as { binding: (name: string) => object };
    const all = { ...binding('tcp_wrap'), ...binding('stream_wrap') } as Bindings;
    const complete =
      typeof all.TCP.prototype.useUserBuffer === 'function' &&
      all.constants.UV_TCP_REUSEPORT !== undefined &&
      all.streamBaseState !== undefined;
    return complete ? all : undefined;
  } catch {
    return undefined;
  }
}

let bindings = loadBindings();
export const hasNative = (): boolean => bindings !== undefined;
/** From now on everything runs on documented sockets. */
export const giveUpNative = (): void => {
  bindings = undefined;
};
const need = (): Bindings => bindings ?? fail();
function fail(): never {
  throw new Error('Native handles are not there: ask hasNative() first.');
}

const { streamBaseState, kReadBytesOrError, kLastWriteWasAsync } = bindings ?? ({} as Bindings);
/** Inside `onread`: how many bytes came, or a negative error. */
export const bytesRead = (): number => streamBaseState[kReadBytesOrError] as number;
/** After a write or shutdown: whether its `oncomplete` is still to come. */
export const lastWriteWaits = (): boolean => streamBaseState[kLastWriteWasAsync] !== 0;

export const endOfFile = -4095;

export const newWriteRequest = (done: WriteRequest['oncomplete']): WriteRequest => {
  const request = new (need().WriteWrap)();
  request.oncomplete = done;
  return request;
};
export const newShutdownRequest = (owner: unknown, done: ShutdownRequest['oncomplete']): ShutdownRequest => {
  const request = new (need().ShutdownWrap)();
  request.owner = owner;
  request.oncomplete = done;
  return request;
};

/** Binds without listening; a negative number is the error. Several may share address and port, unless told otherwise. */
export function bindNative(address: string, port: number, shared = true): NativeListener | number {
  const { TCP, constants } = need();
  const handle: NativeListener = new TCP(constants.SERVER);
  const flags = shared ? constants.UV_TCP_REUSEPORT : 0;
  const status = address.includes(':')
    ? handle.bind6(address, port, flags | constants.UV_TCP_IPV6ONLY)
    : handle.bind(address, port, flags);
  if (status === 0) return handle;
  handle.close();
  return status;
}

export function connectNative(
  address: string,
  port: number,
  done: (status: number) => void,
): NativeConnection | number {
  const { TCP, TCPConnectWrap, constants } = need();
  const handle: NativeConnection = new TCP(constants.SOCKET);
  const request = new TCPConnectWrap();
  request.oncomplete = done;
  const status = address.includes(':')
    ? handle.connect6(request, address, port)
    : handle.connect(request, address, port);
  if (status === 0) return handle;
  handle.close();
  return status;
}

export function endpointOf(handle: object, side: 'getpeername' | 'getsockname'): Endpoint {
  const found = { address: '', port: 0 };
  (handle as NativeConnection)[side]?.(found);
  return { address: unmapped(found.address), port: found.port };
}

/** For TLS and HTTP/2 servers, which read from the handle by themselves. */
export const socketOfNative = (handle: NativeConnection): Socket =>
  new Socket({ handle, allowHalfOpen: true, pauseOnCreate: true } as unknown as SocketConstructorOpts);

/** Leaves what comes in the kernel, also where an HTTP/2 session reads from the handle by itself. */
export function stopReading(socket: Duplex): void {
  const { _handle } = socket as unknown as { _handle?: { readStop?: () => number } | null };
  if (_handle?.readStop === undefined) socket.destroy();
  else _handle.readStop();
}

/** The decrypting handle of a TLS session that is set up, and what the session already read. */
export function takeTlsHandle(socket: TLSSocket): { handle: NativeStream; head: Buffer[]; ended: boolean } | undefined {
  const inner = socket as unknown as { _handle: NativeStream | null; _readableState: { ended: boolean } };
  if (bindings === undefined || inner._handle === null || typeof inner._handle.useUserBuffer !== 'function')
    return undefined;
  const head: Buffer[] = [];
  for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) head.push(chunk as Buffer);
  // Afterwards: a session that had stopped because nobody read begins again when it is read from.
  inner._handle.readStop();
  return { handle: inner._handle, head, ended: inner._readableState.ended };
}
