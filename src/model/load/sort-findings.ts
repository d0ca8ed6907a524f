// Order of findings: by file, line and column, so that a report reads like the files; without a place last.
import { byName } from '../../core/names.ts';
import type { Finding } from '../finding.ts';
import type { Locate } from './load-files.ts';

export function byPlace(a: Finding, b: Finding): number {
  if (a.position === undefined || b.position === undefined) {
    return Number(a.position === undefined) - Number(b.position === undefined) || byText(a, b);
  }
  const inFile = a.position.line - b.position.line || a.position.column - b.position.column;
  return byName(a.position.file, b.position.file) || inFile || byText(a, b);
}

const byText = (a: Finding, b: Finding): number =>
  byName(a.code, b.code) || byName(a.resource ?? '', b.resource ?? '') || byName(a.message, b.message);

/** Planning rules know documents, not files: this adds the places, and sorts. */
export const withPositions = (findings: readonly Finding[], locate: Locate): Finding[] =>
  findings.map((finding) => placed(finding, locate)).sort(byPlace);

function placed(finding: Finding, locate: Locate): Finding {
  if (finding.position !== undefined || finding.resource === undefined) return finding;
  const position = locate(finding.resource, finding.path ?? []);
  return position === undefined ? finding : { ...finding, position };
}
