// Columns as kubectl prints them: capitals on top, three spaces between, nothing after the last.
import { oneLine } from './one-line.ts';

export function columns(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows].map((cells) => cells.map((cell) => oneLine(cell) || '-'));
  const widths = header.map((_, i) => lines.reduce((width, cells) => Math.max(width, cells[i]?.length ?? 0), 0));
  const line = (cells: readonly string[]): string => cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('   ');
  return lines.map((cells) => `${line(cells).trimEnd()}\n`).join('');
}
