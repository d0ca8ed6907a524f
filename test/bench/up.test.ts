import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wantedRows } from '../../bench/up/index.ts';

test('a row is measured by its former name too, and one that there is not is refused', () => {
  assert.deepEqual(wantedRows(['door-requests', 'large']), ['gateway-requests', 'large']);
  assert.ok(wantedRows().includes('gateway-requests') && !wantedRows().includes('door-requests'));
  assert.throws(() => wantedRows(['start-2']), /there is no row "start-2"/);
});
