// A wire as an ordinary stream, for libraries that want one (TLS inside of a tunnel, HTTP). It copies; nothing that has
// to be fast goes through here.
import { Duplex } from 'node:stream';
import type { Wire } from './wire.ts';

type Callback = (error?: Error | null) => void;

export const duplexOfWire = (wire: Wire): Duplex => new WireDuplex(wire);

class WireDuplex extends Duplex {
  readonly #wire: Wire;
  #written: Callback | undefined;
  #closed = false;

  constructor(wire: Wire) {
    super({ allowHalfOpen: true });
    this.#wire = wire;
    wire.read({
      data: (chunk) => this.#received(chunk),
      end: () => void this.push(null),
      drained: () => this.#drained(),
      closed: (error) => this.#gone(error),
    });
  }

  #received(chunk: Buffer): boolean {
    if (!this.push(Buffer.from(chunk))) this.#wire.pause();
    return false;
  }
  #drained(): void {
    const written = this.#written;
    this.#written = undefined;
    written?.();
  }
  #gone(error: Error | undefined): void {
    this.#closed = true;
    if (error === undefined) this.push(null);
    this.destroy(error);
  }

  override _read(): void {
    if (!this.#closed) this.#wire.resume();
  }
  override _write(chunk: Buffer, _encoding: string, done: Callback): void {
    if (this.#wire.write(Buffer.from(chunk), 0)) done();
    else this.#written = done;
  }
  override _final(done: Callback): void {
    this.#wire.end();
    done();
  }
  override _destroy(error: Error | null, done: Callback): void {
    if (!this.#closed) this.#wire.destroy(error !== null);
    this.#closed = true;
    done(error);
  }
}
