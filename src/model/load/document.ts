// A document as it was read, with enough to find every field of it in its file again.
import { codes, type ReadingCode } from '../codes.ts';
import type { Finding, Path, Position } from '../finding.ts';
import type { Kind, Resource } from '../schema/index.ts';
import { offsetOf, type Part } from './positions.ts';
import { type Chunk, countLines } from './split-documents.ts';

export interface LoadedDocument extends Chunk {
  readonly file: string;
  /** Kind as far as it can be told, also from a misspelled or broken document. */
  readonly kind: Kind | undefined;
  readonly name: string | undefined;
  /** `Cluster/web`, if kind and name are known. */
  readonly resource: string | undefined;
  /** What the YAML says; undefined where it is not YAML. */
  readonly value: unknown;
  /** The document, if it is valid. */
  readonly valid: Resource | undefined;
}

type Place = Pick<LoadedDocument, 'file' | 'text' | 'linesBefore'>;

export function positionAt({ file, text, linesBefore }: Place, offset: number): Position {
  const end = Math.min(offset, text.length);
  const line = countLines(text, end);
  // lastIndexOf takes a position before the text for its first character, which may be a line break itself.
  const lineStart = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1;
  return { file, line: linesBefore + line + 1, column: end - lineStart + 1 };
}

export const positionOf = (place: Place, path: Path, part: Part = 'value'): Position =>
  positionAt(place, offsetOf(place.text, path, part));

/** A finding of `code`, with the severity that the code has. */
export const findingOf = (code: ReadingCode, rest: Omit<Finding, 'code' | 'severity'>): Finding => ({
  code,
  severity: codes[code].severity,
  ...rest,
});
