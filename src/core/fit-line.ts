/** What a terminal has that does not say. */
const usualColumns = 80;

/**
 * Cuts a line so that it stays one line on a terminal, and marks that it was cut. The last column stays free, because some
 * terminals go to the next line when it is written. A terminal that does not know its width says 0.
 */
export function fitLine(line: string, columns: number | undefined): string {
  const width = Math.max(1, (columns || usualColumns) - 1);
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}
