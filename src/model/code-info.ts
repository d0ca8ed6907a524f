// What a finding code means, independent of where it fired.
import type { Severity } from './finding.ts';

export interface CodeInfo {
  readonly severity: Severity;
  /** The rule as one short statement. */
  readonly title: string;
  /** Why it matters: what breaks, and how that shows. */
  readonly explanation: string;
  /** What to do about it in general; a finding itself is more concrete. */
  readonly fix: string;
  /** Rows of the requirements catalogue that it enforces. */
  readonly rows: readonly string[];
}
