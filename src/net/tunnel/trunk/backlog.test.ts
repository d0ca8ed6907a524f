import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Backlog } from './backlog.ts';

test('gives back what was put in, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 20_000 }), { maxLength: 20 }), (parts) => {
      const backlog = new Backlog();
      const got: Buffer[] = [];
      parts.forEach((part, index) => {
        backlog.push(Buffer.from(part));
        if (index % 3 === 2 && !backlog.empty) got.push(backlog.shift());
      });
      while (!backlog.empty) got.push(backlog.shift());
      assert.equal(Buffer.concat(got).equals(Buffer.concat(parts)), true);
    }),
  );
});

test('half a million single bytes cost about as much memory as one large part', () => {
  const backlog = new Backlog();
  const byte = Buffer.from('x');
  for (let count = 0; count < 500_000; count += 1) backlog.push(byte);
  let blocks = 0;
  for (; !backlog.empty; blocks += 1) backlog.shift();
  assert.ok(blocks < 50, `${blocks} blocks`);
});
