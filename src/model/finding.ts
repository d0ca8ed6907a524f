// A finding: something about the manifests that a person should know, with the place and what would be right.

export type Severity = 'error' | 'warning';
export type Path = readonly (string | number)[];

export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface Finding {
  /** Stable code, registered in `codes.ts`. */
  readonly code: string;
  readonly severity: Severity;
  /** Document it is about, as `Cluster/web`; absent while a file cannot be read as documents. */
  readonly resource?: string;
  /** Path of the field inside the document, as in ['spec', 'network', 'pods', 0]. */
  readonly path?: Path;
  readonly message: string;
  /** What would be right. */
  readonly fix: string;
  readonly position?: Position;
  /** Other document involved, as `Cluster/b`. */
  readonly related?: string;
  readonly waived?: { readonly owner: string; readonly reason: string; readonly expires: string };
}

export const fieldOf = (path: Path): string =>
  path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  );

/** What a finding code means, independent of where it fired. */
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
