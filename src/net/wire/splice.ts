// Joins two wires: what comes on one goes out on the other, both ways, with the speed of the slower one.
import { landingSize } from './memory.ts';
import type { Sink, Wire } from './wire.ts';

/** Counts what passes. */
export interface Meter {
  /** Bytes from the first wire to the second. */
  sent: number;
  /** Bytes from the second wire to the first. */
  received: number;
  /** Memory that waits for a reader who does not take it: so much more, or less where it is negative. */
  holds?(bytes: number): void;
}

export interface Splice {
  /** One side has sent all it had; the other may go on. */
  readonly isHalfClosed: boolean;
  /** Ends both wires at once. */
  destroy(reset?: boolean): void;
}

/** `done` is called once, when both wires are closed; with the error of the one that broke first. */
export function splice(first: Wire, second: Wire, meter: Meter, done: (error?: Error) => void): Splice {
  const joint = new Joint(first, second, meter, done);
  second.read(joint.second);
  first.read(joint.first);
  return joint;
}

class Joint implements Splice {
  isHalfClosed = false;
  readonly first: End;
  readonly second: End;
  #open = 2;
  #error: Error | undefined;
  readonly #done: (error?: Error) => void;

  constructor(first: Wire, second: Wire, meter: Meter, done: (error?: Error) => void) {
    this.first = new FirstEnd(this, first, second, meter);
    this.second = new SecondEnd(this, second, first, meter);
    this.first.opposite = this.second;
    this.second.opposite = this.first;
    this.#done = done;
  }

  destroy(reset?: boolean): void {
    this.first.own.destroy(reset);
    this.second.own.destroy(reset);
  }

  ended(other: Wire, error: Error | undefined): void {
    this.#open -= 1;
    this.first.gone();
    this.second.gone();
    if (error !== undefined) this.#error ??= error;
    if (this.#open === 0) this.#done(this.#error);
    // One side broke: the other must not wait for what never comes. In order, it ends by itself when all is written.
    else if (error !== undefined) other.destroy(true);
  }
}

abstract class End implements Sink {
  readonly joint: Joint;
  readonly own: Wire;
  readonly other: Wire;
  readonly meter: Meter;
  opposite: End | undefined;
  /** Memory of the chunk that waits to be written to the other wire. */
  #held = 0;
  constructor(joint: Joint, own: Wire, other: Wire, meter: Meter) {
    this.joint = joint;
    this.own = own;
    this.other = other;
    this.meter = meter;
  }
  abstract data(chunk: Buffer, room: number): boolean;
  end(): void {
    this.joint.isHalfClosed = true;
    this.other.end();
  }
  protected pass(chunk: Buffer, room: number): boolean {
    if (this.other.write(chunk, room)) return false;
    if (this.meter.holds !== undefined) {
      this.#held = Math.max(chunk.length, landingSize);
      this.meter.holds(this.#held);
    }
    return true;
  }
  /** What waited was written, or never will be. */
  gone(): void {
    if (this.#held === 0) return;
    const held = this.#held;
    this.#held = 0;
    this.meter.holds?.(-held);
  }
  drained(): void {
    this.opposite?.gone();
    this.other.release();
  }
  closed(error?: Error): void {
    this.joint.ended(this.other, error);
  }
}

class FirstEnd extends End {
  data(chunk: Buffer, room: number): boolean {
    this.meter.sent += chunk.length;
    return this.pass(chunk, room);
  }
}

class SecondEnd extends End {
  data(chunk: Buffer, room: number): boolean {
    this.meter.received += chunk.length;
    return this.pass(chunk, room);
  }
}
