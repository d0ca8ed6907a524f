import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf } from '../../../test/support/child-process.ts';
import { until } from '../../../test/support/gateway/until.ts';
import type { ComponentSpec } from '../../control-plane/component.ts';
import { readFacts } from './procfs.ts';
import { component, driverIn, observed, scratch, untilHealthy } from './testing/supervisor.ts';
import { startDriver } from './testing/supervisor-process.ts';

const lives = (pid = 0): boolean => !'ZX'.includes(readFacts(pid)?.state ?? 'X');

/** What a driver started that was killed when all of it worked. */
async function leftBehind(t: TestContext, directory: string, specs: ComponentSpec[]): Promise<Map<string, number>> {
  const driver = startDriver(t, directory, specs);
  const seen = driver.look;
  await until(() => seen().length === specs.length && seen().every(({ healthy }) => healthy), 30_000);
  const pids = new Map(seen().map(({ name, pid = 0 }) => [name, pid]));
  t.after(() => {
    for (const pid of pids.values()) if (lives(pid)) process.kill(-pid, 'SIGKILL');
  });
  await driver.kill('SIGKILL');
  return pids;
}

test('components outlive a killed driver, and the next one goes on with the same processes', async (t) => {
  const directory = scratch(t);
  const specs = [await component('etcd'), await component('apiserver', { startsChild: true }, { needs: ['etcd'] })];
  const pids = await leftBehind(t, directory, specs);
  // As if it had been killed while a log was moved.
  process.kill(pids.get('etcd') ?? 0, 'SIGSTOP');
  const driver = driverIn(t, directory);
  driver.apply('cluster/shop', specs);
  await untilHealthy(driver, 'etcd', 'apiserver');
  assert.deepEqual(new Map(driver.look().map(({ name, pid }) => [name, pid])), pids);
  process.kill(pids.get('etcd') ?? 0, 'SIGKILL');
  await until(() => observed(driver, 'etcd').restarts === 1);
  await untilHealthy(driver, 'etcd');
  assert.notEqual(observed(driver, 'etcd').pid, pids.get('etcd'), 'an adopted one is supervised too');
  await driver.stop();
  assert.deepEqual([...pids.values()].filter(lives), []);
});

test('what is left of another description, or does not answer any more, is ended before the new one starts', async (t) => {
  const directory = scratch(t);
  const [diary, readiness] = [path.join(directory, 'diary'), path.join(directory, 'readiness')];
  writeFileSync(readiness, 'ready');
  const specs = [await component('etcd', { diary }), await component('apiserver', { diary, readiness })];
  const pids = await leftBehind(t, directory, specs);
  writeFileSync(readiness, 'silent');
  const [etcd, apiserver] = specs as [ComponentSpec, ComponentSpec];
  const driver = driverIn(t, directory);
  driver.apply('cluster/shop', [{ ...etcd, env: { NEW: '1' } }, apiserver]);
  await until(() => [...pids.values()].every((pid) => !lives(pid)), 30_000);
  writeFileSync(readiness, 'ready');
  await untilHealthy(driver, 'etcd', 'apiserver');
  const entries = readFileSync(diary, 'utf8').trim().split('\n');
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
  const driver = driverIn(t, directory);
  driver.apply('cluster/shop', specs);
  await until(() => observed(driver, 'agent').phase === 'unhealthy');
  assert.match(observed(driver, 'agent').why ?? '', /answers 500/);
  writeFileSync(readiness, 'ready');
  await untilHealthy(driver, 'agent');
  assert.equal(observed(driver, 'agent').pid, pids.get('agent'));
});

test('what misses one question goes on, too', async (t) => {
  const directory = scratch(t);
  const readiness = path.join(directory, 'readiness');
  writeFileSync(readiness, 'ready');
  const specs = [await component('etcd', { readiness })];
  const pids = await leftBehind(t, directory, specs);
  writeFileSync(readiness, 'silent');
  const driver = driverIn(t, directory);
  driver.apply('cluster/shop', specs);
  await sleep(4000);
  writeFileSync(readiness, 'ready');
  await untilHealthy(driver, 'etcd');
  assert.equal(observed(driver, 'etcd').pid, pids.get('etcd'));
});

test('what nobody wants any more is ended, and only that', async (t) => {
  const directory = scratch(t);
  const elsewhere = scratch(t);
  const specs = [await component('etcd'), await component('apiserver')];
  const pids = await leftBehind(t, directory, specs);
  const others = await leftBehind(t, elsewhere, [await component('etcd')]);
  const driver = driverIn(t, directory, { claim: 100 });
  driver.apply('cluster/shop', specs.slice(0, 1));
  await untilHealthy(driver, 'etcd');
  await until(() => !lives(pids.get('apiserver')));
  assert.ok(lives(pids.get('etcd')), 'what is wanted stays');
  assert.ok(lives(others.get('etcd')), 'another platform is not touched');
  await driver.stop();
  const later = driverIn(t, elsewhere, { claim: 100 });
  await until(() => !lives(others.get('etcd')));
  assert.deepEqual(later.look(), []);
});

test('a scope that is to stand still has nothing left of before, although nobody has claimed it yet', async (t) => {
  const directory = scratch(t);
  const specs = [await component('etcd')];
  const pids = await leftBehind(t, directory, specs);
  const driver = driverIn(t, directory);
  const etcd = (): boolean => lives(pids.get('etcd'));
  assert.equal(await driver.whileStopped('cluster/sho', async () => etcd()), true, 'of another scope');
  assert.equal(await driver.whileStopped('cluster/shop', async () => etcd()), false);
});

test('what a component started is ended when both it and its driver were killed', async (t) => {
  const directory = scratch(t);
  const specs = [await component('etcd', { startsChild: true })];
  const pids = await leftBehind(t, directory, specs);
  const pid = pids.get('etcd') ?? 0;
  const [grandchild = 0] = childrenOf(pid);
  process.kill(pid, 'SIGKILL');
  assert.ok(lives(grandchild));
  const driver = driverIn(t, directory);
  await until(() => !lives(grandchild));
  driver.apply('cluster/shop', specs);
  await untilHealthy(driver, 'etcd');
});
