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
