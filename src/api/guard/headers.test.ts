import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleApi } from '../testing/sample-api.ts';

const wanted = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

test('every answer tells browsers to be careful, also one that refuses', async (t) => {
  const { ask } = await sampleApi(t);
  for (const [who, url, status] of [
    ['viewer', '/api/v1/status', 200],
    [undefined, '/api/v1/status', 401],
    ['viewer', '/api/v1/nothing', 404],
  ] as const) {
    const response = await ask(who, url);
    assert.equal(response.status, status, url);
    const told = Object.fromEntries(Object.keys(wanted).map((name) => [name, response.headers.get(name)]));
    assert.deepEqual(told, wanted);
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'; script-src 'self';.*base-uri 'none'; frame-ancestors 'none'$/);
    assert.match(response.headers.get('permissions-policy') ?? '', /camera=\(\)/);
  }
});
