import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import fc from 'fast-check';
import { readWatch, type WatchEvent } from './watch.ts';

const { signal } = new AbortController();

async function read(chunks: readonly Buffer[]): Promise<WatchEvent[]> {
  const events: WatchEvent[] = [];
  await readWatch(async () => Readable.from(chunks), { signal, event: (one) => void events.push(one) });
  return events;
}

const event = (text: string): WatchEvent =>
  ({ type: 'ADDED', object: { metadata: { resourceVersion: '1' }, text } }) as WatchEvent;

test('events are the same however the stream is cut into pieces', async () => {
  const texts = fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(texts, fc.array(fc.nat(200)), async (all, cuts) => {
      const events = all.map(event);
      const bytes = Buffer.from(events.map((one) => `${JSON.stringify(one)}\n`).join(''));
      const at = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
      const pieces = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
      const seen = await read(pieces.filter((piece) => piece.length > 0));
      assert.deepEqual(seen, JSON.parse(JSON.stringify(events)));
    }),
  );
});

test('a stream that ends in the middle of an event is broken, also where it ends in good order', async () => {
  const bytes = Buffer.from(`${JSON.stringify(event('a'))}\n{"type":"DEL`);
  await assert.rejects(read([bytes]), /in the middle of an event/);
});

test('an error is the last event, and says how long to wait', async () => {
  const status = { code: 429, message: 'too many requests', details: { retryAfterSeconds: 7 } };
  const bytes = Buffer.from(`${JSON.stringify({ type: 'ERROR', object: status })}\n`);
  await assert.rejects(read([bytes]), { status: 429, message: 'watch: 429, too many requests', retryAfterMs: 7000 });
});
