// One worker per slot, always: a crashed one is replaced, a new one is ready before the old one stops.

import { type Backoff, createBackoff } from '../../sys/backoff.ts';
import type { Log, LogFields } from '../../sys/log.ts';
import type { Notice } from './messages.ts';
import { WorkerProcess } from './worker-process.ts';

const firstPauseMs = 100;
const longestPauseMs = 5000;
/** A worker that lived this long did not crash because of how it was started. */
const healthyMs = 30_000;
/** Beyond its grace time a worker is given this long to notice that it is over. */
const lateMs = 2000;

export interface PoolOptions {
  readonly slots: number;
  readonly log: Log;
  /** Brings a new worker up to date and lets it listen. It is ready when this resolves. */
  prepare(worker: WorkerProcess): Promise<void>;
  notice(worker: WorkerProcess, message: Notice): void;
  /** Its figures are to be kept. */
  ended(worker: WorkerProcess): void;
}

interface Slot {
  current: WorkerProcess | undefined;
  /** Starts, and is to take the place of the current one. */
  next: WorkerProcess | undefined;
  readonly backoff: Backoff;
  timer: NodeJS.Timeout | undefined;
}

export class WorkerPool {
  /** Workers that ended although nobody told them to. */
  crashes = 0;
  readonly #options: PoolOptions;
  readonly #slots: Slot[];
  /** Those that drain, too. */
  readonly #alive = new Set<WorkerProcess>();
  #restarting: Promise<void> = Promise.resolve();
  #stopping = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#slots = Array.from({ length: options.slots }, () => ({
      current: undefined,
      next: undefined,
      backoff: createBackoff(firstPauseMs, longestPauseMs),
      timer: undefined,
    }));
  }

  get slots(): number {
    return this.#slots.length;
  }

  alive(): WorkerProcess[] {
    return [...this.#alive];
  }

  ready(): WorkerProcess[] {
    return this.alive().filter(({ state }) => state === 'ready');
  }

  /** Resolves when every slot has a worker that listens. */
  async start(): Promise<void> {
    await Promise.all(this.#slots.map((_, slot) => this.#begin(slot)));
  }

  /** Slot by slot: the next one accepts before the last one stops. A second call waits for the first. */
  restart(graceMs: number): Promise<void> {
    const run = this.#restarting.then(() => this.#restartAll(graceMs));
    this.#restarting = run.catch(() => {});
    return run;
  }

  /** Resolves when no worker accepts any more; they end by themselves later. */
  async stopAccepting(graceMs: number): Promise<void> {
    this.#stopping = true;
    for (const slot of this.#slots) clearTimeout(slot.timer);
    await Promise.all(this.alive().map((worker) => this.drain(worker, graceMs)));
  }

  async allEnded(): Promise<void> {
    await Promise.all(this.alive().map(({ ended }) => ended));
  }

  /** Resolves when the worker accepts nothing more; it ends by itself later. */
  async drain(worker: WorkerProcess, graceMs: number): Promise<void> {
    if (worker.state !== 'draining') {
      const starting = worker.state === 'starting';
      worker.state = 'draining';
      if (starting) worker.kill();
    }
    const late = setTimeout(() => worker.kill(), graceMs + lateMs);
    void worker.ended.then(() => clearTimeout(late));
    await worker.ask({ ask: 'drain', graceMs }, graceMs + lateMs).catch(() => {});
  }

  killAll(): void {
    this.#stopping = true;
    for (const worker of this.#alive) worker.kill();
  }

  async #restartAll(graceMs: number): Promise<void> {
    for (const [number, slot] of this.#slots.entries()) {
      if (this.#stopping) return;
      clearTimeout(slot.timer);
      const before = slot.current;
      await this.#begin(number);
      if (before !== undefined) await this.drain(before, graceMs);
    }
  }

  /** The slot's worker becomes the new one when that is ready, and not before. */
  async #begin(slot: number): Promise<void> {
    const worker = this.#fork(slot);
    const place = this.#slots[slot] as Slot;
    if (place.current === undefined) place.current = worker;
    else place.next = worker;
    try {
      await this.#options.prepare(worker);
    } catch (error) {
      worker.kill();
      throw error;
    } finally {
      place.next = undefined;
    }
    // Somebody may have asked us to stop meanwhile.
    if (worker.state === 'starting') worker.state = 'ready';
    place.current = worker;
  }

  #fork(slot: number): WorkerProcess {
    const worker = new WorkerProcess(slot, {
      notice: (from, message) => this.#options.notice(from, message),
      exit: (from, how) => this.#exited(from, how),
    });
    this.#alive.add(worker);
    return worker;
  }

  #exited(worker: WorkerProcess, how: string): void {
    this.#alive.delete(worker);
    this.#options.ended(worker);
    const slot = this.#slots[worker.slot] as Slot;
    if (slot.current === worker && !this.#stopping) this.#replace(slot, worker, how);
    else if (worker.killedBecause !== undefined)
      this.#options.log.error('worker was killed while its connections ended', about(worker, how));
  }

  #replace(slot: Slot, worker: WorkerProcess, how: string): void {
    slot.current = slot.next;
    this.crashes += 1;
    if (worker.ageMs > healthyMs) slot.backoff.reset();
    const pauseMs = Math.round(slot.backoff.next());
    const what = worker.killedBecause === undefined ? 'worker ended by itself' : 'worker was killed';
    const when = slot.current === undefined ? `starts in ${pauseMs} ms` : 'is starting';
    this.#options.log.error(`${what}, the next one ${when}`, about(worker, how));
    if (slot.current === undefined)
      slot.timer = setTimeout(() => void this.#begin(worker.slot).catch(() => {}), pauseMs);
  }
}

const about = ({ slot, pid, killedBecause }: WorkerProcess, how: string): LogFields => ({
  slot,
  pid,
  how: killedBecause ?? how,
});

// A worker that hangs still has its sockets, and the kernel goes on giving it connections. Workers report every second:
// one that says nothing for long is given up.

const lookMs = 1000;
const mostSilentLooks = 10;

/**
 * Silence is counted in our own looks and not in time: while this process is stopped or the machine sleeps there are
 * none, and whatever was said meanwhile is heard before the next one.
 */
export class WorkerLiveness {
  readonly #silent = new WeakMap<WorkerProcess, number>();

  /** Workers that have been silent for too long by now. A worker that starts has its own time limits. */
  look(workers: Iterable<WorkerProcess>): WorkerProcess[] {
    const tooLong: WorkerProcess[] = [];
    for (const worker of workers) {
      if (worker.state !== 'ready' && worker.state !== 'draining') continue;
      const looks = worker.heard ? 0 : (this.#silent.get(worker) ?? 0) + 1;
      worker.heard = false;
      this.#silent.set(worker, looks);
      if (looks >= mostSilentLooks) tooLong.push(worker);
    }
    return tooLong;
  }
}

export function killHungWorkers(pool: WorkerPool): NodeJS.Timeout {
  const silence = new WorkerLiveness();
  const look = (): void => {
    for (const worker of silence.look(pool.alive()))
      worker.kill(`it hung: it said nothing for ${(mostSilentLooks * lookMs) / 1000} s`);
  };
  return setInterval(look, lookMs).unref();
}
