// What a client sent before it is known where it goes. Small pooled memory first; few clients ever need more.
import { largestHello } from '../../net/index.ts';
import type { Wire } from '../../net/wire/index.ts';

/** In front of the bytes, so that a PROXY protocol header goes out with them in one write. */
export const headerRoom = 64;
const smallSize = 2048;

interface Memory {
  readonly whole: Buffer;
  readonly bytes: Buffer;
  readonly pool: Memory[] | undefined;
}

const spares = 256;
const small: Memory[] = [];
const large: Memory[] = [];

function newMemory(size: number, pool: Memory[] | undefined): Memory {
  const whole = Buffer.allocUnsafeSlow(headerRoom + size);
  return { whole, bytes: whole.subarray(headerRoom), pool };
}
function takeMemory(size: number): Memory {
  if (size <= smallSize) return small.pop() ?? newMemory(smallSize, small);
  if (size <= largestHello) return large.pop() ?? newMemory(largestHello, large);
  return newMemory(size, undefined);
}
function giveMemory(memory: Memory): void {
  const { pool } = memory;
  if (pool !== undefined && pool.length < spares) pool.push(memory);
}
const none = Buffer.alloc(0);

export class FirstBytes {
  #memory: Memory | undefined;
  #length = 0;

  get length(): number {
    return this.#length;
  }
  /** From the first byte on; only the first `length` of it mean something. */
  get bytes(): Buffer {
    return this.#memory?.bytes ?? none;
  }

  add(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    const memory = this.#memoryFor(length);
    chunk.copy(memory.bytes, this.#length);
    this.#length = length;
  }
  #memoryFor(length: number): Memory {
    const old = this.#memory;
    if (old !== undefined && old.bytes.length >= length) return old;
    const memory = takeMemory(length);
    if (old !== undefined) {
      old.bytes.copy(memory.bytes, 0, 0, this.#length);
      giveMemory(old);
    }
    this.#memory = memory;
    return memory;
  }

  /** Forgets the first bytes: they were somebody else's header. */
  skip(count: number): void {
    this.bytes.copyWithin(0, count, this.#length);
    this.#length -= count;
  }

  /** A copy that nobody uses again. */
  copy(): Buffer {
    return Buffer.from(this.bytes.subarray(0, this.#length));
  }

  /** With a header in front; the same answer as `Wire.write`. Until it is written the memory is not given back. */
  writeTo(wire: Wire, header: Buffer | undefined): boolean {
    if (this.#memory === undefined || this.#length === 0) return header === undefined || wire.write(header, 0);
    const { whole } = this.#memory;
    const start = headerRoom - (header?.length ?? 0);
    header?.copy(whole, start);
    return wire.write(whole.subarray(start, headerRoom + this.#length), start);
  }

  free(): void {
    if (this.#memory !== undefined) giveMemory(this.#memory);
    this.#memory = undefined;
    this.#length = 0;
  }
}
