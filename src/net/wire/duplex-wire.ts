// A wire over any documented stream: plain sockets, TLS sessions. HTTP/2 streams build on it.
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { type Endpoint, type Sink, silentSink, unmapped, type Wire } from './wire.ts';

const nowhere: Endpoint = { address: '', port: 0 };
/** Copying this much costs less than waiting for it. */
const copiedAtMost = 16 * 1024;

export const wireOfDuplex = (stream: Duplex): Wire => new DuplexWire(stream);

export class DuplexWire<Stream extends Duplex = Duplex> implements Wire {
  protected readonly stream: Stream;
  #sink: Sink = silentSink;
  #paused = false;
  #kept = false;
  #waits = false;
  #started = false;
  #closed = false;
  #error: Error | undefined;

  constructor(stream: Stream) {
    this.stream = stream;
    stream.on('error', (error: Error) => this.failed(error));
    stream.on('close', () => this.finish(this.reason()));
  }
  protected failed(error: Error): void {
    this.#error ??= error;
  }
  /** Why the stream has closed; nothing where it ended in order. */
  protected reason(): Error | undefined {
    return this.#error;
  }
  protected get isClosed(): boolean {
    return this.#closed;
  }

  get remote(): Endpoint {
    const { remoteAddress, remotePort } = this.stream as Duplex as Socket;
    return remotePort === undefined ? nowhere : { address: unmapped(remoteAddress ?? ''), port: remotePort };
  }
  get local(): Endpoint {
    const { localAddress, localPort } = this.stream as Duplex as Socket;
    return localPort === undefined ? nowhere : { address: unmapped(localAddress ?? ''), port: localPort };
  }

  read(sink: Sink): void {
    this.#sink = sink;
    if (this.#closed) sink.closed(this.#error);
    else if (this.#started) this.#flow();
    else this.#start();
  }
  #start(): void {
    this.#started = true;
    this.stream.on('data', (chunk: Buffer) => this.#received(chunk));
    // A stream of HTTP/2 that has nothing more to read ends although nobody reads.
    if (this.stream.readableEnded) process.nextTick(() => this.#closed || this.readEnded());
    else this.stream.on('end', () => this.readEnded());
    this.stream.on('drain', () => this.#drained());
    if (this.#paused) this.stream.pause();
    else this.#flow();
  }

  protected readEnded(): void {
    this.#sink.end();
  }

  pause(): void {
    this.#paused = true;
    this.stream.pause();
  }
  resume(): void {
    this.#paused = false;
    this.#flow();
  }
  release(): void {
    this.#kept = false;
    this.#flow();
  }
  #flow(): void {
    if (this.#started && !this.#paused && !this.#kept) this.stream.resume();
  }

  #received(chunk: Buffer): void {
    this.#kept = this.#sink.data(chunk, 0);
    if (this.#kept) this.stream.pause();
  }

  /** A stream holds on to what is written, so small chunks are copied, and large ones kept until they are gone. */
  write(chunk: Buffer): boolean {
    if (!this.stream.writable) return true;
    if (chunk.length > copiedAtMost) {
      this.stream.write(chunk, () => this.#gone());
      return false;
    }
    this.#waits = !this.stream.write(Buffer.from(chunk));
    return !this.#waits;
  }
  #drained(): void {
    if (!this.#waits) return;
    this.#waits = false;
    this.#gone();
  }
  #gone(): void {
    if (!this.#closed) this.#sink.drained();
  }
  end(): void {
    if (this.stream.writable) this.stream.end();
  }
  destroy(reset?: boolean): void {
    if (reset && this.#canReset) (this.stream as Duplex as Socket).resetAndDestroy();
    else this.stream.destroy();
    this.finish(this.#error);
  }
  /** A TLS session has no reset of its own; and one that meets an end under way would leave the socket open for good. */
  get #canReset(): boolean {
    const { destroyed, writableEnded, writableFinished } = this.stream;
    if (destroyed || (writableEnded && !writableFinished)) return false;
    const stream: Duplex = this.stream;
    return stream instanceof Socket && !(stream instanceof TLSSocket);
  }
  protected finish(error: Error | undefined): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#error = error;
    this.#sink.closed(error);
  }

  toSocket(head?: Buffer): Socket {
    for (const event of ['data', 'end', 'drain', 'error', 'close']) this.stream.removeAllListeners(event);
    this.#closed = true;
    this.stream.pause();
    if (head !== undefined && head.length > 0) this.stream.unshift(head);
    return this.stream as Duplex as Socket;
  }
}
