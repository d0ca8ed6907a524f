// Something that is reconciled by steps, in order. Each one does its part again and again, and its condition says how far
// it is: whoever asks why something is not ready gets the first condition that is not True.
import { isTrue, type UntimedCondition, type Verdict, verdictOf } from './condition.ts';

export interface Step {
  /** Type of its condition, as in CertificatesValid. */
  readonly type: string;
  ensure(): Promise<Verdict>;
}

/** Up to the first one that is not True. Whatever goes wrong in a step is its condition; it is tried again in any case. */
export async function runSteps(steps: readonly Step[]): Promise<UntimedCondition[]> {
  const conditions: UntimedCondition[] = [];
  for (const { type, ensure } of steps) {
    const verdict = await attempted(ensure);
    const condition = { type, ...verdict };
    conditions.push(condition);
    if (!isTrue(condition)) break;
  }
  return conditions;
}

async function attempted(ensure: Step['ensure']): Promise<Verdict> {
  try {
    return await ensure();
  } catch (error) {
    return verdictOf(error, 'it is tried again');
  }
}

/**
 * How long each step was the one that was waited for: from when it came to be the first that is not done until it was done.
 * The times of all steps together are the time of the whole.
 */
export class StepTimings {
  readonly #steps = new Map<string, { readonly from: number; readonly until?: number }>();

  /** Again and again, while it is waited for and when it is done. One that was done stays so. */
  observe(name: string, done: boolean, now: number): void {
    const step = this.#steps.get(name);
    if (step?.until !== undefined || (step !== undefined && !done)) return;
    const from = step?.from ?? now;
    this.#steps.set(name, done ? { from, until: now } : { from });
  }

  /** Undefined while it is not done. */
  seconds(name: string): number | undefined {
    const { from, until } = this.#steps.get(name) ?? {};
    return from === undefined || until === undefined ? undefined : (until - from) / 1000;
  }
}
