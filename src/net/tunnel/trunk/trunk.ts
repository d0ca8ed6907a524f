// A trunk: one connection between agent and gateway that carries many. This is what both sides have in common; they
// differ in who opens.
import { recycle } from '../../wire/memory.ts';
import type { Sink, Wire } from '../../wire/wire.ts';
import { TunnelBroken } from '../errors.ts';
import { type FrameType, frameTypes } from './frame.ts';
import { type FrameHandler, FrameReader } from './frame-reader.ts';
import { Outbox } from './outbox.ts';
import { type BudgetOwner, type ReceiveBudget, TrunkBudget } from './receive-budget.ts';
import type { TrunkWire } from './trunk-wire.ts';

/** How long the other end may take to close a trunk that carries nothing any more. */
const partingMs = 5000;

export abstract class Trunk implements Sink, FrameHandler, BudgetOwner {
  readonly wire: Wire;
  readonly outbox: Outbox;
  /** Of what waits for readers. */
  readonly budget: TrunkBudget;
  protected readonly streams = new Map<number, TrunkWire>();
  readonly #reader: FrameReader;
  /** Memory that connections hold on to, and how many of them do. */
  readonly #held = new Map<ArrayBufferLike, number>();
  #current: ArrayBufferLike | undefined;
  #parting: NodeJS.Timeout | undefined;
  #stopsReading = false;
  /** The rest of what came waits for the next turn. */
  #postponed = false;
  lost = false;

  constructor(wire: Wire, budget?: ReceiveBudget) {
    this.wire = wire;
    this.budget = new TrunkBudget(this, budget);
    this.outbox = new Outbox(wire, () => this.bad('it does not read the answers to what it asks'));
    this.#reader = new FrameReader(this);
  }

  /** Frames that only one side gets. */
  protected abstract ownFrame(type: FrameType, stream: number, payload: Buffer): void;
  /** A connection was reset because nobody read what it held. */
  protected wasShed(_stream: TrunkWire): void {}
  /** A connection is over. */
  protected abstract freed(stream: TrunkWire): void;
  /** The trunk is gone. */
  protected abstract gone(error: Error | undefined): void;

  get carried(): number {
    return this.streams.size;
  }

  // What the wire tells.

  data(chunk: Buffer, room: number): boolean {
    this.#current = chunk.buffer;
    const read = this.#reader.push(chunk, room);
    this.#current = undefined;
    if (read < chunk.length) this.#postpone(chunk.subarray(read));
    return false;
  }
  /** More frames came at once than one turn may have: a copy of the rest waits, and nothing more is read. */
  #postpone(rest: Buffer): void {
    this.#postponed = true;
    this.readingChanged();
    const copy = Buffer.allocUnsafeSlow(rest.length);
    rest.copy(copy);
    // Like a connection that holds it, so that it is not used again before it is read to its end.
    this.#held.set(copy.buffer, 1);
    setImmediate(nextTurn, this, copy, 0);
  }
  readOn(rest: Buffer, from: number): void {
    if (this.lost) return;
    const read = this.#reader.push(rest, 0, from);
    if (read < rest.length) {
      setImmediate(nextTurn, this, rest, read);
      return;
    }
    this.give(rest);
    this.#postponed = false;
    this.readingChanged();
  }
  readingChanged(): void {
    if (this.lost) return;
    if (this.#postponed || this.#stopsReading || this.budget.exceeded) this.wire.pause();
    else this.wire.resume();
  }
  shed(bytes: number): void {
    const streams = [...this.streams.values()].sort((a, b) => b.buffered - a.buffered);
    let left = bytes;
    for (const stream of streams) {
      if (left <= 0) return;
      left -= stream.buffered;
      stream.shed();
      this.wasShed(stream);
    }
  }
  end(): void {
    this.lose(undefined);
  }
  drained(): void {
    this.outbox.drained();
  }
  closed(error?: Error): void {
    this.lose(error);
  }

  // Memory of chunks that a connection keeps while its own wire is busy.

  hold(chunk: Buffer): void {
    const memory = chunk.buffer;
    // Otherwise it is a copy of ours.
    if (memory === this.#current) this.wire.adopt?.();
    this.#held.set(memory, (this.#held.get(memory) ?? 0) + 1);
  }
  give(chunk: Buffer): void {
    const memory = chunk.buffer;
    const holders = this.#held.get(memory);
    if (holders === undefined) return;
    if (holders > 1) {
      this.#held.set(memory, holders - 1);
      return;
    }
    this.#held.delete(memory);
    recycle(chunk);
  }

  /** Not to be used again: the other wire may be in the middle of it. Whoever else holds it gives it back for nothing. */
  drop(chunk: Buffer): void {
    this.#held.delete(chunk.buffer);
  }

  // Frames.

  part(id: number, data: Buffer, room: number): void {
    // Data for a connection that we have just ended is on its way quite often.
    this.streams.get(id)?.part(data, room);
  }
  frame(type: FrameType, id: number, payload: Buffer): void {
    if (type === frameTypes.ping) this.outbox.frame(frameTypes.pong, 0);
    else if (type === frameTypes.end || type === frameTypes.reset || type === frameTypes.credit)
      this.#streamFrame(type, id, payload);
    else this.ownFrame(type, id, payload);
  }
  #streamFrame(type: FrameType, id: number, payload: Buffer): void {
    const stream = this.streams.get(id);
    if (stream === undefined) return;
    if (type === frameTypes.credit) this.#credit(stream, payload);
    else if (type === frameTypes.reset) this.#reset(stream);
    else if (stream.gotLast) this.bad('a second end');
    else {
      stream.gotLast = true;
      stream.gotEnd();
    }
  }
  #credit(stream: TrunkWire, payload: Buffer): void {
    if (payload.length === 4) stream.gotCredit(payload.readUInt32BE(0));
    else this.bad('a credit that cannot be read');
  }
  #reset(stream: TrunkWire): void {
    this.forget(stream);
    stream.fail(undefined);
  }
  bad(why: string): void {
    this.lose(new TunnelBroken('EPROTO', `The other end of the tunnel broke the protocol: ${why}.`));
  }

  forget(stream: TrunkWire): void {
    if (this.streams.delete(stream.id) && !this.lost) this.freed(stream);
  }

  /** It carries nothing any more: what waits still goes out, and then the other end closes. */
  protected finish(): void {
    if (this.lost || this.#parting !== undefined) return;
    this.#parting = setTimeout(() => this.lose(undefined), partingMs).unref();
    this.outbox.finish();
  }

  /** Nothing more of it is read. What waits goes out; it is the owner who closes. */
  protected stopReading(): void {
    if (this.lost) return;
    this.#stopsReading = true;
    this.#reader.stop();
    this.readingChanged();
    this.outbox.flush();
  }

  /** Ends the trunk, and with it what it carries, except for what has come whole and only waits for its reader. */
  lose(error: Error | undefined): void {
    if (this.lost) return;
    this.lost = true;
    clearTimeout(this.#parting);
    this.budget.close();
    this.#reader.stop();
    this.outbox.close();
    this.wire.destroy(error !== undefined);
    const streams = [...this.streams.values()];
    this.streams.clear();
    for (const stream of streams) if (error !== undefined || !stream.isWhole) stream.fail(error ?? closedInTheMiddle());
    this.gone(error);
  }
}

const nextTurn = (trunk: Trunk, rest: Buffer, from: number): void => trunk.readOn(rest, from);

const closedInTheMiddle = (): Error =>
  new TunnelBroken('ECONNRESET', 'The tunnel was closed in the middle of a connection.');
