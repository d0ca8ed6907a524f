import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonStream } from './json-stream.ts';

test('in pieces it is the same JSON', async () => {
  const same = fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), async (value) => {
    assert.equal(await jsonStream(value).text(), JSON.stringify(value));
  });
  await fc.assert(same, { numRuns: 200 });
  const many = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`k${at}`, at]));
  assert.equal(await jsonStream({ many }).text(), JSON.stringify({ many }));
  assert.equal(await jsonStream({ a: undefined, b: [undefined], c: {} }).text(), '{"b":[null],"c":{}}');
});

test('others get their turn while something large is written', async () => {
  let turns = 0;
  const clock = setInterval(() => turns++, 0);
  const rows = Array.from({ length: 20_000 }, (_, at) => ({ name: `c${at}`, reason: 'x'.repeat(60) }));
  const text = await jsonStream({ rows }).text();
  clearInterval(clock);
  assert.equal(text.length, JSON.stringify({ rows }).length);
  assert.ok(turns >= 5, `only ${turns} turns`);
});
