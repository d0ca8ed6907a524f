// Forwards each accepted connection through the tunnel to the gateway. While no gateway answers, connections wait for a while; nobody reads
// them meanwhile, so what they send stays in the kernel and memory stays bounded.
import { type Transport, TunnelRefused } from '../net/tunnel/index.ts';
import { IdleWatch, type Meter, type Splice, splice, type Wire } from '../net/wire/index.ts';

export interface ForwarderOptions {
  readonly transport: Pick<Transport, 'open'>;
  readonly authority: string;
  /** @default 5000 */
  readonly waitTimeoutMs?: number;
  /** Connections that may wait at a time; what comes then is reset. @default 1024 */
  readonly maxWaiting?: number;
  /** For a connection of which one side has ended, while nothing comes from the other. @default 600000 */
  readonly halfClosedTimeoutMs?: number;
  /** Why a connection was not carried, or not to its end. */
  readonly failed?: (reason: string, error: Error | undefined) => void;
}

const probeEveryMs = 500;
/** The gateway knows the setting of the cluster and ends them sooner: this is for gateways that do not. */
const defaultHalfClosedMs = 10 * 60_000;
const longestSweepMs = 10_000;

export class Forwarder {
  readonly counters: Counters = newCounters();
  readonly #options: ForwarderOptions;
  readonly #waitTimeoutMs: number;
  readonly #maxWaiting: number;
  readonly #waiting = new Set<Waiting>();
  /** Of those, the ones whose attempt failed: they are tried again when a gateway answers. */
  readonly #parked = new Set<Waiting>();
  #probe: NodeJS.Timeout | undefined;
  /** While there is anything to look at. */
  #sweep: NodeJS.Timeout | undefined;
  readonly #halfClosedTimeoutMs: number;
  readonly #carried = new Set<ForwardedConnection>();
  /** Ends the waiting of `drain`. */
  #drained: (() => void) | undefined;

  constructor(options: ForwarderOptions) {
    this.#options = options;
    this.#waitTimeoutMs = options.waitTimeoutMs ?? 5_000;
    this.#maxWaiting = options.maxWaiting ?? 1_024;
    this.#halfClosedTimeoutMs = options.halfClosedTimeoutMs ?? defaultHalfClosedMs;
  }

