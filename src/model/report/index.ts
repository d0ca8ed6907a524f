// Findings for people and machines. One entry, four formats.
import type { Finding } from '../finding.ts';
import { formatGithub, formatJson, formatText } from './formats.ts';
import { formatSarif } from './sarif.ts';

export { type ExitCode, exitCodeOf, type Summary, summarize } from './summary.ts';

export const formats = ['text', 'json', 'sarif', 'github'] as const;
export type Format = (typeof formats)[number];

export interface ReportOptions {
  /** @default 'text' */
  readonly format?: Format;
  /** Escape sequences for terminals; only for text. @default false */
  readonly color?: boolean;
  /** Directory that files are relative to, put in front of them so that they can be opened. @default none */
  readonly root?: string;
}

const writers: Record<Format, (findings: readonly Finding[], options: ReportOptions) => string> = {
  text: formatText,
  json: formatJson,
  sarif: formatSarif,
  github: formatGithub,
};

/** Ends with a line break, unless it is empty. */
export const formatFindings = (findings: readonly Finding[], options: ReportOptions = {}): string =>
  writers[options.format ?? 'text'](findings, options);
