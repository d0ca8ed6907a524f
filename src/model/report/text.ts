// Findings as a compiler would say them: the place first, so that terminals and editors can jump to it.
import { styleText } from 'node:util';
import { type Finding, fieldOf } from '../finding.ts';
import type { ReportOptions } from './index.ts';
import { fileOf, visible } from './place.ts';
import { type Summary, summarize } from './summary.ts';

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

export function formatText(findings: readonly Finding[], { color = false, root }: ReportOptions): string {
  // Whether to colour is decided by the caller, who knows the stream.
  const paint: Paint = (style, text) => (color ? styleText(style, text, { validateStream: false }) : text);
  const blocks = findings.map((finding) => formatFinding(finding, paint, root));
  return `${[...blocks, formatSummary(summarize(findings), paint)].join('\n')}\n`;
}

function formatFinding(finding: Finding, paint: Paint, root: string | undefined): string {
  const lines = [
    headOf(finding, paint, root),
    `  ${visible(finding.message)}`,
    `  ${paint('green', 'fix:')} ${visible(finding.fix)}`,
    ...waivedBy(finding).map((line) => `  ${paint('dim', line)}`),
  ];
  return `${lines.join('\n')}\n`;
}

function headOf(finding: Finding, paint: Paint, root: string | undefined): string {
  const { position, resource, path, code } = finding;
  const place = position === undefined ? undefined : `${fileOf(finding, root)}:${position.line}:${position.column}`;
  const field = path === undefined ? '' : fieldOf(path);
  const parts = [place && paint('bold', visible(place)), severityOf(finding, paint), code, resource, field].filter(
    (part) => part !== undefined && part !== '',
  );
  return parts.map((part) => (part === resource || part === field ? visible(String(part)) : part)).join(' ');
}

function severityOf({ severity, waived }: Finding, paint: Paint): string {
  if (waived !== undefined) return paint('dim', 'waived');
  return paint(severity === 'error' ? ['bold', 'red'] : ['bold', 'yellow'], severity);
}

const waivedBy = ({ waived }: Finding): string[] =>
  waived === undefined ? [] : [visible(`waived by ${waived.owner} until ${waived.expires}: ${waived.reason}`)];

function formatSummary({ errors, warnings, waived }: Summary, paint: Paint): string {
  if (errors + warnings + waived === 0) return paint('green', 'no findings');
  const counts = [counted(errors, 'error'), counted(warnings, 'warning'), ...(waived > 0 ? [`${waived} waived`] : [])];
  const style: Style = errors > 0 ? 'red' : warnings > 0 ? 'yellow' : 'green';
  return paint(style, counts.join(', '));
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
