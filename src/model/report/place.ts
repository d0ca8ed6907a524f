import type { Finding } from '../finding.ts';

/** Path of the file as it can be opened from where the command ran. */
export function fileOf({ position }: Finding, root = ''): string | undefined {
  if (position === undefined) return undefined;
  const isOutside = root === '' || root === '.' || position.file.startsWith('<');
  return isOutside ? position.file : `${root.replace(/\/+$/, '')}/${position.file}`;
}

/** File names and values come from others: a control character in them could repaint a terminal or forge a line. */
export const visible = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are exactly what must not pass.
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
