// Many connections for long, while routes change all the time: none is lost, and memory does not grow. An hour with --soak.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Snapshot } from '../../../src/gateway/index.ts';
import { clusterOf, snapshotOf } from '../../conformance/gateway/scene.ts';
import { startBackendProcess } from '../../support/gateway/backend-process.ts';
import { tcp } from '../../support/gateway/clients.ts';
import type { Conversation } from '../../support/gateway/conversation.ts';
import { residentMiB, startGateway } from '../../support/gateway/own-gateway.ts';
import { freePort } from '../../support/gateway/ports.ts';
import { crowd } from './load.ts';
import { temporaryDirectory } from './world.ts';

const { idle, active, seconds, pauseMs, changeMs } =
  process.env.CAUSEWAY_SOAK === '1'
    ? { idle: 10_000, active: 1_000, seconds: 3_600, pauseMs: 1_000, changeMs: 1_000 }
    : { idle: 1_000, active: 50, seconds: 10, pauseMs: 100, changeMs: 250 };
/** What a heap may differ by from one look to the next; more than that over the whole run is a leak. */
const growthMiB = 48;

test(`${idle} idle and ${active} active connections survive a route change every ${changeMs} ms, in flat memory`, async (t) => {
  const directory = temporaryDirectory(t, 'soak');
  const backends = [await startBackendProcess(t, 'one'), await startBackendProcess(t, 'two')];
  const nodePort = await freePort();
  const routes = { apiServer: backends.map(({ target }) => target), nodePort };
  // Longer than the run: what ends then is not idle but lost.
  const red = clusterOf('red', routes, { idleTimeout: '24h' });
  const snapshotAt = (change: number): Snapshot => {
    const name = `churn-${change % 50}`;
    const other = clusterOf(name, { apiServer: backends.map(({ target }) => target) });
    return {
      ...snapshotOf({ red, [name]: other }, { listeners: { nodePortRange: '1024-65535' } }),
      version: `soak-${change}`,
    };
  };
  const gateway = await startGateway(t, { directory, snapshot: snapshotAt(0) });
  const place = { host: '127.0.0.1', port: nodePort };
  const quiet: Conversation[] = [];
  t.after(() => {
    for (const conversation of quiet) conversation.close();
  });
  for (let number = 0; number < idle; number++) {
    const conversation = await tcp(place);
    assert.match(await conversation.line(), /^(one|two) /);
    quiet.push(conversation);
  }
  const talkers = await crowd(active, () => tcp(place), pauseMs);
  t.after(() => talkers.stop());

  const memory = (): number => gateway.workers().reduce((sum, worker) => sum + residentMiB(worker), 0);
  const samples: [second: number, mebibytes: number][] = [];
  const begun = performance.now();
  const passed = (): number => (performance.now() - begun) / 1000;
  for (let change = 1; passed() < seconds; change++) {
    await gateway.apply(snapshotAt(change));
    // Caches fill at first.
    if (passed() > seconds / 4) samples.push([passed(), memory()]);
    await sleep(changeMs);
  }

  const slope = slopeOf(samples);
  const [first, last] = [samples[0]?.[1] ?? 0, samples.at(-1)?.[1] ?? 0];
  t.diagnostic(`${first.toFixed()} MiB, then ${last.toFixed()} MiB: ${(slope * 60).toFixed(2)} MiB a minute`);
  assert.equal(talkers.alive().length, active);
  for (const [number, conversation] of quiet.entries()) assert.equal(await conversation.echo(`${number}`), `${number}`);
  assert.ok(slope * (samples.at(-1)?.[0] ?? 0) < growthMiB, `memory grows by ${slope * 60} MiB a minute`);
});

/** Of the line through all samples, by least squares. */
function slopeOf(samples: readonly (readonly [number, number])[]): number {
  const mean = (at: 0 | 1): number => samples.reduce((sum, sample) => sum + sample[at], 0) / samples.length;
  const [x, y] = [mean(0), mean(1)];
  const together = samples.reduce((sum, [second, value]) => sum + (second - x) * (value - y), 0);
  return together / samples.reduce((sum, [second]) => sum + (second - x) ** 2, 0);
}
