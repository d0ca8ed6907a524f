import { type Finding, fieldOf } from '../finding.ts';
import type { ReportOptions } from './index.ts';
import { fileOf } from './place.ts';
import { summarize } from './summary.ts';

/** `{findings, summary}`; a finding as in the model, with its field also as text. */
export function formatJson(findings: readonly Finding[], { root }: ReportOptions): string {
  const shown = findings.map((finding) => ({
    ...finding,
    ...(finding.path === undefined ? {} : { field: fieldOf(finding.path) }),
    ...(finding.position === undefined ? {} : { position: { ...finding.position, file: fileOf(finding, root) } }),
  }));
  return `${JSON.stringify({ findings: shown, summary: summarize(findings) }, undefined, 2)}\n`;
}
