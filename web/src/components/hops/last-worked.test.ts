import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastWorkedText } from './last-worked.ts';

test('never is never, whether it fails or has not started yet', () => {
  assert.equal(lastWorkedText({ healthy: false }, 5000), 'never');
  assert.equal(lastWorkedText({ starting: true }, 5000), 'never');
  assert.equal(lastWorkedText({}, 5000), undefined, 'nobody looks, so nobody knows');
});

test('what works worked just now, and what does not says also when', () => {
  assert.equal(lastWorkedText({ healthy: true, lastWorked: 5000 }, 5000), 'just now');
  assert.match(lastWorkedText({ healthy: false, lastWorked: 5000 }, 65_000) ?? '', /^1 min ago, at .*1970/);
  assert.match(lastWorkedText({ starting: true, lastWorked: 5000 }, 65_000) ?? '', /^1 min ago, at /);
});
