import { CausewayError } from '../core/errors.ts';

/** Why something does not work, for people. */
export interface Problem {
  readonly why: string;
  readonly fix?: string;
}

export const problemOf = (error: unknown): Problem => ({
  why: (error as Error).message,
  ...(error instanceof CausewayError ? { fix: error.fix } : {}),
});
