// The agent's side of a trunk: it opens connections.
import type { Wire } from '../../wire/wire.ts';
import { TunnelRefused } from '../errors.ts';
import { type FrameType, frameTypes, openPayload, readRefused, trunkPreface } from './frame.ts';
import type { ReceiveBudget } from './receive-budget.ts';
import { Trunk } from './trunk.ts';
import { TrunkWire } from './trunk-wire.ts';

export interface TrunkClientEvents {
  /** The gateway took the credentials of a greeting, or did not. */
  greeted(trunk: TrunkClient, refusal: TunnelRefused | undefined, first: boolean): void;
  /** A connection ended, so there is room for another one. */
  room(trunk: TrunkClient): void;
  pong(trunk: TrunkClient): void;
  lost(trunk: TrunkClient, error: Error | undefined): void;
}

/** Connections on one trunk. */
export const streamsPerTrunk = 1000;
/** Numbers are never used again; a trunk that has used this many is replaced. */
const lastStream = 2 ** 31;

export class TrunkClient extends Trunk {
  readonly #events: TrunkClientEvents;
  readonly #unanswered = new Set<number>();
  #shown: string | undefined;
  #next = 1;
  /** The gateway has answered the greeting. */
  greeted = false;
  /** The gateway wants no further connections here. */
  leaving = false;
  /** Pings without an answer. */
  unanswered = 0;
  /** The owner's clock. */
  since = 0;

  constructor(wire: Wire, credentials: string | undefined, events: TrunkClientEvents, budget?: ReceiveBudget) {
    super(wire, budget);
    this.#events = events;
    this.outbox.raw(trunkPreface);
    this.#ask(0, '', credentials);
    wire.read(this);
  }

  get hasRoom(): boolean {
    return this.greeted && !this.leaving && !this.lost && this.carried < streamsPerTrunk && this.#next < lastStream;
  }

  /** The request goes out at the end of this turn of the loop, with what is written until then. */
  open(authority: string, credentials: string | undefined): Wire {
    const id = this.#next++;
    const stream = new TrunkWire(this, id);
    this.streams.set(id, stream);
    this.#unanswered.add(id);
    this.#ask(id, authority, credentials);
    return stream;
  }
  #ask(id: number, authority: string, credentials: string | undefined): void {
    const open = credentials === this.#shown ? { authority } : { authority, credentials };
    this.#shown = credentials;
    this.outbox.frame(frameTypes.open, id, openPayload(open));
  }
  /** Shows credentials that have changed, whether or not somebody opens anything. */
  greet(credentials: string | undefined): void {
    this.#ask(0, '', credentials);
  }
  ping(): void {
    this.unanswered += 1;
    this.outbox.frame(frameTypes.ping, 0);
  }
  close(error?: Error): void {
    this.lose(error);
  }

  protected ownFrame(type: FrameType, id: number, payload: Buffer): void {
    if (type === frameTypes.opened) this.#answered(id, undefined);
    else if (type === frameTypes.refused) this.#refused(id, payload);
    else if (type === frameTypes.pong) this.#pong();
    else if (type === frameTypes.goaway) this.#goaway();
    else this.bad('a request from the gateway');
  }
  #refused(id: number, payload: Buffer): void {
    const refused = readRefused(payload);
    if (refused === undefined) this.bad('a refusal that cannot be read');
    else this.#answered(id, new TunnelRefused(refused.code, refused.sentence));
  }
  #answered(id: number, refusal: TunnelRefused | undefined): void {
    if (id === 0) {
      this.#greeted(refusal);
      return;
    }
    const stream = this.streams.get(id);
    // It may have ended here in the meantime.
    if (!this.#unanswered.delete(id) || stream === undefined || refusal === undefined) return;
    this.forget(stream);
    stream.fail(refusal);
  }
  #greeted(refusal: TunnelRefused | undefined): void {
    const first = !this.greeted;
    this.greeted = true;
    // Credentials that were refused are shown again with the next request: by then they may be good.
    if (refusal !== undefined) this.#shown = undefined;
    this.#events.greeted(this, refusal, first);
  }
  #pong(): void {
    this.unanswered = 0;
    this.#events.pong(this);
  }
  #goaway(): void {
    this.leaving = true;
    if (this.carried === 0) this.finish();
  }

  protected freed(stream: TrunkWire): void {
    this.#unanswered.delete(stream.id);
    if (this.leaving && this.carried === 0) this.finish();
    else this.#events.room(this);
  }
  protected gone(error: Error | undefined): void {
    this.#events.lost(this, error);
  }
}
