// JSON of something large, in pieces: whoever else asks is answered in between.
import { setImmediate as turn } from 'node:timers/promises';

/** Written at once, in characters: a few milliseconds of work. */
const pieceLength = 128 * 1024;
/** Entries of a list, or of a record with many, that are written together. */
const groupSize = 200;
/** What lies deeper is small. */
const depth = 4;

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
  else if (Array.isArray(value)) yield* enclosed('[', grouped(value, inside), ']');
  else yield* enclosed('{', recordParts(value, levels - 1), '}');
}

/** The JSON of a list or record without its brackets. */
const inside = (value: object): string => JSON.stringify(value).slice(1, -1);

/** Few fields are gone into, one by one; a record of many is like a list. */
function* recordParts(value: object, levels: number): Generator<Iterable<string>, void> {
  const fields = Object.entries(value).filter(([, item]) => item !== undefined);
  if (fields.length > groupSize) yield* grouped(fields, (some) => inside(Object.fromEntries(some)));
  else for (const [key, item] of fields) yield fieldParts(key, item, levels);
}

function* grouped<Item>(items: readonly Item[], written: (some: readonly Item[]) => string): Generator<[string], void> {
  for (let at = 0; at < items.length; at += groupSize) yield [written(items.slice(at, at + groupSize))];
}

function* fieldParts(key: string, value: unknown, levels: number): Generator<string, void> {
  yield `${JSON.stringify(key)}:`;
  yield* jsonParts(value, levels);
}

function* enclosed(open: string, parts: Iterable<Iterable<string>>, close: string): Generator<string, void> {
  let before = open;
  for (const part of parts) {
    yield before;
    yield* part;
    before = ',';
  }
  yield before === open ? `${open}${close}` : close;
}
