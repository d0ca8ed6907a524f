import assert from 'node:assert/strict';
import { test } from 'node:test';
import { duration, megabytes } from './amounts.ts';

test('times and sizes are in units that people say', () => {
  assert.deepEqual([12, 6400, 310_000].map(duration), ['12 ms', '6 s', '5 min 10 s']);
  assert.equal(megabytes(36_137_269), '36.1 MB');
});
