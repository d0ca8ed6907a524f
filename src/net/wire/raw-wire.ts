// A wire over a native handle. Most connections are quiet most of the time, so all of them read into one landing buffer,
// and only a bulky one gets memory of its own. What came is copied once into a scratch buffer: the kernel may take its
// time with what we write, while the landing buffer is overwritten by the next connection.
import type { Socket } from 'node:net';
import { giveBack, landing, landingSize, room, takeBulk, takeScratch } from './memory.ts';
import {
  bytesRead,
  endOfFile,
  endpointOf,
  lastWriteWaits,
  type NativeConnection,
  type NativeStream,
  newShutdownRequest,
  newWriteRequest,
  type ShutdownRequest,
  socketOfNative,
  type WriteRequest,
} from './native.ts';
import { type Endpoint, errorOfStatus, type Sink, silentSink, type Wire } from './wire.ts';

/** A bulky wire is quiet again after so many small reads in a row. */
const quietReads = 16;

let scratch = takeScratch();
/** A request whose write went out at once was never used, so the next write can have it. */
let spare: WriteRequest | undefined;

export class RawWire implements Wire {
  protected readonly handle: NativeStream;
  protected sink: Sink = silentSink;
  #started = false;
  #reading = false;
  #paused = false;
  #kept: Buffer | undefined;
  #bulk: Buffer | undefined;
  /** The sink took the memory of the chunk that it was given last. */
  #adopted = false;
  #smallReads = 0;
  #readEnded = false;
  /** The last write is done. */
  #written = true;
  /** The last write waits for the kernel. */
  #writing = false;
  #ending = false;
  #writeEnded = false;
  #closed = false;
  #error: Error | undefined;
  #remote: Endpoint | undefined;

  constructor(handle: NativeStream) {
    this.handle = handle;
    handle.owner = this;
  }

  get remote(): Endpoint {
    this.#remote ??= endpointOf(this.handle, 'getpeername');
    return this.#remote;
  }
  get local(): Endpoint {
    return endpointOf(this.handle, 'getsockname');
  }

