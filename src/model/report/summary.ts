import type { Finding } from '../finding.ts';

export interface Summary {
  readonly errors: number;
  readonly warnings: number;
  readonly waived: number;
}

export function summarize(findings: readonly Finding[]): Summary {
  const open = findings.filter(({ waived }) => waived === undefined);
  const errors = open.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: open.length - errors, waived: findings.length - open.length };
}

/** 3: something fails. 4: only warnings. 0: nothing, or everything is waived. */
export type ExitCode = 0 | 3 | 4;

export function exitCodeOf(findings: readonly Finding[]): ExitCode {
  const { errors, warnings } = summarize(findings);
  if (errors > 0) return 3;
  return warnings > 0 ? 4 : 0;
}
