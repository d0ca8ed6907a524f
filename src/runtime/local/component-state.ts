// What is seen of one component, and when that has changed.
import type { ComponentId, ComponentPhase } from '../../control-plane/index.ts';
import type { ObservedComponent } from '../platform-runtime.ts';
import type { Child } from './process.ts';
import { memoryBytes, readFacts } from './procfs.ts';

export interface Report {
  readonly phase: ComponentPhase;
  readonly why?: string;
  readonly next?: string;
  /** When it is tried again, as `performance.now()` counts. */
  readonly retryAt?: number;
}

interface Figures {
  readonly memoryBytes?: number;
  readonly cpuSeconds?: number;
}

const neverWorked = { from: 0, until: 0 };

export class ComponentState {
  #said: Report = { phase: 'waiting' };
  #since = Date.now();
  /** Since when it is in its phase without a break, and until when that was seen: the clock may be set meanwhile. */
  #phaseFrom = performance.now();
  #worked = neverWorked;
  #figures: Figures = {};
  #measuredAt = Number.NEGATIVE_INFINITY;
  restarts = 0;
  /** Somebody is there, although what it says may be no. */
  answers = false;
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get phase(): ComponentPhase {
    return this.#said.phase;
  }

  /** Without a break, since it was started. */
  get workedForMs(): number {
    return this.#worked.until - this.#worked.from;
  }

  report(said: Report): void {
    const before = this.#said;
    this.#said = said;
    if (before.phase !== said.phase) {
      this.#since = Date.now();
      this.#phaseFrom = performance.now();
    }
    if (said.phase === 'healthy') this.#worked = { from: this.#phaseFrom, until: performance.now() };
    if (said.phase === 'starting') this.#worked = neverWorked;
    if (before.phase !== said.phase || before.why !== said.why || before.next !== said.next) this.#changed();
  }

  /** About so often it is time to look at its figures and its log. */
  isDue(everyMs: number): boolean {
    return performance.now() - this.#measuredAt >= everyMs * 0.9;
  }

  measure(child: Child): void {
    this.#measuredAt = performance.now();
    const memory = memoryBytes(child.pid);
    const cpuSeconds = readFacts(child.pid)?.cpuSeconds;
    // Between its end and the news of it there is nothing to measure.
    if (memory !== undefined && cpuSeconds !== undefined) this.#figures = { memoryBytes: memory, cpuSeconds };
  }

  observed({ scope, name }: ComponentId, child: Child | undefined): Omit<ObservedComponent, 'logFile'> {
    const { phase, why } = this.#said;
    return {
      scope,
      name,
      phase,
      healthy: phase === 'healthy',
      ...(why === undefined ? {} : { why }),
      ...this.#next(),
      since: this.#since,
      restarts: this.restarts,
      ...(child === undefined ? {} : { instance: String(child.pid), pid: child.pid, ...this.#figures }),
    };
  }

  #next(): { next?: string } {
    const { next, retryAt } = this.#said;
    if (retryAt === undefined) return next === undefined ? {} : { next };
    const seconds = Math.max(0, Math.ceil((retryAt - performance.now()) / 1000));
    const when = seconds > 120 ? `${Math.ceil(seconds / 60)} min` : `${seconds} s`;
    const retry = `it is tried again in ${when}${this.#said.phase === 'failed' ? ', or when its manifest changes' : ''}`;
    return { next: next === undefined ? retry : `${next}; ${retry}` };
  }
}
