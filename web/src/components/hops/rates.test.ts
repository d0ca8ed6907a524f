import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastWorkedText, ratesBetween, sampleOf } from './rates.ts';

const traffic = (bytesIn: number, bytesOut: number) => ({ open: 1, accepted: 1, refused: 0, bytesIn, bytesOut });
const counted = (id: string, bytesIn: number, bytesOut: number) => ({ id, traffic: traffic(bytesIn, bytesOut) });

test('a rate is what was added, per second', () => {
  const before = sampleOf(1_000, [counted('api/shop', 100, 1_000)]);
  const after = sampleOf(3_000, [counted('api/shop', 300, 5_000)]);
  assert.deepEqual(ratesBetween(before, after).get('api/shop'), { in: 100, out: 2_000 });
});

test('totals that begin anew after a restart give no negative rate', () => {
  const before = sampleOf(0, [counted('api/shop', 9_000, 9_000)]);
  assert.deepEqual(ratesBetween(before, sampleOf(1_000, [counted('api/shop', 10, 10)])).get('api/shop'), {
    in: 0,
    out: 0,
  });
});

test('what was not counted before, or is not counted at all, has no rate', () => {
  const before = sampleOf(0, [{ id: 'proxy/shop' }]);
  const after = sampleOf(1_000, [{ id: 'proxy/shop' }, counted('api/new', 1, 1)]);
  assert.equal(ratesBetween(before, after).size, 0);
});

test('two tellings of the same moment give no rate', () => {
  const sample = sampleOf(5, [counted('api/shop', 1, 1)]);
  assert.equal(ratesBetween(sample, sample).size, 0);
});

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
