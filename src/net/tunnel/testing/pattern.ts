// For tests: bytes that can be checked wherever they are, and sinks that collect them.
import type { Sink, Wire } from '../../wire/wire.ts';

/** The byte at a place in the stream. No short period, so that lost and doubled pieces show. */
export const patternAt = (at: number, seed: number): number => (at + (at >>> 8) * 7 + (at >>> 16) * 13 + seed) & 0xff;

export function pattern(from: number, length: number, seed: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; at += 1) bytes[at] = patternAt(from + at, seed);
  return bytes;
}

/** Checks each byte that comes, and says when the other side has ended. */
export class PatternSink implements Sink {
  readonly #seed: number;
  received = 0;
  wrongAt = -1;
  ended = false;
  error: Error | undefined;
  onDrained: () => void = () => {};
  readonly finished: Promise<void>;
  readonly over: Promise<void>;
  #finish: () => void = () => {};
  #closed: () => void = () => {};

  constructor(seed: number) {
    this.#seed = seed;
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.over = new Promise((resolve) => {
      this.#closed = resolve;
    });
  }
  data(chunk: Buffer): boolean {
    for (let at = 0; at < chunk.length && this.wrongAt < 0; at += 1) {
      if (chunk[at] !== patternAt(this.received + at, this.#seed)) this.wrongAt = this.received + at;
    }
    this.received += chunk.length;
    return false;
  }
  end(): void {
    this.ended = true;
    this.#finish();
  }
  drained(): void {
    this.onDrained();
  }
  closed(error?: Error): void {
    this.error = error;
    this.#finish();
    this.#closed();
  }
}

/** Writes a pattern as fast as the wire takes it, then ends. The sink must be the one that reads the wire. */
export function writePattern(wire: Wire, sink: PatternSink, length: number, seed: number, piece = 60_000): void {
  let at = 0;
  const next = (): void => {
    while (at < length) {
      const bytes = pattern(at, Math.min(piece, length - at), seed);
      at += bytes.length;
      if (!wire.write(bytes, 0)) return;
    }
    wire.end();
    sink.onDrained = () => {};
  };
  sink.onDrained = next;
  next();
}
