// JSON of something large, in pieces: whoever else asks is answered in between.
import { setImmediate as turn } from 'node:timers/promises';

/** Written at once, in characters: a few milliseconds of work. */
const pieceLength = 128 * 1024;
/** What lies deeper is small. */
const depth = 3;

export function jsonStream(value: unknown): Response {
  const parts = jsonParts(value, depth);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(stream) {
      await turn();
      const piece = nextPiece(parts);
      if (piece === '') stream.close();
      else stream.enqueue(encoder.encode(piece));
    },
  });
  return new Response(body, { headers: { 'content-type': 'application/json' } });
}

function nextPiece(parts: Iterator<string, void>): string {
  let piece = '';
  while (piece.length < pieceLength) {
    const next = parts.next();
    if (next.done === true) break;
    piece += next.value;
  }
  return piece;
}

export function* jsonParts(value: unknown, levels: number): Generator<string, void> {
  if (levels === 0 || typeof value !== 'object' || value === null) yield JSON.stringify(value) ?? 'null';
  else if (Array.isArray(value)) yield* listed('[', ']', value, (item) => jsonParts(item, levels - 1));
  else yield* listed('{', '}', fieldsOf(value), ([key, item]) => fieldParts(key, item, levels - 1));
}

const fieldsOf = (value: object): [string, unknown][] => Object.entries(value).filter(([, item]) => item !== undefined);

function* fieldParts(key: string, value: unknown, levels: number): Generator<string, void> {
  yield `${JSON.stringify(key)}:`;
  yield* jsonParts(value, levels);
}

function* listed<Item>(
  open: string,
  close: string,
  items: readonly Item[],
  partsOf: (item: Item) => Iterable<string>,
): Generator<string, void> {
  let before = open;
  for (const item of items) {
    yield before;
    yield* partsOf(item);
    before = ',';
  }
  yield items.length === 0 ? `${open}${close}` : close;
}
