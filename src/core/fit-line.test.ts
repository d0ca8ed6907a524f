import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constant, integer, assert as law, oneof, property, string } from 'fast-check';
import { fitLine } from './fit-line.ts';

test('a line that fits stays as it is, also where the width is not known', () => {
  const line = '4 of 4 clusters are ready';
  for (const columns of [80, 0, undefined]) assert.equal(fitLine(line, columns), line);
});

test('a line that does not fit is cut before the last column, and shows that it was cut', () => {
  assert.equal(fitLine('kube-apiserver', 9), 'kube-ap…');
  assert.equal(fitLine('x'.repeat(100), 0), `${'x'.repeat(78)}…`);
});

test('a line is never wider than the terminal, and never loses a letter where it is not', () => {
  law(
    property(string(), oneof(integer({ min: 1, max: 300 }), constant(0), constant(undefined)), (line, columns) => {
      const fitted = fitLine(line, columns);
      assert.ok(fitted.length <= Math.max(1, (columns || 80) - 1));
      assert.ok(fitted === line || fitted.endsWith('…'));
    }),
  );
});
