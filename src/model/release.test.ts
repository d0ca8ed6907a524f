import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usesGatewayApi } from './release.ts';

test('the entry is Envoy Gateway from release 2.31 on, and where no release is chosen yet', () => {
  const releases = [undefined, '2.31', '2.31.4', '2.100', '3.0'];
  assert.ok(releases.every((release) => usesGatewayApi({ release })));
});

test('the entry is ingress-nginx before release 2.31', () => {
  assert.ok(['2.30', '2.30.9', '2.9', '1.99'].every((release) => !usesGatewayApi({ release })));
});
