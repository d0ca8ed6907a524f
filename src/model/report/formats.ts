// Findings as text, as JSON and as workflow commands; SARIF is in a file of its own.
import { styleText } from 'node:util';
import { type Finding, fieldOf } from '../finding.ts';
import type { ReportOptions } from './index.ts';
import { type Summary, summarize } from './summary.ts';

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

/** As a compiler would say them: the place first, so that terminals and editors can jump to it. */
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

/** Path of the file as it can be opened from where the command ran. */
export function fileOf({ position }: Finding, root = ''): string | undefined {
  if (position === undefined) return undefined;
  const isOutside = root === '' || root === '.' || position.file.startsWith('<');
  return isOutside ? position.file : `${root.replace(/\/+$/, '')}/${position.file}`;
}

/** File names and values come from others: a control character in them could repaint a terminal or forge a line. */
const visible = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are exactly what must not pass.
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });

/** `{findings, summary}`; a finding as in the model, with its field also as text. */
export function formatJson(findings: readonly Finding[], { root }: ReportOptions): string {
  const shown = findings.map((finding) => ({
    ...finding,
    ...(finding.path === undefined ? {} : { field: fieldOf(finding.path) }),
    ...(finding.position === undefined ? {} : { position: { ...finding.position, file: fileOf(finding, root) } }),
  }));
  return `${JSON.stringify({ findings: shown, summary: summarize(findings) }, undefined, 2)}\n`;
}

/** Workflow commands: GitHub shows each finding beside the line it is about. */
export const formatGithub = (findings: readonly Finding[], { root }: ReportOptions): string =>
  findings.map((finding) => `${command(finding, root)}\n`).join('');

function command(finding: Finding, root: string | undefined): string {
  const { code, position, resource, path, message, fix, waived } = finding;
  const subject = [code, resource, path === undefined ? undefined : fieldOf(path)].filter(Boolean).join(' ');
  const place =
    position === undefined ? {} : { file: fileOf(finding, root), line: position.line, col: position.column };
  const properties = Object.entries({ ...place, title: subject }).map(
    ([key, value]) => `${key}=${escapeProperty(String(value))}`,
  );
  const note = waived === undefined ? '' : `\nwaived by ${waived.owner} until ${waived.expires}: ${waived.reason}`;
  const level = waived === undefined ? finding.severity : 'notice';
  return `::${level} ${properties.join(',')}::${escapeData(`${message}\nfix: ${fix}${note}`)}`;
}

/** A line break would end the command and could begin another one. */
const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeProperty = (text: string): string => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
