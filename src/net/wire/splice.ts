// Joins two wires: what comes on one goes out on the other, both ways, with the speed of the slower one.
import type { Sink, Wire } from './wire.ts';

/** Counts what passes. */
export interface Meter {
  /** Bytes from the first wire to the second. */
  sent: number;
  /** Bytes from the second wire to the first. */
  received: number;
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
    this.#done = done;
  }

  destroy(reset?: boolean): void {
    this.first.own.destroy(reset);
    this.second.own.destroy(reset);
  }

  ended(other: Wire, error: Error | undefined): void {
    this.#open -= 1;
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
  drained(): void {
    this.other.release();
  }
  closed(error?: Error): void {
    this.joint.ended(this.other, error);
  }
}

class FirstEnd extends End {
  data(chunk: Buffer, room: number): boolean {
    this.meter.sent += chunk.length;
    return !this.other.write(chunk, room);
  }
}

class SecondEnd extends End {
  data(chunk: Buffer, room: number): boolean {
    this.meter.received += chunk.length;
    return !this.other.write(chunk, room);
  }
}
