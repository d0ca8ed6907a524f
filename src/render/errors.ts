export type RenderProblem = 'unknown-artefact' | 'conflict' | 'unwritable' | 'bad-manifest' | 'bad-path';

/** What went wrong, and what to do about it; nothing was written. */
export class RenderError extends Error {
  readonly problem: RenderProblem;
  readonly fix: string;
  constructor(problem: RenderProblem, message: string, fix: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'RenderError';
    this.problem = problem;
    this.fix = fix;
  }
}
