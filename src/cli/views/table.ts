// A table for whoever reads it: on a terminal it fits the width, anywhere else it is complete, one line per row, for scripts.
import { styleText } from 'node:util';
import { oneLine } from '../../render/text/one-line.ts';
import { columns } from '../../render/text/tables.ts';

type Cells = readonly string[];

export const terminalWidth = (): number | undefined =>
  process.stdout.isTTY && process.stdout.columns > 0 ? process.stdout.columns : undefined;

export function table(header: Cells, rows: readonly Cells[], width = terminalWidth()): string {
  const whole = columns(header, rows);
  if (width === undefined || whole.split('\n').every((line) => line.length <= width)) return whole;
  const lines = [header, ...rows].map((cells) => header.map((_, at) => oneLine(cells[at] ?? '') || '-'));
  const widths = fitted(lines, width - gap.length * (header.length - 1));
  return widths === undefined
    ? records(lines, width)
    : lines
        .flatMap((cells) => rowLines(cells, widths, width))
        .join('\n')
        .concat('\n');
}

const gap = '   ';
const indent = '    ';
/** Sentences in less are hard to read: those of the last column are then written below their row. */
const leastForSentences = 24;
const leastForProse = 16;

/** Widths of the columns. Sentences give way before names do; undefined where words would have to be broken. */
function fitted(lines: readonly Cells[], room: number): number[] | undefined {
  const natural = (lines[0] ?? []).map((_, at) =>
    lines.reduce((width, cells) => Math.max(width, cells[at]?.length ?? 0), 0),
  );
  const others = natural.slice(0, -1);
  const last = natural.at(-1) ?? 0;
  const header = lines[0]?.at(-1)?.length ?? 0;
  const isProse = others.map((_, at) => lines.slice(1).some((cells) => cells[at]?.includes(' ')));
  const keepNames = others.map((width, at) => (isProse[at] ? Math.min(width, leastForProse) : width));
  const keepPieces = others.map((_, at) =>
    lines.reduce((width, cells) => Math.max(width, longestPiece(cells[at] ?? '')), 1),
  );
  const roomForOthers = room - Math.min(last, leastForSentences);
  const chosen =
    shrunk(others, keepNames, roomForOthers) ??
    shrunk(others, keepNames, room - header) ??
    shrunk(others, keepPieces, room - header);
  return chosen && [...chosen, Math.min(last, room - sum(chosen))];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** The widest give way first, none below its least; undefined where that is not enough. */
function shrunk(natural: readonly number[], least: readonly number[], room: number): number[] | undefined {
  const atMost = (limit: number): number[] =>
    natural.map((width, at) => Math.min(width, Math.max(limit, least[at] ?? 1)));
  for (let limit = Math.max(0, ...natural); limit >= 0; limit--) {
    const widths = atMost(limit);
    if (sum(widths) <= room) return widths;
  }
  return undefined;
}

function rowLines(cells: Cells, widths: readonly number[], terminal: number): string[] {
  const last = cells.length - 1;
  const isBelow = (widths[last] ?? 0) < leastForSentences && (cells[last]?.length ?? 0) > (widths[last] ?? 0);
  const beside = cells.map((cell, at) => (isBelow && at === last ? [] : wrapped(cell, widths[at] ?? 1)));
  const height = Math.max(...beside.map((parts) => parts.length));
  const lines = Array.from({ length: height }, (_, line) =>
    beside.map((parts, at) => (parts[line] ?? '').padEnd(widths[at] ?? 0)).join(gap),
  );
  const below = isBelow ? wrapped(cells[last] ?? '', terminal - indent.length).map((line) => indent + line) : [];
  return [...lines, ...below].map((line) => line.trimEnd());
}

/** One line per cell, where a table would break its words. */
function records([header = [], ...rows]: readonly Cells[], terminal: number): string {
  const width = Math.max(0, ...header.map((name) => name.length));
  const lines = (cells: Cells): string[] =>
    cells.flatMap((cell, at) =>
      wrapped(cell, Math.max(1, terminal - width - gap.length)).map(
        (part, line) => `${(line === 0 ? (header[at] ?? '') : '').padEnd(width)}${gap}${part}`,
      ),
    );
  return rows.map((cells) => `${lines(cells).join('\n')}\n`).join('\n');
}

const breakable = ',/:.@=_-';
const longestPiece = (text: string): number =>
  Math.max(...text.split(new RegExp(`(?<=[ ${breakable}])`)).map((piece) => piece.trimEnd().length));

/** Between words, else after punctuation, else anywhere. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text.trim();
  while (rest.length > width) {
    const at = breakIn(rest, width);
    lines.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  return [...lines, rest];
}

const lastBreakable = new RegExp(`.*[${breakable}]`);

function breakIn(text: string, width: number): number {
  const space = text.lastIndexOf(' ', width);
  if (space > 0) return space;
  const punctuation = lastBreakable.exec(text.slice(0, width))?.[0].length ?? 0;
  return punctuation > 0 ? punctuation : width;
}

/** Names and values below each other; what has no value is left out. */
export function facts(pairs: readonly (readonly [name: string, value: string])[]): string {
  const known = pairs.filter(([, value]) => value !== '');
  const width = Math.max(...known.map(([name]) => name.length), 0);
  return known.map(([name, value]) => `${name.padEnd(width)}   ${value}\n`).join('');
}

/** styleText looks at NO_COLOR and at the stream itself, so a pipe always gets plain text. */
const paint =
  (format: Parameters<typeof styleText>[0]) =>
  (text: string): string =>
    styleText(format, text, { stream: process.stdout });

export const bold = paint('bold');
export const dim = paint('dim');
export const green = paint('green');
export const red = paint('red');
