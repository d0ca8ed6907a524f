// The gateway's side of a trunk: it answers.
import type { Wire } from '../../wire/wire.ts';
import { TunnelBroken } from '../errors.ts';
import { type FrameType, frameTypes, readOpen, refusedPayload, trunkPreface } from './frame.ts';
import type { ReceiveBudget } from './receive-budget.ts';
import { Trunk } from './trunk.ts';
import { TrunkWire } from './trunk-wire.ts';

export interface TrunkServerEvents {
  /** Somebody shows credentials and wants to know whether they are good: answer with `greet`. */
  greeted(trunk: TrunkServer): void;
  /** Somebody wants a connection: call `accept` or `refuse`, now or later. */
  open(trunk: TrunkServer, stream: TrunkWire, authority: string): void;
  /** A connection is over, answered or not. */
  freed(trunk: TrunkServer, stream: TrunkWire): void;
  /** A connection was reset: its backend does not read, and the agent has more unread than it may. */
  shed?(trunk: TrunkServer, stream: TrunkWire): void;
  lost(trunk: TrunkServer, error: Error | undefined): void;
}

export class TrunkServer extends Trunk {
  readonly #events: TrunkServerEvents;
  #prefaceHas = 0;
  #last = 0;
  #drains = false;
  /** What the agent has shown, last. */
  credentials: string | undefined;
  /** Something came since the owner last looked. */
  heard = true;

  constructor(wire: Wire, events: TrunkServerEvents, budget?: ReceiveBudget) {
    super(wire, budget);
    this.#events = events;
  }
  /** `head` is what was already read. Not in the constructor, so that the owner can put the trunk into its tables first. */
  start(head: Buffer): void {
    if (head.length > 0) this.data(head, 0);
    if (!this.lost) this.wire.read(this);
  }

  override data(chunk: Buffer, room: number): boolean {
    this.heard = true;
    if (this.#prefaceHas === trunkPreface.length) return super.data(chunk, room);
    const part = Math.min(trunkPreface.length - this.#prefaceHas, chunk.length);
    if (trunkPreface.compare(chunk, 0, part, this.#prefaceHas, this.#prefaceHas + part) !== 0) {
      this.bad('it does not begin like a tunnel');
      return false;
    }
    this.#prefaceHas += part;
    return part < chunk.length && super.data(chunk.subarray(part), room + part);
  }

  protected ownFrame(type: FrameType, id: number, payload: Buffer): void {
    if (type === frameTypes.open) this.#open(id, payload);
    else if (type !== frameTypes.pong) this.bad('an answer from the agent');
  }
  #open(id: number, payload: Buffer): void {
    const open = readOpen(payload);
    if (open === undefined || (id !== 0 && id <= this.#last)) {
      this.bad('a request that cannot be read');
      return;
    }
    if (open.credentials !== undefined) this.credentials = open.credentials;
    if (id === 0) {
      this.#events.greeted(this);
      return;
    }
    this.#last = id;
    const stream = new TrunkWire(this, id);
    this.streams.set(id, stream);
    this.#events.open(this, stream, open.authority);
  }

  greet(refusal?: { readonly code: string; readonly sentence: string }): void {
    if (refusal === undefined) this.outbox.frame(frameTypes.opened, 0);
    else this.outbox.frame(frameTypes.refused, 0, refusedPayload(refusal));
  }
  accept(stream: TrunkWire): void {
    this.outbox.frame(frameTypes.opened, stream.id);
  }
  refuse(stream: TrunkWire, code: string, sentence: string): void {
    if (this.lost || stream.over) return;
    this.outbox.frame(frameTypes.refused, stream.id, refusedPayload({ code, sentence }));
    this.forget(stream);
    stream.fail(undefined);
  }

  ping(): void {
    this.outbox.frame(frameTypes.ping, 0);
  }
  /** No further connections; the agent closes the trunk when it carries nothing. */
  drain(): void {
    if (this.#drains) return;
    this.#drains = true;
    this.outbox.frame(frameTypes.goaway, 0);
  }
  /** It has had its answers, and gets no more: to be closed later, for at once it would only come back. */
  shutOut(): void {
    this.stopReading();
  }
  close(reason?: string): void {
    this.lose(reason === undefined ? undefined : new TunnelBroken('ECONNRESET', reason));
  }

  protected override wasShed(stream: TrunkWire): void {
    this.#events.shed?.(this, stream);
  }
  protected freed(stream: TrunkWire): void {
    this.#events.freed(this, stream);
  }
  protected gone(error: Error | undefined): void {
    this.#events.lost(this, error);
  }
}
