import assert from 'node:assert/strict';
import test from 'node:test';
import { isAt } from './is-at.ts';

test('a place is found by its whole name, its front, its kind, in singular and plural', () => {
  const gateway = 'seed/west/gateway';
  for (const wanted of [gateway, 'seed/west', 'seed', 'seeds', 'gateway', 'gateways'])
    assert.ok(isAt(gateway, wanted), wanted);
  for (const wanted of ['west', 'seed/wes', 'workers', 'gate']) assert.ok(!isAt(gateway, wanted), wanted);
});
