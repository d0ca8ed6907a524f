import { CausewayError } from '../core/errors.ts';

export type RenderProblem = 'unknown-artefact' | 'conflict' | 'unwritable' | 'bad-manifest' | 'bad-path';

/** What went wrong, and what to do about it; nothing was written. */
export class RenderError extends CausewayError {
  readonly problem: RenderProblem;
  constructor(problem: RenderProblem, message: string, fix: string, cause?: unknown) {
    super(`CW-RENDER-${problem.toUpperCase()}`, message, fix);
    this.name = 'RenderError';
    this.problem = problem;
    this.cause = cause;
  }
}
