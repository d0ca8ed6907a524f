import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAllReady } from './all-ready.ts';
import type { PlatformView } from './view.ts';

const view = (ready: boolean, healthy: boolean): PlatformView =>
  ({
    plan: { gateway: { west: {} } },
    clusters: [{ ready }],
    components: [
      { scope: 'platform', name: 'gateway-west', healthy },
      { scope: 'cluster/one', name: 'gateway-west', healthy: true },
    ],
  }) as unknown as PlatformView;

test('all is ready when every cluster is, and the gateway', () => {
  assert.equal(isAllReady(view(true, true)), true);
  assert.equal(isAllReady(view(false, true)), false);
  assert.equal(isAllReady(view(true, false)), false);
});

test('without a plan nothing is ready', () => {
  assert.equal(isAllReady({ ...view(true, true), plan: undefined }), false);
});
