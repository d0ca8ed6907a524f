import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { ConnectionView, EngineOptions, GatewayEngine, Snapshot } from '../../gateway/index.ts';
import { sampleCluster, sampleRoute, sampleSnapshot } from '../../gateway/snapshot/testing/snapshots.ts';
import { silentLog } from '../../sys/log.ts';
import { SeedGateway } from './seed-gateway.ts';

/** An engine without sockets, that writes down what is asked of it. */
function recordingEngine(): { engine: GatewayEngine; calls: string[]; started: EngineOptions[] } {
  const calls: string[] = [];
  const started: EngineOptions[] = [];
  const start: GatewayEngine['start'] = async (options) => {
    calls.push(`start ${options.snapshot.version}`);
    started.push(options);
    let snapshot: Snapshot = options.snapshot;
    return {
      listening: () => [],
      apply: async (next) => {
        calls.push(`apply ${next.version}`);
        snapshot = next;
      },
      status: () => ({
        ready: true,
        draining: false,
        snapshot,
        workers: [{ pid: 7, state: 'ready', startedAt: 1 }],
        workerRestarts: 3,
      }),
      counters: () => new Map([['open a apiServer', 2]]),
      refreshCounters: async () => void calls.push('refreshCounters'),
      connections: async ({ cluster }) => [{ cluster: cluster ?? '' } as ConnectionView],
      reloadCertificate: async () => void calls.push('reloadCertificate'),
      upgrade: async () => void calls.push('upgrade'),
      stop: async (graceMs) => void calls.push(`stop ${graceMs}`),
    };
  };
  return { engine: { name: 'recording', start, run: () => Promise.reject(new Error('not here')) }, calls, started };
}

test('the gateway of a seed is started, changed, read and stopped by the engine it was given', async () => {
  const { engine, calls, started } = recordingEngine();
  const options = { seed: 'west', addresses: ['192.0.2.1'], workers: 2, log: silentLog };
  const gateway = new SeedGateway({ ...options, start: engine.start, changed: () => {} });
  assert.deepEqual([gateway.healthy, gateway.isStarting, gateway.restarts, gateway.workers()], [false, true, 0, []]);
  const first = { ...sampleSnapshot({}), version: 'v1' };
  await gateway.apply(first);
  await gateway.apply(first);
  await gateway.apply({ ...first, version: 'v2' });
  assert.deepEqual(
    started.map(({ addresses, workers }) => ({ addresses, workers })),
    [{ addresses: ['192.0.2.1'], workers: 2 }],
  );
  assert.deepEqual([gateway.healthy, gateway.isStarting, gateway.restarts], [true, false, 3]);
  assert.deepEqual(
    gateway.workers().map(({ pid }) => pid),
    [7],
  );
  assert.equal(gateway.series().get('open a apiServer'), 2);
  assert.deepEqual(await gateway.connections('a'), [{ cluster: 'a' }]);
  await gateway.refresh();
  await gateway.reloadCertificate();
  await gateway.stop();
  assert.deepEqual(calls, ['start v1', 'apply v2', 'refreshCounters', 'reloadCertificate', 'stop 0']);
});

test('a cluster whose port is taken stays a problem while the port is tried again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { engine } = recordingEngine();
  const refuseOwn = ({ clusters }: Snapshot): void => {
    if ('own' in clusters) throw new Error('cannot listen on 192.0.2.1:30001: another program listens there');
  };
  const waiting: (() => void)[] = [];
  const start: GatewayEngine['start'] = async (options) => {
    refuseOwn(options.snapshot);
    const running = await engine.start(options);
    const apply = async (next: Snapshot): Promise<void> => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      refuseOwn(next);
    };
    return { ...running, apply };
  };
  const options = { seed: 'west', addresses: ['192.0.2.1'], workers: 2, log: silentLog };
  const gateway = new SeedGateway({ ...options, start, changed: () => {} });
  const own = sampleCluster('own', { apiServer: sampleRoute({ nodePort: 30_001 }) });
  await gateway.apply(sampleSnapshot({ own, web: sampleCluster('web') }));
  assert.deepEqual([...gateway.clusterProblems.keys()], ['own']);

  t.mock.timers.tick(1000);
  await setImmediate();
  assert.equal(waiting.length, 1, 'it is tried again');
  assert.equal(gateway.healthy, true);
  assert.deepEqual([...gateway.clusterProblems.keys()], ['own']);
  for (const go of waiting) go();
  await gateway.stop();
});
