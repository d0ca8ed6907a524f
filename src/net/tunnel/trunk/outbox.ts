// What a trunk has to send. Small frames of all its connections are collected for the rest of the turn and go out in one
// write; large data goes out as it is, without a copy.
import { createBufferPool } from '../../wire/memory.ts';
import type { Wire } from '../../wire/wire.ts';
import { type FrameType, frameTypes, headerBytes, writeHeader } from './frame.ts';

const batchSize = 64 * 1024;
/** Up to here copying costs less than a write of its own. */
const copiedAtMost = 16 * 1024;
/** When so much waits, connections wait too. */
const enough = 256 * 1024;
/** Data stops long before; this many batches are answers to a peer that asks and does not read. */
const mostFull = 32;

const batches = createBufferPool(batchSize, 16);

/** A connection that waits until the trunk takes more. */
export interface Sender {
  /** The chunk that the trunk kept is gone. */
  sent(): void;
  /** There is room again. */
  sendMore(): void;
}

export class Outbox {
  readonly #wire: Wire;
  /** Called when more answers wait than an honest peer causes. */
  readonly #overflow: () => void;
  #batch: Buffer | undefined;
  #used = 0;
  #full: Buffer[] = [];
  #inFlight: Buffer | undefined;
  /** Whose chunk the wire has. */
  #inFlightOf: Sender | undefined;
  #blocked = false;
  #scheduled = false;
  #waiting: Sender[] = [];
  #closed = false;
  /** Nothing follows what waits. */
  #finishing = false;

  constructor(wire: Wire, overflow: () => void) {
    this.#wire = wire;
    this.#overflow = overflow;
  }

  get congested(): boolean {
    return this.#blocked && this.#full.length * batchSize + this.#used > enough;
  }

  frame(type: FrameType, stream: number, payload?: Buffer): void {
    if (this.#closed || this.#finishing) return;
    const length = payload?.length ?? 0;
    const at = this.#reserve(headerBytes + length);
    const batch = this.#batch as Buffer;
    writeHeader(batch, at, type, length, stream);
    payload?.copy(batch, at + headerBytes);
  }
  credit(stream: number, bytes: number): void {
    if (this.#closed || this.#finishing) return;
    const at = this.#reserve(headerBytes + 4);
    const batch = this.#batch as Buffer;
    writeHeader(batch, at, frameTypes.credit, 4, stream);
    batch.writeUInt32BE(bytes, at + headerBytes);
  }
  /** Bytes that are no frame. */
  raw(bytes: Buffer): void {
    const at = this.#reserve(bytes.length);
    bytes.copy(this.#batch as Buffer, at);
  }

  /** 'taken': the chunk is free. 'kept': `sent` follows. 'later': nothing was taken, `sendMore` follows. */
  data(sender: Sender, stream: number, chunk: Buffer, room: number): 'taken' | 'kept' | 'later' {
    if (this.#closed) return 'taken';
    if (this.congested) return this.#later(sender);
    if (chunk.length > copiedAtMost && room >= headerBytes) return this.#large(sender, stream, chunk);
    for (let from = 0; from < chunk.length; from += copiedAtMost)
      this.frame(frameTypes.data, stream, chunk.subarray(from, from + copiedAtMost));
    return 'taken';
  }
  #large(sender: Sender, stream: number, chunk: Buffer): 'taken' | 'kept' | 'later' {
    this.flush();
    if (this.#blocked) return this.#later(sender);
    const frame = Buffer.from(chunk.buffer, chunk.byteOffset - headerBytes, headerBytes + chunk.length);
    writeHeader(frame, 0, frameTypes.data, chunk.length, stream);
    if (this.#wire.write(frame, 0)) return 'taken';
    this.#blocked = true;
    this.#inFlightOf = sender;
    return 'kept';
  }
  #later(sender: Sender): 'later' {
    this.#waiting.push(sender);
    return 'later';
  }

  #reserve(size: number): number {
    if (this.#batch !== undefined && this.#used + size > batchSize) this.#turnOver();
    this.#batch ??= batches.take();
    this.#schedule();
    const at = this.#used;
    this.#used += size;
    return at;
  }
  #turnOver(): void {
    this.flush();
    if (this.#used === 0) return;
    this.#full.push((this.#batch as Buffer).subarray(0, this.#used));
    this.#batch = undefined;
    this.#used = 0;
    if (this.#full.length > mostFull) setImmediate(this.#overflow);
  }
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(endOfTurn, this);
  }
  endOfTurn(): void {
    this.#scheduled = false;
    this.flush();
    if (this.#used === 0) this.#freeBatch();
  }

  flush(): void {
    if (this.#blocked || this.#used === 0 || this.#closed) return;
    const batch = this.#batch as Buffer;
    const length = this.#used;
    this.#used = 0;
    if (this.#wire.write(batch.subarray(0, length), 0)) return;
    this.#blocked = true;
    this.#inFlight = batch;
    this.#batch = undefined;
  }
  #freeBatch(): void {
    if (this.#batch !== undefined) batches.give(this.#batch);
    this.#batch = undefined;
  }

  drained(): void {
    this.#blocked = false;
    if (this.#inFlight !== undefined) batches.give(Buffer.from(this.#inFlight.buffer));
    this.#inFlight = undefined;
    const sender = this.#inFlightOf;
    this.#inFlightOf = undefined;
    this.#writeFull();
    this.flush();
    sender?.sent();
    this.#wakeWaiting();
    this.#endWhenEmpty();
  }
  #writeFull(): void {
    while (!this.#blocked && !this.#closed) {
      const batch = this.#full.shift();
      if (batch === undefined) return;
      if (this.#wire.write(batch, 0)) batches.give(Buffer.from(batch.buffer));
      else {
        this.#blocked = true;
        this.#inFlight = batch;
      }
    }
  }
  /** Each once: who must wait again is behind the others. */
  #wakeWaiting(): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    for (const sender of waiting) sender.sendMore();
  }

  /** Ends the wire after what waits. */
  finish(): void {
    this.flush();
    this.#finishing = true;
    this.#endWhenEmpty();
  }
  #endWhenEmpty(): void {
    if (this.#finishing && !this.#blocked && !this.#closed) this.#wire.end();
  }

  /** Memory that the wire may still read from is left to the garbage collector. */
  close(): void {
    this.#closed = true;
    this.#waiting = [];
    this.#full = [];
    this.#inFlightOf = undefined;
    if (!this.#blocked) this.#freeBatch();
    this.#batch = undefined;
  }
}

const endOfTurn = (outbox: Outbox): void => outbox.endOfTurn();
