// Detects the protocol by the first bytes: TLS, trunks, HTTP/2, or something that is refused.
import { trunkPreface } from '../../../net/tunnel/trunk/index.ts';
import type { Endpoint, Sink, Wire } from '../../../net/wire/index.ts';
import type { Listener } from '../interfaces.ts';
import type { TimeoutEntry } from '../timeout-queue.ts';
import type { PendingConnection } from './unauthenticated.ts';

export type DetectedProtocol = 'tls' | 'trunk' | 'h2' | 'http' | 'other';

const h2Preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');
const methods = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|CONNECT|TRACE) /;
const longestMethod = 8;

/** Undefined: not enough yet. */
export function detectProtocol(head: Buffer): DetectedProtocol | undefined {
  const first = head[0];
  if (first === undefined) return undefined;
  if (first === 0x16) return 'tls';
  if (beginsLike(head, trunkPreface)) return head.length < trunkPreface.length ? undefined : 'trunk';
  if (beginsLike(head, h2Preface)) return head.length < h2Preface.length ? undefined : 'h2';
  if (methods.test(head.toString('latin1', 0, longestMethod + 1))) return 'http';
  const letters = /^[A-Z]+$/.test(head.toString('latin1', 0, longestMethod));
  return letters && head.length < longestMethod ? undefined : 'other';
}

function beginsLike(head: Buffer, preface: Buffer): boolean {
  const length = Math.min(head.length, preface.length);
  return preface.compare(head, 0, length, 0, length) === 0;
}

export interface InspectorEvents {
  detected(inspector: ProtocolInspector, protocol: DetectedProtocol, head: Buffer): void;
  gone(inspector: ProtocolInspector): void;
}

/** Waits for the first bytes. */
export class ProtocolInspector implements Sink, PendingConnection {
  readonly wire: Wire;
  readonly remote: Endpoint;
  readonly listener: Listener;
  before: TimeoutEntry | undefined;
  after: TimeoutEntry | undefined;
  since = 0;
  readonly #events: InspectorEvents;
  #head: Buffer;
  #over = false;
  expired = false;

  constructor(wire: Wire, remote: Endpoint, listener: Listener, events: InspectorEvents) {
    this.wire = wire;
    this.remote = remote;
    this.listener = listener;
    this.#events = events;
    this.#head = Buffer.alloc(0);
  }

  begin(head: Buffer): void {
    if (!this.#look(head)) this.wire.read(this);
  }
  data(chunk: Buffer): boolean {
    if (this.#over) return false;
    // A copy, because the chunk is only lent; at most one read, or a few bytes more.
    this.#look(Buffer.concat([this.#head, chunk]));
    return false;
  }
  #look(head: Buffer): boolean {
    this.#head = head;
    const protocol = detectProtocol(head);
    if (protocol === undefined) return false;
    this.#over = true;
    this.#events.detected(this, protocol, head);
    return true;
  }
  end(): void {
    this.wire.destroy();
  }
  drained(): void {}
  closed(): void {
    if (this.#over) return;
    this.#over = true;
    this.#events.gone(this);
  }
  expire(): void {
    this.#over = true;
    this.expired = true;
    this.wire.destroy(true);
  }
}
