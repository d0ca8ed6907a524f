// A file as its documents, each with the line it starts on. One broken document then does not hide the others.

export interface Chunk {
  /** Text of one document, with the marker that opens it. */
  readonly text: string;
  /** Lines of the file before it. */
  readonly linesBefore: number;
}

// Three hyphens or dots in the first column are a marker everywhere, also inside of quotes and block scalars
// (YAML 1.2.2, rule c-forbidden), so cutting there never cuts through a value.
const marker = /(?<=\n|^)(?:---|\.\.\.)(?![^ \t\n])/g;

/** Line breaks as YAML reads them: its values have \n whatever the file has, and no column changes. */
export const withUnixBreaks = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);

export function splitDocuments(file: string): Chunk[] {
  const text = withUnixBreaks(file);
  const chunks: Chunk[] = [];
  let [start, linesBefore] = [0, 0];
  const cutAt = (end: number): void => {
    if (end === start) return;
    const chunk = text.slice(start, end);
    chunks.push({ text: chunk, linesBefore });
    linesBefore += countLines(chunk, chunk.length);
    start = end;
  };
  for (const match of text.matchAll(marker)) cutAt(match[0] === '---' ? match.index : endOfLine(text, match.index));
  cutAt(text.length);
  return chunks;
}

/** How many line breaks `text` has before `offset`. */
export function countLines(text: string, offset: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end + 1;
}
