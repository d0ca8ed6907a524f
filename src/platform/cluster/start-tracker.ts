// Whether something that does not work is starting, or fails: until it has worked once it is starting, for a limited time.
import { getOrAdd } from '../../core/collections.ts';
import { type Condition, ConditionSet, StepTimings, type UntimedCondition } from '../../reconcile/index.ts';
import type { ClusterStatus, StartStep, StepTiming } from '../view.ts';

export type Phase = 'starting' | 'ready' | 'failing';

export interface ObservedStart {
  readonly ready: boolean;
  /** Programs are being fetched or built for it: that takes as long as it takes, and is shown. */
  readonly getting?: boolean;
  /** It will not start unless somebody does something. */
  readonly failed?: boolean;
}

interface Start {
  /** On the clock that nobody sets. */
  since?: number;
  wasReady: boolean;
  readonly conditions: ConditionSet;
  readonly times: StepTimings;
  /** Once it has been ready. */
  timings?: readonly StepTiming[];
}

/** A start on a busy machine takes a minute or two; what takes longer needs somebody who looks at it. */
export const startLimitMs = 5 * 60_000;

export class StartTracker {
  readonly #starts = new Map<string, Start>();

  /** By what is seen now; asked again and again. @param elapsed Milliseconds of a clock that nobody sets. */
  phaseOf(name: string, { ready, getting = false, failed = false }: ObservedStart, elapsed: number): Phase {
    const start = this.#start(name);
    if (getting) start.since = elapsed;
    start.since ??= elapsed;
    if (ready) start.wasReady = true;
    if (ready) return 'ready';
    if (start.wasReady || failed) return 'failing';
    return elapsed - start.since < startLimitMs ? 'starting' : 'failing';
  }

  /** With the times of the last changes of their status. */
  conditions(name: string, observed: readonly UntimedCondition[], now: number): readonly Condition[] {
    return this.#start(name).conditions.replace(observed, now);
  }

  /** The steps of its start with how long each one took; those of a start that is over as timings. */
  timed(name: string, steps: readonly StartStep[], elapsed: number): Pick<ClusterStatus, 'steps' | 'timings'> {
    const start = this.#start(name);
    for (const { name: step, state } of steps)
      if (state !== 'waiting') start.times.observe(step, state === 'done', elapsed);
    const timed = steps.map((step): StartStep => {
      const seconds = start.times.seconds(step.name);
      return seconds === undefined ? step : { ...step, seconds: Math.round(seconds * 10) / 10 };
    });
    if (!start.wasReady) return { steps: timed };
    start.timings = timed.flatMap(({ name: step, title, seconds }) =>
      seconds === undefined ? [] : [{ name: step, title, seconds }],
    );
    return { timings: start.timings };
  }

  timings(name: string): readonly StepTiming[] | undefined {
    return this.#starts.get(name)?.timings;
  }

  /** Since this process began to look after it. */
  wasReady(name: string): boolean {
    return this.#starts.get(name)?.wasReady ?? false;
  }

  #start(name: string): Start {
    return getOrAdd(this.#starts, name, () => ({
      wasReady: false,
      conditions: new ConditionSet(),
      times: new StepTimings(),
    }));
  }

  /** One of the same name that comes later starts anew. */
  keepOnly(names: ReadonlySet<string>): void {
    for (const name of this.#starts.keys()) if (!names.has(name)) this.#starts.delete(name);
  }
}
