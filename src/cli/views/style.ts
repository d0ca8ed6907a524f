import { styleText } from 'node:util';

/** styleText looks at NO_COLOR and at the stream itself, so a pipe always gets plain text. */
const paint =
  (format: Parameters<typeof styleText>[0]) =>
  (text: string): string =>
    styleText(format, text, { stream: process.stdout });

export const bold = paint('bold');
export const dim = paint('dim');
export const green = paint('green');
export const red = paint('red');
