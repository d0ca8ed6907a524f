import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/gateway/until.ts';
import { silentLog } from '../../net/log.ts';
import { goCpu, goOs, thisPlatform } from '../../programs/platform.ts';
import { sandbox, script, serve } from '../../programs/testing/sandbox.ts';
import { createProcessDriver } from './process-driver.ts';
import { createProgramShelf } from './program-shelf.ts';
import { component, observed, scratch, shortPace, untilHealthy } from './testing/stand.ts';

test('what is on the machine is there at once, while the rest is got one after the other', async (t) => {
  const asked: (() => void)[] = [];
  // Nobody gets an answer before we say so.
  const hold = (_: unknown, response: { writeHead(status: number): { end(): void } }): void =>
    void asked.push(() => response.writeHead(404).end());
  const machine = `${goOs(thisPlatform)}-${goCpu(thisPlatform)}`;
  const release = `/kubernetes-sigs/kwok/releases/download/v0.8.0/kwok-${machine}`;
  const { origin } = await serve(t, { [release]: hold, '/api/repos/kubernetes-sigs/kwok/releases/tags/v0.8.0': hold });
  const { bin, options } = sandbox(t, origin);
  script(bin, 'etcd', 'echo etcd Version: 3.7.3');
  let told = 0;
  const onProgress = (): void => {
    told += 1;
  };
  const shelf = createProgramShelf({ log: silentLog, programs: { ...options, patience: {} }, onProgress });
  const kwok = assert.rejects(shelf.path({ name: 'kwok' }));
  const envoy = assert.rejects(shelf.path({ name: 'envoy' }));
  await until(() => asked.length > 0);
  assert.equal(await shelf.path({ name: 'etcd' }), `${bin}/etcd`);
  const doing = shelf.getting().map(({ name, doing: what }) => `${name}: ${what}`);
  assert.equal(doing[1], 'envoy 1.39.3: waiting for its turn');
  assert.match(doing[0] ?? '', /^kwok 0\.8\.0: (?!waiting)/);
  const answering = setInterval(() => asked.shift()?.(), 5);
  await Promise.all([kwok, envoy]);
  clearInterval(answering);
  assert.deepEqual(shelf.getting(), []);
  assert.ok(told >= 4, 'listeners hear of it');
});

test('a program that cannot be had is said with what to do, and others go on', async (t) => {
  const { options } = sandbox(t);
  const driver = createProcessDriver({ directory: scratch(t), log: silentLog, programs: options, pace: shortPace });
  t.after(() => driver.stop());
  const lacking = await component('kwok', {}, { program: { name: 'kwok' } });
  driver.apply('cluster/shop', [lacking, await component('etcd')]);
  await untilHealthy(driver, 'etcd');
  await until(() => observed(driver, 'kwok').phase === 'restarting');
  const { why, next, version } = observed(driver, 'kwok');
  assert.match(why ?? '', /^kwok 0\.8\.0 cannot be had: /);
  assert.match(next ?? '', /CAUSEWAY_PROGRAMS; it is tried again in \d+ s$/);
  assert.equal(version, '0.8.0');
});
