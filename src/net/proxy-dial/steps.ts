// The steps of a way to a gateway, and what a failed one becomes.
import { CausewayError, exitCodes } from '../../core/errors.ts';
import { diagnoseTimeout } from './diagnose.ts';
import { type DialOptions, defaultTimeouts, type Timeouts } from './route.ts';

/** In the order they are taken; without a proxy the first four are left out, with one the proxy resolves the gateway. */
export const steps = [
  'resolve-proxy',
  'connect-proxy',
  'tls-proxy',
  'ask-proxy',
  'resolve-gateway',
  'connect-gateway',
  'tls-gateway',
] as const;

export type Step = (typeof steps)[number];

/** Why there is no way to the gateway: at which step, in a sentence with its fix. Never holds a secret. */
export class DialError extends CausewayError {
  readonly step: Step;
  /** How long the step took until it failed. */
  readonly ms: number;
  constructor(step: Step, { code, message, fix }: Diagnosis, ms: number) {
    super(code, message, fix, exitCodes.findings);
    this.name = 'DialError';
    this.step = step;
    this.ms = ms;
  }
}

export interface Diagnosis {
  /** Stable, in docs/guides/agent.md. */
  readonly code: string;
  readonly message: string;
  readonly fix: string;
}

export interface FinishedStep {
  readonly step: Step;
  readonly ms: number;
  /** What was found: addresses, an answer, a certificate. */
  readonly detail: string;
}

// Runs the steps of a route: each has its timeout, reports when it is done, and fails with a diagnosis.

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

export class DialSteps {
  readonly timeouts: Timeouts;
  readonly #options: DialOptions;
  constructor(timeouts: Partial<Timeouts> | undefined, options: DialOptions) {
    this.timeouts = { ...defaultTimeouts, ...timeouts };
    this.#options = options;
  }

  async run<T>(step: Step, peer: string, task: Task<T>): Promise<T> {
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

// Work that may take only so long, and that can be called off.

export class TimedOut extends Error {
  readonly afterMs: number;
  constructor(afterMs: number) {
    super(`no answer within ${afterMs} ms`);
    this.name = 'TimedOut';
    this.afterMs = afterMs;
  }
}

export class Aborted extends Error {
  constructor() {
    super('called off');
    this.name = 'CalledOff';
  }
}

/** The signal tells the work to clean up; its own promise need not settle after that. */
export function withDeadline<T>(
  afterMs: number,
  parent: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const stop = (reason: Error): void => {
      own.abort(reason);
      reject(reason);
    };
    const aborted = (): void => stop(new Aborted());
    if (parent?.aborted) return aborted();
    const timer = setTimeout(() => stop(new TimedOut(afterMs)), afterMs);
    parent?.addEventListener('abort', aborted, { once: true });
    const finish = (): void => {
      clearTimeout(timer);
      parent?.removeEventListener('abort', aborted);
    };
    work(own.signal).then(resolve, reject).finally(finish);
    own.signal.addEventListener('abort', finish, { once: true });
  });
}
