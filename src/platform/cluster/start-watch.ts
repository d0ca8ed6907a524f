// Whether something that does not work is starting, or fails: until it has worked once it is starting, for a limited time.
import { getOrAdd } from '../../core/collections.ts';
import { type Condition, ConditionSet, type UntimedCondition } from '../../reconcile/index.ts';

export type Phase = 'starting' | 'ready' | 'failing';

export interface StartSeen {
  readonly ready: boolean;
  /** Programs are being fetched or built for it: that takes as long as it takes, and is shown. */
  readonly getting?: boolean;
  /** It will not start unless somebody does something. */
  readonly failed?: boolean;
}

interface Start {
  since: number;
  wasReady: boolean;
  readonly conditions: ConditionSet;
}

/** A start on a busy machine takes a minute or two; what takes longer needs somebody who looks at it. */
export const startLimitMs = 5 * 60_000;

export class StartWatch {
  readonly #starts = new Map<string, Start>();

  /** By what is seen now; asked again and again. */
  phaseOf(name: string, { ready, getting = false, failed = false }: StartSeen, now: number): Phase {
    const start = this.#start(name, now);
    if (ready) start.wasReady = true;
    if (ready) return 'ready';
    if (start.wasReady || failed) return 'failing';
    if (getting) start.since = now;
    return now - start.since < startLimitMs ? 'starting' : 'failing';
  }

  /** With the times of the last changes of their status. */
  conditions(name: string, observed: readonly UntimedCondition[], now: number): readonly Condition[] {
    return this.#start(name, now).conditions.replace(observed, now);
  }

  /** Since this process began to look after it. */
  wasReady(name: string): boolean {
    return this.#starts.get(name)?.wasReady ?? false;
  }

  #start(name: string, now: number): Start {
    return getOrAdd(this.#starts, name, () => ({ since: now, wasReady: false, conditions: new ConditionSet() }));
  }

  /** One of the same name that comes later starts anew. */
  keepOnly(names: ReadonlySet<string>): void {
    for (const name of this.#starts.keys()) if (!names.has(name)) this.#starts.delete(name);
  }
}
