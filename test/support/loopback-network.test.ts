import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { claimNetwork } from './loopback-network.ts';

const claimOf = (network: string): string => path.join(tmpdir(), `causeway-test-network-${network}`);

test('no two tests have the same network, and one whose test died can be had again', (t) => {
  const claims = Array.from({ length: 100 }, claimNetwork);
  t.after(() => claims.forEach(({ release }) => release()));
  assert.equal(new Set(claims.map(({ network }) => network)).size, 100);
  // Above every process number that Linux gives.
  for (const { network } of claims) writeFileSync(claimOf(network), '99999999');
  const rest = Array.from({ length: 60 }, claimNetwork);
  t.after(() => rest.forEach(({ release }) => release()));
  const again = Array.from({ length: 60 }, claimNetwork);
  t.after(() => again.forEach(({ release }) => release()));
  assert.equal(new Set([...rest, ...again].map(({ network }) => network)).size, 120);
});
