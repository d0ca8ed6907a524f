// One tunnelled connection on a trunk, as a wire: whoever joins two wires need not know that it is one. Each direction has
// a window of bytes that may be on their way, so a reader that is slow holds up nobody but itself.
import type { Socket } from 'node:net';
import type { Endpoint, Sink, Wire } from '../../wire/wire.ts';
import { TunnelBroken } from '../errors.ts';
import { Backlog } from './backlog.ts';
import { frameTypes, maximumData } from './frame.ts';
import type { Sender } from './outbox.ts';
import type { Trunk } from './trunk.ts';

/** What may be on its way in one direction of one connection at first, and so what a slow reader costs. */
export const streamWindow = 512 * 1024;
/** It grows up to here while the reader keeps up: long ways need it, and one that is fast is owed little. */
export const largestWindow = 4 * 1024 * 1024;

/** Shared: a stack would only show the event loop, and a flood of requests that are refused would pay for it. */
const resetByPeer = new TunnelBroken('ECONNRESET', 'The other end of the tunnel reset the connection.');

export class TrunkWire implements Wire, Sender {
  readonly id: number;
  readonly #trunk: Trunk;
  #sink: Sink | undefined;
  #paused = false;
  #kept: Buffer | undefined;
  #backlog: Backlog | undefined;
  /** Bytes that the other side may still send, and those taken that it does not know of yet. */
  #allowed = streamWindow;
  #taken = 0;
  #window = streamWindow;
  #credit = streamWindow;
  #pending: Buffer | undefined;
  #pendingRoom = 0;
  /** The trunk has a part of our chunk. */
  #inFlight = false;
  #ending = false;
  /** We sent END or RESET; the other side did. */
  sentLast = false;
  gotLast = false;
  #endTold = false;
  #over = false;
  #error: Error | undefined;

  constructor(trunk: Trunk, id: number) {
    this.#trunk = trunk;
    this.id = id;
  }

  get remote(): Endpoint {
    return this.#trunk.wire.remote;
  }
  get local(): Endpoint {
    return this.#trunk.wire.local;
  }
  get over(): boolean {
    return this.#over;
  }
  /** Both sides have said all they wanted to; something may still wait for the reader. */
  get isWhole(): boolean {
    return this.sentLast && this.gotLast;
  }

  // Reading.

  read(sink: Sink): void {
    this.#sink = sink;
    if (this.#over) sink.closed(this.#error);
    else this.#flow();
  }
  pause(): void {
    this.#paused = true;
  }
  resume(): void {
    this.#paused = false;
    this.#flow();
  }
  release(): void {
    const kept = this.#kept;
    if (kept === undefined) return;
    this.#kept = undefined;
    this.#trunk.give(kept);
    this.#took(kept.length);
    this.#flow();
  }
  get #takes(): boolean {
    return this.#sink !== undefined && !this.#paused && this.#kept === undefined && !this.#over;
  }

