// Tables for Markdown, terminals and spreadsheets.
import { oneLine } from './one-line.ts';

// Markdown whose text comes from manifests: nothing in it may become a link, a tag, a heading or another table cell.

export const markdownText = (text: string): string => oneLine(text).replace(/[\\`*_{}[\]<>|~]/g, '\\$&');

/** A code span. A pipe would still end a table cell there, and a backtick the span. */
export const code = (text: string): string => {
  const safe = oneLine(text).replaceAll('`', "'").replaceAll('|', '\\|');
  return safe === '' ? '' : `\`${safe}\``;
};
export const codeList = (texts: readonly string[]): string => texts.map(code).join(', ');

/** A table of cells that are escaped already. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  return line(header) + line(header.map(() => '---')) + rows.map(line).join('');
}

// Columns as kubectl prints them: capitals on top, three spaces between, nothing after the last.

export function columns(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows].map((cells) => cells.map((cell) => oneLine(cell) || '-'));
  const widths = header.map((_, i) => lines.reduce((width, cells) => Math.max(width, cells[i]?.length ?? 0), 0));
  const line = (cells: readonly string[]): string => cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('   ');
  return lines.map((cells) => `${line(cells).trimEnd()}\n`).join('');
}

// CSV as spreadsheets read it (RFC 4180), without letting a cell become a formula.

export type CsvValue = string | number | boolean;

export const csv = (header: readonly string[], rows: readonly (readonly CsvValue[])[]): string =>
  [header, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');

function cell(value: CsvValue): string {
  if (typeof value !== 'string') return String(value);
  // A leading quote is how spreadsheets are told that a cell is text, not a formula (OWASP: CSV injection).
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}