  read(sink: Sink): void {
    this.sink = sink;
    if (this.#closed) sink.closed(this.#error);
    else this.#start();
  }
  #start(): void {
    if (!this.#started) {
      this.#started = true;
      this.install();
    }
    this.flow();
  }
  protected install(): void {
    this.handle.onread = onRead;
    this.handle.useUserBuffer(landing);
  }
  pause(): void {
    this.#paused = true;
    this.#stop();
  }
  resume(): void {
    this.#paused = false;
    this.flow();
  }
  release(): void {
    const kept = this.#kept;
    if (kept === undefined) return;
    this.#kept = undefined;
    if (kept !== this.#bulk) giveBack(kept);
    this.flow();
  }
  adopt(): void {
    this.#adopted = true;
  }
  protected get silent(): boolean {
    return !this.#started || this.#paused || this.#kept !== undefined || this.#closed;
  }
  protected flow(): void {
    if (this.#reading || this.silent || this.#readEnded) return;
    this.#reading = true;
    const status = this.handle.readStart();
    if (status !== 0) this.fail(errorOfStatus('read', status));
  }
  #stop(): void {
    if (!this.#reading) return;
    this.#reading = false;
    if (!this.#closed) this.handle.readStop();
  }

  /** Answers with the buffer to read into from now on, where that changes. */
  received(length: number): Uint8Array | undefined {
    return this.#bulk === undefined ? this.#receivedQuiet(length) : this.#receivedBulk(this.#bulk, length);
  }
  #receivedQuiet(length: number): Uint8Array | undefined {
    const buffer = scratch;
    landing.copy(buffer, room, 0, length);
    if (this.deliver(buffer, length) || this.#adopted) scratch = takeScratch();
    return length === landingSize && !this.#closed ? this.#becomeBulky() : undefined;
  }
  /** Copies what came out of the way of the next connection. */
  protected stash(length: number): Buffer {
    const buffer = takeScratch();
    landing.copy(buffer, room, 0, length);
    return buffer;
  }
  protected deliverStashed(buffer: Buffer, length: number): void {
    if (!this.deliver(buffer, length) && !this.#adopted) giveBack(buffer);
  }
  #becomeBulky(): Uint8Array {
    this.#bulk = takeBulk();
    this.#smallReads = 0;
    return this.#bulk.subarray(room);
  }
  #receivedBulk(buffer: Buffer, length: number): Uint8Array | undefined {
    this.#smallReads = length < landingSize / 4 ? this.#smallReads + 1 : 0;
    this.deliver(buffer, length);
    if (this.#smallReads > quietReads) return this.#becomeQuiet(buffer);
    return this.#adopted && !this.#closed ? this.#becomeBulky() : undefined;
  }
  #becomeQuiet(buffer: Buffer): Uint8Array {
    this.#bulk = undefined;
    if (this.#kept !== buffer && !this.#adopted && !this.#closed) giveBack(buffer);
    return landing;
  }
  /** Whether the sink kept it. */
  protected deliver(buffer: Buffer, length: number): boolean {
    this.#adopted = false;
    if (!this.sink.data(buffer.subarray(room, room + length), room)) return false;
    this.#kept = buffer;
    this.#stop();
    return true;
  }
  readFinished(status: number): void {
    if (status !== endOfFile) {
      this.fail(errorOfStatus('read', status));
      return;
    }
    this.#readEnded = true;
    this.#stop();
    this.sink.end();
    this.#closeWhenDone();
  }

  write(chunk: Buffer, _room: number): boolean {
    if (this.#closed || this.#ending) return true;
    const request = spare ?? newWriteRequest(onWritten);
    spare = undefined;
    request.owner = this;
    this.#written = false;
    const status = this.handle.writeBuffer(request, chunk);
    // A TLS session may have called back before it returned.
    if (this.#written) return true;
    return status === 0 ? this.#wrote(request, chunk) : this.#writeFailed(status);
  }
  #wrote(request: WriteRequest, chunk: Buffer): boolean {
    if (!lastWriteWaits()) {
      spare = request;
      this.#written = true;
      return true;
    }
    request.chunk = chunk;
    this.#writing = true;
    return false;
  }
  #writeFailed(status: number): boolean {
    this.fail(errorOfStatus('write', status));
    return true;
  }
  written(status: number): void {
    const waited = this.#writing;
    this.#written = true;
    this.#writing = false;
    if (this.#closed) return;
    if (status < 0) this.fail(errorOfStatus('write', status));
    else if (waited) this.gone();
  }
  /** What was written is gone. */
  protected gone(): void {
    this.sink.drained();
  }

  end(): void {
    if (this.#ending || this.#closed) return;
    this.#ending = true;
    // The kernel takes the end after what still waits to be written.
    const status = this.handle.shutdown(newShutdownRequest(this, onShutdown));
    if (status !== 0) this.shutdownDone(status);
  }
  shutdownDone(status: number): void {
    if (this.#closed) return;
    if (status < 0) {
      this.fail(errorOfStatus('shutdown', status));
      return;
    }
    this.#writeEnded = true;
    this.#closeWhenDone();
  }
  #closeWhenDone(): void {
    if (this.#readEnded && this.#writeEnded) this.#close(false);
  }

  destroy(reset = false): void {
    this.#close(reset);
  }
  protected fail(error: Error): void {
    this.#error = error;
    this.#close(false);
  }
  #close(reset: boolean): void {
    if (this.#closed) return;
    this.#stop();
    this.#closed = true;
    // Memory that the kernel may still read from is left to the garbage collector.
    if (this.#bulk !== undefined && this.#kept === undefined && !this.#adopted) giveBack(this.#bulk);
    this.#bulk = undefined;
    this.#kept = undefined;
    // A reset that the kernel refuses, because an end is under way, would leave the handle open for good.
    this.closeHandle(reset && !this.#writing && (!this.#ending || this.#writeEnded));
    this.sink.closed(this.#error);
  }
  protected closeHandle(reset: boolean): void {
    const handle = this.handle as NativeConnection;
    if (!reset || handle.reset?.() !== 0) handle.close();
  }

  toSocket(head?: Buffer): Socket {
    this.#stop();
    this.#closed = true;
    this.handle.owner = undefined;
    const socket = this.socketOfHandle();
    if (head !== undefined && head.length > 0) socket.unshift(head);
    return socket;
  }
  protected socketOfHandle(): Socket {
    return socketOfNative(this.handle as NativeConnection);
  }
}

function onRead(this: NativeStream): Uint8Array | undefined {
  const length = bytesRead();
  const wire = this.owner as RawWire;
  if (length > 0) return wire.received(length);
  if (length < 0) wire.readFinished(length);
  return undefined;
}
function onWritten(this: WriteRequest, status: number): void {
  this.chunk = undefined;
  (this.owner as RawWire).written(status);
}
function onShutdown(this: ShutdownRequest, status: number): void {
  (this.owner as RawWire).shutdownDone(status);
}