  accept(wire: Wire): void {
    this.counters.accepted += 1;
    if (this.#waiting.size >= this.#maxWaiting) {
      this.#fail('too-many-waiting', undefined);
      wire.destroy(true);
      return;
    }
    const waiting = new Waiting(wire);
    // Where others wait because no gateway answers, one of them tries for all.
    if (this.#parked.size > 0) this.#park(waiting);
    else this.#open(waiting);
    if (!waiting.over) this.#wait(waiting);
  }

  #open(waiting: Waiting): void {
    this.#options.transport.open(this.#options.authority, (_error, tunnel) => this.#opened(waiting, tunnel));
  }
  #wait(waiting: Waiting): void {
    this.#waiting.add(waiting);
    this.counters.waiting = this.#waiting.size;
    waiting.timer = setTimeout(() => this.#giveUp(waiting, 'no-gateway'), this.#waitTimeoutMs);
  }
  #park(waiting: Waiting): void {
    this.#parked.add(waiting);
    this.#probe ??= setInterval(() => this.#tryOne(), probeEveryMs);
  }
  #tryOne(): void {
    const [first] = this.#parked;
    if (first !== undefined) this.#unpark(first);
  }
  #unpark(waiting: Waiting): void {
    this.#parked.delete(waiting);
    if (this.#parked.size === 0) this.#stopProbing();
    this.#open(waiting);
  }
  #stopProbing(): void {
    clearInterval(this.#probe);
    this.#probe = undefined;
  }

  /** A gateway answers: whoever waits may go. */
  retry(): void {
    for (const waiting of [...this.#parked]) this.#unpark(waiting);
  }
  #giveUp(waiting: Waiting, reason: string): void {
    this.#leave(waiting);
    this.#fail(reason, undefined);
    waiting.wire.destroy(true);
    this.#tellWhenEmpty();
  }
  #leave(waiting: Waiting): void {
    waiting.over = true;
    clearTimeout(waiting.timer);
    if (this.#waiting.delete(waiting)) this.counters.waiting = this.#waiting.size;
    if (this.#parked.delete(waiting) && this.#parked.size === 0) this.#stopProbing();
  }

  #opened(waiting: Waiting, tunnel: Wire | undefined): void {
    if (waiting.over) tunnel?.destroy(true);
    else if (tunnel === undefined) this.#park(waiting);
    else {
      this.#leave(waiting);
      this.#carry(waiting.wire, tunnel);
      this.retry();
    }
  }

  #carry(near: Wire, far: Wire): void {
    const carried = new ForwardedConnection();
    this.#carried.add(carried);
    this.counters.open = this.#carried.size;
    carried.joint = splice(near, far, carried, (error) => this.#ended(carried, error));
    const sweepMs = Math.min(longestSweepMs, this.#halfClosedTimeoutMs / 4);
    this.#sweep ??= setInterval(() => this.#endIdle(), sweepMs).unref();
  }
  #endIdle(): void {
    const now = performance.now();
    for (const carried of this.#carried) {
      if (!carried.isIdle(now, this.#halfClosedTimeoutMs)) continue;
      this.#fail('half-closed', undefined);
      carried.joint?.destroy(true);
    }
  }
  #ended(carried: ForwardedConnection, error: Error | undefined): void {
    this.#carried.delete(carried);
    this.counters.open = this.#carried.size;
    if (this.#carried.size === 0) {
      clearInterval(this.#sweep);
      this.#sweep = undefined;
    }
    this.counters.sentBefore += carried.sent;
    this.counters.receivedBefore += carried.received;
    if (error !== undefined) this.#fail(reasonOf(error), error);
    this.#tellWhenEmpty();
  }

  #fail(reason: string, error: Error | undefined): void {
    countFailure(this.counters, reason);
    this.#options.failed?.(reason, error);
  }

  bytes(): { sent: number; received: number } {
    let { sentBefore: sent, receivedBefore: received } = this.counters;
    for (const carried of this.#carried) {
      sent += carried.sent;
      received += carried.received;
    }
    return { sent, received };
  }

  /** Waits until everything has ended by itself, at most so long; then ends the rest. Answers how many those were. */
  async drain(graceMs: number): Promise<number> {
    if (this.#size > 0) await this.#untilEmpty(graceMs);
    const left = this.#size;
    for (const waiting of [...this.#waiting]) this.#giveUp(waiting, 'draining');
    for (const carried of [...this.#carried]) carried.joint?.destroy(true);
    return left;
  }
  /** A `drain` that is under way waits no longer. */
  stopWaiting(): void {
    this.#drained?.();
  }
  #untilEmpty(graceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.#drained = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
  get #size(): number {
    return this.#waiting.size + this.#carried.size;
  }
  #tellWhenEmpty(): void {
    if (this.#size === 0) this.#drained?.();
  }
}

class Waiting {
  readonly wire: Wire;
  over = false;
  timer: NodeJS.Timeout | undefined;
  constructor(wire: Wire) {
    this.wire = wire;
  }
}

class ForwardedConnection extends IdleWatch implements Meter {
  sent = 0;
  received = 0;
  joint: Splice | undefined;
  constructor() {
    super(performance.now());
  }

  /** One side has ended, and nothing came from the other for so long. */
  isIdle(now: number, timeoutMs: number): boolean {
    const isHalfClosed = this.joint?.isHalfClosed === true;
    return this.look(this.sent + this.received, isHalfClosed, now) > timeoutMs && isHalfClosed;
  }
}

/** Few words, because they become labels of a metric. */
function reasonOf(error: Error | undefined): string {
  if (error instanceof TunnelRefused) return /^[a-z-]{1,40}$/.test(error.refusal) ? error.refusal : 'refused';
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? '';
  return reasons[code] ?? 'broken';
}
const reasons: Readonly<Record<string, string>> = {
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ENOTCONN: 'reset',
  ECANCELED: 'reset',
  ETIMEDOUT: 'timeout',
  ENOBUFS: 'too-much-unread',
};

// What the agent has done so far.

export interface Counters {
  accepted: number;
  open: number;
  /** Wait for a gateway. */
  waiting: number;
  /** Bytes of connections that have ended; open ones have their own meters. */
  sentBefore: number;
  receivedBefore: number;
  /** Connections that were not carried to their end, by reason. */
  readonly failed: Map<string, number>;
}

export const newCounters = (): Counters => ({
  accepted: 0,
  open: 0,
  waiting: 0,
  sentBefore: 0,
  receivedBefore: 0,
  failed: new Map(),
});

export const countFailure = ({ failed }: Counters, reason: string): void =>
  void failed.set(reason, (failed.get(reason) ?? 0) + 1);
