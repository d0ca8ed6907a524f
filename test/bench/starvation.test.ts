// The short form of `bench starvation`: medians, because a busy machine delays a few of everybody's round trips.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureOne, run } from '../../bench/starvation/index.ts';

const peers = 30;
const forMs = 1500;
/** Without limits the median was 270 ms over HTTP/2 and seconds over trunks, beside 0.3 ms. */
const factor = 10;

for (const kind of ['trunk', 'h2'] as const)
  test(`${peers} unauthenticated peers that flood the tunnel by ${kind} do not slow a quiet tenant`, async (t) => {
    const { attacked, baseline, restarts } = await measureOne(kind, peers, forMs);
    t.diagnostic(`p50 ${attacked.p50.toFixed(2)} ms, beside ${baseline.p50.toFixed(2)} ms of accept and close`);
    assert.ok(attacked.p50 <= factor * Math.max(1, baseline.p50), `${attacked.p50} ms, not ${baseline.p50} ms`);
    assert.equal(restarts, 0);
  });

test('refuses a row that it does not know', async () => {
  await assert.rejects(
    run(() => {}, { only: ['trunk-2'] }),
    /no row "trunk-2"/,
  );
});
