// Errors for people: what happened, and what to do about it. Anything else that is thrown is a bug.

export const exitCodes = { ok: 0, internal: 1, usage: 2, findings: 3, warnings: 4 } as const;

/** The same for every copy of this module: tests and benchmarks that a bundle loads bring another one. */
const brand = Symbol.for('causeway.error');

export class CausewayError extends Error {
  /** Stable, documented. */
  readonly code: string;
  readonly fix: string;
  readonly exitCode: number;
  constructor(code: string, message: string, fix: string, exitCode: number = exitCodes.usage) {
    super(message);
    this.name = 'CausewayError';
    this.code = code;
    this.fix = fix;
    this.exitCode = exitCode;
  }
  get [brand](): true {
    return true;
  }
}

export const isCausewayError = (error: unknown): error is CausewayError => error instanceof Error && brand in error;
