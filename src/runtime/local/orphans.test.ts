import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf } from '../../../test/support/child-process.ts';
import { until } from '../../../test/support/gateway/until.ts';
import type { ComponentSpec } from '../../control-plane/index.ts';
import { readFacts } from './procfs.ts';
import { component, observed, scratch, supervisorIn, untilHealthy } from './testing/supervisor.ts';
import { startSupervisor } from './testing/supervisor-process.ts';

const lives = (pid = 0): boolean => !'ZX'.includes(readFacts(pid)?.state ?? 'X');

/** What a supervisor started that was killed when all of it worked. */
async function leftBehind(t: TestContext, directory: string, specs: ComponentSpec[]): Promise<Map<string, number>> {
  const supervisor = startSupervisor(t, directory, specs);
  const seen = supervisor.look;
  await until(() => seen().length === specs.length && seen().every(({ healthy }) => healthy), 30_000);
  const pids = new Map(seen().map(({ name, pid = 0 }) => [name, pid]));
  t.after(() => {
    for (const pid of pids.values()) if (lives(pid)) process.kill(-pid, 'SIGKILL');
  });
  await supervisor.kill('SIGKILL');
  return pids;
}

test('components outlive a killed supervisor, and the next one goes on with the same processes', async (t) => {
  const directory = scratch(t);
  const specs = [await component('etcd'), await component('apiserver', { startsChild: true }, { needs: ['etcd'] })];
  const pids = await leftBehind(t, directory, specs);
  // As if it had been killed while a log was moved.
  process.kill(pids.get('etcd') ?? 0, 'SIGSTOP');
  const supervisor = supervisorIn(t, directory);
  supervisor.apply('cluster/shop', specs);
  await untilHealthy(supervisor, 'etcd', 'apiserver');
  assert.deepEqual(new Map(supervisor.look().map(({ name, pid }) => [name, pid])), pids);
  process.kill(pids.get('etcd') ?? 0, 'SIGKILL');
  await until(() => observed(supervisor, 'etcd').restarts === 1);
  await untilHealthy(supervisor, 'etcd');
  assert.notEqual(observed(supervisor, 'etcd').pid, pids.get('etcd'), 'an adopted one is supervised too');
  await supervisor.stop();
  assert.deepEqual([...pids.values()].filter(lives), []);
});

test('what is left of another description, or does not answer any more, is ended before the new one starts', async (t) => {
  const directory = scratch(t);
  const [journal, readiness] = [path.join(directory, 'journal'), path.join(directory, 'readiness')];
  writeFileSync(readiness, 'ready');
  const specs = [await component('etcd', { journal }), await component('apiserver', { journal, readiness })];
  const pids = await leftBehind(t, directory, specs);
  writeFileSync(readiness, 'silent');
  const [etcd, apiserver] = specs as [ComponentSpec, ComponentSpec];
  const supervisor = supervisorIn(t, directory);
  supervisor.apply('cluster/shop', [{ ...etcd, env: { NEW: '1' } }, apiserver]);
  await until(() => [...pids.values()].every((pid) => !lives(pid)), 30_000);
  writeFileSync(readiness, 'ready');
  await untilHealthy(supervisor, 'etcd', 'apiserver');
  const entries = readFileSync(journal, 'utf8').trim().split('\n');
  for (const name of ['etcd', 'apiserver']) {
    const own = entries.filter((entry) => entry.endsWith(` ${name}`)).map((entry) => entry.split(' ')[0]);
    assert.deepEqual(own, ['start', 'end', 'start'], name);
  }
});

test('what answers that it does not work yet goes on: what it misses may be us', async (t) => {
  const directory = scratch(t);
  const readiness = path.join(directory, 'readiness');
  writeFileSync(readiness, 'ready');
  const specs = [await component('agent', { readiness })];
  const pids = await leftBehind(t, directory, specs);
  writeFileSync(readiness, 'no');
  const supervisor = supervisorIn(t, directory);
  supervisor.apply('cluster/shop', specs);
  await until(() => observed(supervisor, 'agent').phase === 'unhealthy');
  assert.match(observed(supervisor, 'agent').why ?? '', /answers 500/);
  writeFileSync(readiness, 'ready');
  await untilHealthy(supervisor, 'agent');
  assert.equal(observed(supervisor, 'agent').pid, pids.get('agent'));
});

test('what misses one question goes on, too', async (t) => {
  const directory = scratch(t);
  const readiness = path.join(directory, 'readiness');
  writeFileSync(readiness, 'ready');
  const specs = [await component('etcd', { readiness })];
  const pids = await leftBehind(t, directory, specs);
  writeFileSync(readiness, 'silent');
  const supervisor = supervisorIn(t, directory);
  supervisor.apply('cluster/shop', specs);
  await sleep(4000);
  writeFileSync(readiness, 'ready');
  await untilHealthy(supervisor, 'etcd');
  assert.equal(observed(supervisor, 'etcd').pid, pids.get('etcd'));
});

test('what nobody wants any more is ended, and only that', async (t) => {
  const directory = scratch(t);
  const elsewhere = scratch(t);
  const specs = [await component('etcd'), await component('apiserver')];
  const pids = await leftBehind(t, directory, specs);
  const others = await leftBehind(t, elsewhere, [await component('etcd')]);
  const supervisor = supervisorIn(t, directory, { adoptMs: 100 });
  supervisor.apply('cluster/shop', specs.slice(0, 1));
  await untilHealthy(supervisor, 'etcd');
  await until(() => !lives(pids.get('apiserver')));
  assert.ok(lives(pids.get('etcd')), 'what is wanted stays');
  assert.ok(lives(others.get('etcd')), 'another platform is not touched');
  await supervisor.stop();
  const later = supervisorIn(t, elsewhere, { adoptMs: 100 });
  await until(() => !lives(others.get('etcd')));
  assert.deepEqual(later.look(), []);
});

test('a scope that is to stand still has nothing left of before, although nobody has claimed it yet', async (t) => {
  const directory = scratch(t);
  const specs = [await component('etcd')];
  const pids = await leftBehind(t, directory, specs);
  const supervisor = supervisorIn(t, directory);
  const etcd = (): boolean => lives(pids.get('etcd'));
  assert.equal(await supervisor.whileStopped('cluster/sho', async () => etcd()), true, 'of another scope');
  assert.equal(await supervisor.whileStopped('cluster/shop', async () => etcd()), false);
});

test('what a component started is ended when both it and its supervisor were killed', async (t) => {
  const directory = scratch(t);
  const specs = [await component('etcd', { startsChild: true })];
  const pids = await leftBehind(t, directory, specs);
  const pid = pids.get('etcd') ?? 0;
  const [grandchild = 0] = childrenOf(pid);
  process.kill(pid, 'SIGKILL');
  assert.ok(lives(grandchild));
  const supervisor = supervisorIn(t, directory);
  await until(() => !lives(grandchild));
  supervisor.apply('cluster/shop', specs);
  await untilHealthy(supervisor, 'etcd');
});
