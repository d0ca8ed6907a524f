// Text from manifests inside files of other languages: it must never end the line or the comment it stands in.

/** The text without control characters and line ends of any kind. */
export const oneLine = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed here
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim();

/** Comment lines with `mark` in front. */
export const commentLines = (mark: string, lines: readonly string[]): string[] =>
  lines.map((line) => `${mark} ${oneLine(line)}`.trimEnd());

/** Cuts at a whole character so that at most `bytes` bytes of UTF-8 remain. */
export function cutBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  let kept = '';
  let size = 3;
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > bytes) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
