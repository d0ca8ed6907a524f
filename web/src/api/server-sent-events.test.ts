import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { eventsIn, type ServerSentEvent } from './server-sent-events.ts';

async function read(chunks: readonly string[]): Promise<ServerSentEvent[]> {
  async function* stream(): AsyncGenerator<string> {
    yield* chunks;
  }
  return Array.fromAsync(eventsIn(stream()));
}

test('events have a name, data of several lines, and the newest id', async () => {
  const text =
    ': alive\n\nevent: event\nid: 7\ndata: {"a":\ndata: 1}\n\nevent: change\ndata:{}\n\ndata\n\nevent: none\n\n';
  assert.deepEqual(await read([text]), [
    { name: 'event', data: '{"a":\n1}', id: '7' },
    { name: 'change', data: '{}', id: '7' },
    { name: 'message', data: '', id: '7' },
  ]);
});

test('an event that is not finished is none', async () => {
  assert.deepEqual(await read(['data: 1\n\ndata: 2\n']), [{ name: 'message', data: '1', id: '' }]);
});

test('the same events come wherever the stream is cut, and whatever ends its lines', async () => {
  const line = fc.string({ unit: fc.constantFrom('a', ' ', ':', '€', 'data', '{"x":1}') });
  const sent = fc.array(fc.record({ name: fc.constantFrom('event', 'line'), data: fc.array(line, { minLength: 1 }) }));
  await fc.assert(
    fc.asyncProperty(sent, fc.constantFrom('\n', '\r\n', '\r'), fc.array(fc.nat(200)), async (events, end, cuts) => {
      const lines = events.flatMap(({ name, data }) => [`event: ${name}`, ...data.map((one) => `data: ${one}`), '']);
      // A return alone is told from the half of an end by what follows.
      const text = `${lines.map((one) => one + end).join('')}:${end}`;
      const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
      const chunks = places.slice(1).map((place, index) => text.slice(places[index], place));
      assert.deepEqual(
        (await read(chunks)).map(({ name, data }) => ({ name, data })),
        events.map(({ name, data }) => ({ name, data: data.join('\n') })),
      );
    }),
  );
});
