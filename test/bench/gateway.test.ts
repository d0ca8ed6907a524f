import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { atLeast, median, rowOf } from '../../bench/gateway/figures.ts';
import { run } from '../../bench/gateway/index.ts';
import { cpuSeconds, memoryKiB, treeOf } from '../../bench/gateway/process-tree.ts';
import { speedRows } from '../../bench/gateway/speed-rows.ts';

test('has every promised row of speed', () => {
  const tunnel = ['requests', 'connections', 'bulk-1', 'bulk-4'].map((name) => `tunnel-${name}`);
  assert.deepEqual(
    speedRows.map((row) => row.name),
    [
      ...['sni-requests', 'sni-connections', 'sni-bulk-1', 'sni-bulk-4', 'sni-p99'],
      ...tunnel,
      ...tunnel.map((name) => `${name}-tls`),
    ],
  );
});

test('refuses a row and a peer that it does not know', async () => {
  await assert.rejects(
    run(() => undefined, { only: ['sni-request'] }),
    /no row "sni-request"/,
  );
  await assert.rejects(
    run(() => undefined, { peers: ['traefik'] }),
    /no peer "traefik"/,
  );
});

test('takes the median of an even and an odd number of rounds', () => {
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(median([9, 1, 5, 7]), 6);
});

test('holds our median against that of Envoy', () => {
  const rounds = [90, 70, 110].map((ours) => ({
    causeway: { figure: ours, cost: 2 },
    envoy: { figure: 100, cost: 3 },
  }));
  const row = rowOf({ name: 'x', unit: 'y', costUnit: 'µs', ...atLeast(0.8) }, rounds);
  assert.equal(row.ratio, 0.9);
  assert.equal(row.met, true);
  assert.deepEqual(row.cost, { unit: 'µs', of: { causeway: 2, envoy: 3 } });
  assert.equal(rowOf({ name: 'x', unit: 'y', ...atLeast(1) }, rounds).met, false);
});

test('counts a program together with what it started', async (t) => {
  const child = spawn('sh', ['-c', 'sleep 60 & echo started; cat'], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => {
    for (const pid of treeOf(child.pid ?? -1)) process.kill(pid);
  });
  await once(child.stdout, 'data');
  const root = child.pid ?? -1;
  assert.ok(treeOf(root).length >= 3);
  assert.ok(memoryKiB([root]) > 0);
  assert.ok(cpuSeconds([process.pid]) > 0);
});
