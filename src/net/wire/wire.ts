// A wire is one byte stream in both directions: a TCP connection, a TLS session, a stream in a tunnel. Everything that
// carries bytes for somebody speaks this interface, so there is one way to join two of them (`splice`).
import type { Socket } from 'node:net';
import { getSystemErrorName } from 'node:util';

export interface Endpoint {
  /** IP address as text, IPv4 never in its IPv6-mapped form; empty where there is none. */
  readonly address: string;
  readonly port: number;
}

/** Where a wire tells what happens to it. */
export interface Sink {
  /**
   * Bytes have come. The chunk is only lent: it is overwritten after the call, unless the sink answers true ("kept").
   * A wire whose chunk was kept is silent until `release`. `room` is how many bytes in front of the chunk, in the
   * same memory, the sink may overwrite, so that a header needs no copy.
   */
  data(chunk: Buffer, room: number): boolean;
  /** The other side will send nothing more; the way towards it is still open. */
  end(): void;
  /** What `write` kept is gone: write again. */
  drained(): void;
  /** Last call. Without an error both directions ended in order, or we destroyed it. */
  closed(error?: Error): void;
}

export interface Wire {
  readonly remote: Endpoint;
  readonly local: Endpoint;
  /** Sends all events to this sink from now on, and reads unless paused. May be called again with another sink. */
  read(sink: Sink): void;
  pause(): void;
  resume(): void;
  /** Gives the kept chunk back, and reads on. */
  release(): void;
  /**
   * Inside `Sink.data`: the chunk's memory is the sink's from now on, and the wire reads on with other memory. Who has
   * it gives it to `recycle` when it is done. Absent: the wire never uses memory again.
   */
  adopt?(): void;
  /**
   * True: the bytes are on their way and the chunk is free. False: the chunk is kept, and nothing else may be written
   * until `drained`.
   */
  write(chunk: Buffer, room: number): boolean;
  /** Nothing more will be written; reading goes on. After what is still waiting. */
  end(): void;
  /** Ends both directions at once; `reset` tells the other side that it was not in order. */
  destroy(reset?: boolean): void;
  /** Turns into an ordinary socket, with `head` in front of what it reads. The wire must not be used any more. */
  toSocket(head?: Buffer): Socket;
}

/** Where nobody listens, yet or any more. */
export const silentSink: Sink = { data: () => false, end: () => {}, drained: () => {}, closed: () => {} };

export interface WireError extends Error {
  code: string;
  syscall: string;
}

/**
 * The error that a documented socket would have given for a negative status. Without a stack: it would only show the
 * event loop, and connections break often enough for its cost to be seen.
 */
export function errorOfStatus(syscall: string, status: number, where = ''): WireError {
  const code = getSystemErrorName(status);
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = new Error(`${syscall} ${code}${where === '' ? '' : ` ${where}`}`) as WireError;
  Error.stackTraceLimit = stackTraceLimit;
  error.code = code;
  error.syscall = syscall;
  return error;
}

const mapped = '::ffff:';

/** An IPv4 address as such, also where the system shows it inside IPv6. */
export const unmapped = (address: string): string =>
  address.startsWith(mapped) && address.includes('.') ? address.slice(mapped.length) : address;
