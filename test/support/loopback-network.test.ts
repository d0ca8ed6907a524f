import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { claimNetwork, type LoopbackNetwork } from './loopback-network.ts';

const claimOf = (network: string): string => path.join(tmpdir(), `causeway-test-network-${network}`);

test('no two tests have the same network, and one whose test died can be had again', (t) => {
  const claimMany = (length: number): LoopbackNetwork[] => {
    const claims = Array.from({ length }, claimNetwork);
    t.after(() => {
      for (const { release } of claims) release();
    });
    return claims;
  };
  const claims = claimMany(100);
  assert.equal(new Set(claims.map(({ network }) => network)).size, 100);
  // Above every process number that Linux gives.
  for (const { network } of claims) writeFileSync(claimOf(network), '99999999');
  const [rest, again] = [claimMany(60), claimMany(60)];
  assert.equal(new Set([...rest, ...again].map(({ network }) => network)).size, 120);
});
