import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TokenBucket } from './token-bucket.ts';

const taken = (bucket: TokenBucket, now: number, tries = 1000): number =>
  Array.from({ length: tries }, () => bucket.take(now)).filter(Boolean).length;

test('a token bucket holds one second, and is refilled at its rate', () => {
  const bucket = new TokenBucket(10, 0);
  assert.equal(taken(bucket, 0), 10);
  assert.equal(taken(bucket, 99), 0);
  assert.equal(taken(bucket, 500), 5);
  assert.equal(taken(bucket, 60_000), 10);
});

test('a debit is paid back before anything can be taken', () => {
  const bucket = new TokenBucket(10, 0);
  bucket.debit(20);
  assert.equal(taken(bucket, 1000), 0);
  assert.equal(taken(bucket, 1100), 1);
});

test('another rate takes nothing back and gives nothing away', () => {
  const bucket = new TokenBucket(10, 0);
  assert.equal(taken(bucket, 0, 4), 4);
  bucket.setRate(100, 0);
  assert.equal(taken(bucket, 0), 6);
  bucket.setRate(2, 5000);
  assert.equal(taken(bucket, 5000), 0);
  assert.equal(taken(bucket, 5500), 1);
});

test('a clock that goes back refills nothing', () => {
  const bucket = new TokenBucket(10, 1000);
  assert.equal(taken(bucket, 1000), 10);
  assert.equal(taken(bucket, 0), 0);
});

test('no more is ever taken than its burst and its rate allow', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.array(fc.nat(300), { maxLength: 300 }), (perSecond, pauses) => {
      const bucket = new TokenBucket(perSecond, 0);
      let [now, count] = [0, 0];
      for (const pause of pauses) {
        now += pause;
        if (bucket.take(now)) count++;
      }
      assert.ok(count <= perSecond + (now / 1000) * perSecond + 1e-6);
    }),
  );
});
