import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addTallies, closingLines, failuresIn, noTests, oneFailure } from './tally.ts';

const lastLine = (text: string): string | undefined => text.split('\n').at(-1);

test('the last line says how many passed and failed, and skipped only where some were', () => {
  assert.equal(lastLine(closingLines({ ...noTests, passed: 3 })), '3 passed, 0 failed');
  assert.equal(
    lastLine(closingLines({ ...noTests, passed: 3, failed: 1, skipped: 2 })),
    '3 passed, 1 failed, 2 skipped',
  );
});

test('a cancelled test counts as failed', () => {
  const tally = { ...noTests, passed: 1, cancelled: 1 };
  assert.equal(failuresIn(tally), 1);
  assert.equal(lastLine(closingLines(tally)), '1 passed, 1 failed');
});

test('a failed check of types or lint is one failure on top of the tests', () => {
  assert.equal(failuresIn(addTallies({ ...noTests, tests: 2, passed: 2 }, oneFailure)), 1);
});
