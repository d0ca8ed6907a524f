import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exposition, single } from './exposition.ts';

const text = (value: string): string =>
  exposition([{ name: 'a_total', help: 'what', type: 'counter', samples: [{ labels: { who: value }, value: 1 }] }]);

test('a family is its help, its type and one line per sample', () => {
  const lines = exposition([{ name: 'open', help: 'Open now.', type: 'gauge', samples: single(3) }]);
  assert.equal(lines, '# HELP open Open now.\n# TYPE open gauge\nopen 3\n');
});

test('backslash, quote and line feed are escaped as the format says', () => {
  assert.equal(text('a\\b"c\nd').split('\n')[2], 'a_total{who="a\\\\b\\"c\\nd"} 1');
});

test('infinities and NaN have the names that Prometheus knows', () => {
  const samples = [Infinity, -Infinity, Number.NaN].map((value) => ({ labels: {}, value }));
  const lines = exposition([{ name: 'x', help: '', type: 'gauge', samples }]).split('\n');
  assert.deepEqual(lines.slice(2, 5), ['x +Inf', 'x -Inf', 'x NaN']);
});

test('any label value is read back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const lines = text(value).split('\n');
      assert.equal(lines.length, 4);
      const quoted = /^a_total\{who="((?:[^"\\\n]|\\["\\n])*)"\} 1$/.exec(lines[2] ?? '')?.[1];
      assert.ok(quoted !== undefined);
      assert.equal(
        quoted.replaceAll(/\\(.)/g, (_, sign: string) => (sign === 'n' ? '\n' : sign)),
        value,
      );
    }),
  );
});
