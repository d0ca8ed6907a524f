// One way, step by step: each has its time, tells when it is done, and fails with a diagnosis.
import { TimedOut, withDeadline } from './deadline.ts';
import { diagnoseTimeout } from './diagnose.ts';
import { type DialOptions, defaultTimeouts, type Timeouts } from './route.ts';
import { type Diagnosis, DialError, type Step } from './step.ts';

interface Task<T> {
  readonly work: (signal: AbortSignal) => Promise<T>;
  readonly detail: (result: T) => string;
  readonly explain: (error: NodeJS.ErrnoException) => Diagnosis;
  /** For a result that is not what we came for. */
  readonly refuse?: (result: T) => Diagnosis | undefined;
  readonly cleanUp?: () => void;
}

const timeOf: Record<Step, keyof Timeouts> = {
  'resolve-proxy': 'resolve',
  'connect-proxy': 'connect',
  'tls-proxy': 'tls',
  'ask-proxy': 'answer',
  'resolve-gateway': 'resolve',
  'connect-gateway': 'connect',
  'tls-gateway': 'tls',
};

export class Walk {
  readonly timeouts: Timeouts;
  readonly #options: DialOptions;
  constructor(timeouts: Partial<Timeouts> | undefined, options: DialOptions) {
    this.timeouts = { ...defaultTimeouts, ...timeouts };
    this.#options = options;
  }

  async take<T>(step: Step, peer: string, task: Task<T>): Promise<T> {
    const started = performance.now();
    try {
      const result = await withDeadline(this.timeouts[timeOf[step]], this.#options.signal, task.work);
      const refused = task.refuse?.(result);
      if (refused !== undefined) throw new DialError(step, refused, performance.now() - started);
      this.#options.observe?.({ step, ms: performance.now() - started, detail: task.detail(result) });
      return result;
    } catch (error) {
      task.cleanUp?.();
      throw this.#diagnosed(step, peer, task, error as Error, performance.now() - started);
    }
  }

  #diagnosed<T>(step: Step, peer: string, task: Task<T>, error: Error, ms: number): Error {
    if (error instanceof DialError || this.#options.signal?.aborted) return error;
    const found = error instanceof TimedOut ? diagnoseTimeout(step, peer, error.afterMs) : task.explain(error);
    return new DialError(step, found, ms);
  }
}
