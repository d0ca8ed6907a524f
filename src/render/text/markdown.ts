// Markdown whose text comes from manifests: nothing in it may become a link, a tag, a heading or another table cell.
import { oneLine } from './one-line.ts';

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
