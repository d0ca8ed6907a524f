// The gateways of a platform as processes beside it: the same is said of them, and nothing of them stays.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scratch } from '../../../test/support/cli.ts';
import { plainBackend } from '../../../test/support/gateway/backends.ts';
import { accepts, tcp } from '../../../test/support/gateway/clients.ts';
import { freePort } from '../../../test/support/gateway/ports.ts';
import { until } from '../../../test/support/gateway/until.ts';
import type { SnapshotCluster } from '../../gateway/index.ts';
import type { Plan } from '../../plan/schema/index.ts';
import { createLocalRuntime } from '../../runtime/local/index.ts';
import { isRunning } from '../../sys/is-running.ts';
import { silentLog } from '../../sys/log.ts';
import { Gateways } from './gateways.ts';

function planOf(clusters: Record<string, SnapshotCluster>): Plan {
  const gateway = {
    version: '1',
    seed: 'west',
    listeners: { nodePortRange: '1024-65535' },
    tunnel: { name: 'tunnel.example.com', authentication: 'none' },
    trustedBalancers: [],
    clusters,
  };
  const places = { 'seed/west/gateway': { networks: ['127.0.0.1/32'] } };
  return { gateway: { west: gateway }, places } as unknown as Plan;
}

const clusterAt = (target: string, nodePort: number): SnapshotCluster => ({
  apiServer: { nodePort, backends: [target] },
  konnectivity: { backends: [target] },
  idleTimeout: '1h',
});

const facts = {
  ...{ upstreams: new Map(), tokenAuthorities: new Map() },
  revocations: () => ({}),
  isServed: () => true,
};

test('a gateway in a process of its own says which cluster lost its port, serves the others, and is found again when it is replaced or killed', async (t) => {
  const backend = await plainBackend('api');
  t.after(() => backend.stop());
  const runtime = createLocalRuntime({ directory: scratch(t) });
  const state = await runtime.open();
  t.after(async () => {
    state.events.close();
    await state.close();
  });
  const driver = runtime.driver({ log: silentLog, changed: () => {} });
  t.after(() => driver.stop());
  const gateways = new Gateways({ runtime, workers: 1, log: silentLog, changed: () => {} });
  t.after(() => gateways.stop());
  const refreshing = setInterval(() => void gateways.refresh(), 200);
  t.after(() => clearInterval(refreshing));
  const port = await freePort();
  const plan = planOf({ shop: clusterAt(backend.target, port), lost: clusterAt(backend.target, backend.port) });
  await gateways.reconcile(plan, facts);

  const gateway = gateways.of('west') ?? assert.fail();
  const observed = () => runtime.ownComponents([gateway.observe()], 0)[1] ?? assert.fail();
  assert.deepEqual(
    [gateway.problem, gateway.healthy, [...gateway.clusterProblems.keys()]],
    [undefined, true, ['lost']],
  );
  assert.match(gateway.clusterProblems.get('lost')?.message ?? '', /another program listens there$/);
  assert.equal(await accepts({ host: '127.0.0.1', port }), true);
  assert.deepEqual(driver.look(), [], 'it is shown twice');
  const { pid = 0, logFile, memoryBytes = 0 } = observed();
  assert.ok(pid !== process.pid && isRunning(pid));
  assert.match(logFile, /gateways\/west\/logs\/gateway\.log$/);
  assert.ok(memoryBytes > 1024 * 1024);
  assert.match((await driver.tail({ scope: 'platform', name: 'gateway-west' }, 100)).join('\n'), /snapshot in force/);

  const talk = await tcp({ host: '127.0.0.1', port });
  assert.match(await talk.line(), /^api/);
  assert.equal((await gateways.connections('shop')).length, 1);
  // As somebody may do who has edited the sources.
  process.kill(pid, 'SIGUSR2');
  await until(() => observed().healthy && observed().pid !== pid, 60_000);
  assert.deepEqual([observed().restarts, isRunning(pid)], [0, true]);
  assert.equal(await talk.echo('handed over'), 'handed over');
  const next = observed().pid ?? 0;
  process.kill(next, 'SIGKILL');
  await until(() => observed().healthy && observed().pid !== next, 60_000);
  assert.equal(observed().restarts, 1);
  assert.equal(await talk.echo('still here'), 'still here');
  assert.equal(await accepts({ host: '127.0.0.1', port }), true);

  const pids = [pid, observed().pid ?? 0, ...gateway.workers().map((worker) => worker.pid)];
  assert.equal(pids.length, 3);
  talk.close();
  await gateways.stop();
  await until(() => !pids.some(isRunning));
  assert.equal(await accepts({ host: '127.0.0.1', port }), false);
});