  /** What came for us. */
  part(data: Buffer, room: number): void {
    if (this.#over) return;
    this.#allowed -= data.length;
    if (this.#allowed < 0 || this.gotLast) this.#trunk.bad('more data than was allowed');
    else if (this.#backlog !== undefined || !this.#takes) this.#enqueue(data);
    else this.#offer(data, room);
  }
  #offer(data: Buffer, room: number): void {
    const { length } = data;
    if ((this.#sink as Sink).data(data, room)) {
      this.#kept = data;
      this.#trunk.hold(data);
    } else this.#took(length);
  }
  #enqueue(data: Buffer): void {
    this.#backlog ??= new Backlog();
    this.#backlog.push(data);
    this.#trunk.budget.add(data.length);
  }
  #flow(): void {
    while (this.#takes && this.#backlog !== undefined) {
      const next = this.#backlog.shift();
      if (this.#backlog.empty) this.#backlog = undefined;
      this.#trunk.budget.remove(next.length);
      this.#offer(next, 0);
    }
    if (this.#takes && this.gotLast) this.#tellEnd();
  }
  /** The other side may send as much again; told in halves of the window. */
  #took(bytes: number): void {
    this.#taken += bytes;
    if (this.#taken < this.#window / 2 || this.gotLast || this.#over) return;
    const credit = this.#taken + this.#growth();
    this.#taken = 0;
    this.#allowed += credit;
    this.#trunk.outbox.credit(this.id, credit);
  }
  /** Nothing waits for the reader: it could take more at a time. */
  #growth(): number {
    if (this.#backlog !== undefined || this.#kept !== undefined || this.#window >= largestWindow) return 0;
    if (this.#trunk.budget.pressed) return 0;
    const growth = this.#window;
    this.#window += growth;
    return growth;
  }

  gotEnd(): void {
    if (this.#over) return;
    if (this.#takes && this.#backlog === undefined) this.#tellEnd();
  }
  #tellEnd(): void {
    if (this.#endTold) return;
    this.#endTold = true;
    this.#sink?.end();
    this.#finishWhenDone();
  }

  // Writing.

  write(chunk: Buffer, room: number): boolean {
    if (this.#over || this.#ending) return true;
    this.#pending = chunk;
    this.#pendingRoom = room;
    return this.#send();
  }
  /** True: nothing is pending any more. */
  #send(): boolean {
    const chunk = this.#pending as Buffer;
    if (this.#credit === 0) return false;
    const most = Math.min(this.#credit, maximumData);
    const part = chunk.length <= most ? chunk : chunk.subarray(0, most);
    const result = this.#trunk.outbox.data(this, this.id, part, this.#pendingRoom);
    if (result === 'later') return false;
    this.#credit -= part.length;
    this.#pending = part === chunk ? undefined : chunk.subarray(part.length);
    // In front of what is left is what the wire may still be reading.
    this.#pendingRoom = 0;
    this.#inFlight = result === 'kept';
    if (this.#inFlight) return false;
    return this.#pending === undefined || this.#send();
  }
  sent(): void {
    this.#inFlight = false;
    if (this.#pending === undefined) this.#drained();
    else this.sendMore();
  }
  sendMore(): void {
    if (!this.#over && !this.#inFlight && this.#pending !== undefined && this.#send()) this.#drained();
  }
  gotCredit(bytes: number): void {
    const waited = this.#credit === 0;
    this.#credit += bytes;
    if (this.#credit > largestWindow) this.#trunk.bad('more credit than there is');
    else if (waited) this.sendMore();
  }
  #drained(): void {
    if (this.#over) return;
    if (this.#ending) this.#sendEnd();
    else this.#sink?.drained();
  }

  end(): void {
    if (this.#ending || this.#over) return;
    this.#ending = true;
    if (this.#pending === undefined && !this.#inFlight) this.#sendEnd();
  }
  #sendEnd(): void {
    this.sentLast = true;
    this.#trunk.outbox.frame(frameTypes.end, this.id);
    this.#finishWhenDone();
  }

  // Ends.

  #finishWhenDone(): void {
    if (!this.#endTold || !this.sentLast) return;
    this.#trunk.forget(this);
    this.#close(undefined);
  }
  destroy(): void {
    if (this.#over) return;
    this.#trunk.outbox.frame(frameTypes.reset, this.id);
    this.#trunk.forget(this);
    this.#close(undefined);
  }
  /** Bytes that wait for the reader. */
  get buffered(): number {
    return this.#backlog?.bytes ?? 0;
  }
  /** Its reader stands still, and others need the memory. */
  shed(): void {
    if (this.#over) return;
    this.#trunk.outbox.frame(frameTypes.reset, this.id);
    this.#trunk.forget(this);
    this.#close(new TunnelBroken('ENOBUFS', 'The connection was reset: the tunnel holds as much as it may, unread.'));
  }
  /** The other side has ended it, or the trunk is gone. */
  fail(error: Error | undefined): void {
    this.#close(error ?? resetByPeer);
  }
  #close(error: Error | undefined): void {
    if (this.#over) return;
    this.#over = true;
    this.#error = error;
    if (this.#backlog !== undefined) this.#trunk.budget.remove(this.#backlog.bytes);
    this.#backlog = undefined;
    this.#pending = undefined;
    if (this.#kept !== undefined) this.#trunk.drop(this.#kept);
    this.#kept = undefined;
    this.#sink?.closed(error);
  }

  toSocket(): Socket {
    throw new Error('A tunnelled connection cannot become a socket.');
  }
}
