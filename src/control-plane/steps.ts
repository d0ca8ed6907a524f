// A cluster is brought up by steps. Each one does its part again and again and answers the same questions, so that whoever
// asks "why not?" gets the first step that is not done, and what happens next. What stands behind a step (processes today)
// is its own matter.
import { CausewayError } from '../core/errors.ts';

export interface StepAnswer {
  readonly name: string;
  /** What it is for. */
  readonly wanted: string;
  readonly present: boolean;
  readonly healthy: boolean;
  /** Why it is not healthy, for people. */
  readonly why?: string;
  /** What happens next by itself, or what a person must do. */
  readonly next?: string;
}

export type Outcome = Omit<StepAnswer, 'name' | 'wanted'>;

export interface Step {
  readonly name: string;
  readonly wanted: string;
  ensure(): Promise<Outcome>;
}

export const done: Outcome = { present: true, healthy: true };

/** In order, up to the first one that is not healthy. */
export async function runSteps(steps: readonly Step[]): Promise<StepAnswer[]> {
  const answers: StepAnswer[] = [];
  for (const step of steps) {
    const answer = { name: step.name, wanted: step.wanted, ...(await outcomeOf(step)) };
    answers.push(answer);
    if (!answer.healthy) break;
  }
  return answers;
}

/** Whatever goes wrong in a step is said as why it is not done; it is tried again in any case. */
async function outcomeOf(step: Step): Promise<Outcome> {
  try {
    return await step.ensure();
  } catch (error) {
    const { message } = error as Error;
    const next = error instanceof CausewayError ? error.fix : 'it is tried again';
    return { present: false, healthy: false, why: message, next };
  }
}
