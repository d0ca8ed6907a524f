// Why something is as it is, in the one shape that status, events, page and command line show: Kubernetes' conditions, with
// a fix. Whoever observes something makes a condition without a time; a ConditionSet remembers since when it holds.
import { isDeepStrictEqual } from 'node:util';
import { CausewayError } from '../core/errors.ts';

export interface Condition {
  /** CamelCase: Ready, GatewayReady … Unique in its list. */
  readonly type: string;
  readonly status: ConditionStatus;
  /** Stable, for programs: a CamelCase word, or the code of an error. */
  readonly reason: string;
  /** For people: why it is not True, or what it is doing meanwhile. Empty where there is nothing to say. */
  readonly message: string;
  /** What happens next by itself, or what a person can do. */
  readonly fix?: string;
  /** When its status changed last (milliseconds). */
  readonly since: number;
}

/** Unknown: nobody has observed it, or nobody can. */
export type ConditionStatus = 'True' | 'False' | 'Unknown';

/** As it is observed. */
export type UntimedCondition = Omit<Condition, 'since'>;

/** Of something whose type is known: of a step, of a component. */
export type Verdict = Omit<UntimedCondition, 'type'>;

export const isTrue = (condition: { readonly status: ConditionStatus } | undefined): boolean =>
  condition?.status === 'True';

export const verdictTrue = (reason = 'AsDesired', message = ''): Verdict => ({ status: 'True', reason, message });

export const verdictFalse = (reason: string, message: string, fix?: string): Verdict => ({
  status: 'False',
  reason,
  message,
  ...(fix === undefined ? {} : { fix }),
});

/** Nobody can say more yet. */
export const verdictStarting = (message = 'it is being started'): Verdict => verdictFalse('Starting', message);

export const verdictUnknown = (reason: string, message: string): Verdict => ({ status: 'Unknown', reason, message });

/** An error that was thrown: its code is the reason, and `fix` is said where the error names none. */
export const verdictOf = (error: unknown, fix?: string): Verdict =>
  error instanceof CausewayError
    ? verdictFalse(error.code, error.message, error.fix)
    : verdictFalse('Failed', (error as Error).message, fix);

/** The conditions of one subject, each with the time of the last change of its status. */
export class ConditionSet {
  #conditions: readonly Condition[] = [];

  get all(): readonly Condition[] {
    return this.#conditions;
  }

  get(type: string): Condition | undefined {
    return this.#conditions.find((condition) => condition.type === type);
  }

  /** Takes the place of all; types that are not among them are forgotten. The same list, as long as it says the same. */
  replace(observed: readonly UntimedCondition[], now: number): readonly Condition[] {
    const conditions = observed.map((condition): Condition => {
      const before = this.get(condition.type);
      const timed = { ...condition, since: before?.status === condition.status ? before.since : now };
      return before !== undefined && isDeepStrictEqual(before, timed) ? before : timed;
    });
    const isSame =
      conditions.length === this.#conditions.length && conditions.every((one, at) => one === this.#conditions[at]);
    if (!isSame) this.#conditions = conditions;
    return this.#conditions;
  }
}
