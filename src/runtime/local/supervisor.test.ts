import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { childrenOf } from '../../../test/support/child-process.ts';
import { freePort } from '../../../test/support/gateway/ports.ts';
import { until } from '../../../test/support/gateway/until.ts';
import { readFacts } from './procfs.ts';
import { component, observed, scratch, supervisorIn, untilHealthy } from './testing/supervisor.ts';

/** What has ended and was not asked for its last words yet does not. */
const lives = (pid = 0): boolean => !'ZX'.includes(readFacts(pid)?.state ?? 'X');
const words = (file: string): string[] => readFileSync(file, 'utf8').trim().split('\n');

test('a component starts after those it needs answer, and ends before them', async (t) => {
  const directory = scratch(t);
  const journal = path.join(directory, 'journal');
  const supervisor = supervisorIn(t, directory);
  supervisor.apply('cluster/shop', [
    await component('scheduler', { journal }, { needs: ['apiserver'] }),
    await component('apiserver', { journal }, { needs: ['etcd'] }),
    await component('etcd', { journal }),
  ]);
  await untilHealthy(supervisor, 'scheduler', 'apiserver', 'etcd');
  await supervisor.stop();
  assert.deepEqual(words(journal), [
    ...['start etcd', 'start apiserver', 'start scheduler'],
    ...['end scheduler', 'end apiserver', 'end etcd'],
  ]);
});

test('what waits says what for', async (t) => {
  const supervisor = supervisorIn(t, scratch(t));
  supervisor.apply('cluster/shop', [
    await component('etcd', { exit: 1 }),
    await component('apiserver', {}, { needs: ['etcd'] }),
  ]);
  await until(() => observed(supervisor, 'etcd').restarts > 1);
  const { phase, why, next } = observed(supervisor, 'apiserver');
  assert.deepEqual([phase, why, next], ['waiting', 'it waits for etcd', 'it starts when etcd is there']);
  supervisor.apply('cluster/shop', [await component('etcd'), await component('apiserver', {}, { needs: ['etcd'] })]);
  await untilHealthy(supervisor, 'apiserver');
});

test('who waits by itself starts together with what it waits for, and still ends before it', async (t) => {
  const directory = scratch(t);
  const journal = path.join(directory, 'journal');
  const supervisor = supervisorIn(t, directory);
  supervisor.apply('cluster/shop', [
    await component('apiserver', { journal }, { after: ['etcd'] }),
    { ...(await component('etcd', { journal })), probe: { kind: 'tcp', host: '127.0.0.1', port: await freePort() } },
  ]);
  await untilHealthy(supervisor, 'apiserver');
  await until(() => words(journal).length === 2);
  assert.equal(observed(supervisor, 'etcd').healthy, false);
  await supervisor.stop();
  assert.deepEqual(words(journal).slice(2), ['end apiserver', 'end etcd']);
});

test('what answers no says which check fails, and keeps nobody waiting', async (t) => {
  const directory = scratch(t);
  const readiness = path.join(directory, 'readiness');
  writeFileSync(readiness, 'no');
  const supervisor = supervisorIn(t, directory);
  supervisor.apply('cluster/shop', [
    await component('etcd', { readiness }),
    await component('apiserver', {}, { needs: ['etcd'] }),
  ]);
  await untilHealthy(supervisor, 'apiserver');
  assert.match(observed(supervisor, 'etcd').why ?? '', /answers 500: store not ready/);
  writeFileSync(readiness, 'ready');
  await untilHealthy(supervisor, 'etcd');
  writeFileSync(readiness, 'no');
  await until(() => observed(supervisor, 'etcd').phase === 'unhealthy');
  assert.equal(observed(supervisor, 'apiserver').phase, 'healthy', 'what runs goes on');
});

test('a killed component comes back, with what it had started itself gone', async (t) => {
  const supervisor = supervisorIn(t, scratch(t), { firstRestartMs: 1500, maxRestartMs: 1500 });
  supervisor.apply('cluster/shop', [await component('etcd', { startsChild: true })]);
  await untilHealthy(supervisor, 'etcd');
  const { pid = 0 } = observed(supervisor, 'etcd');
  const [grandchild = 0] = childrenOf(pid);
  assert.ok(lives(grandchild));
  process.kill(pid, 'SIGKILL');
  await until(() => observed(supervisor, 'etcd').phase === 'restarting');
  assert.match(observed(supervisor, 'etcd').why ?? '', /killed \(SIGKILL\)/);
  await untilHealthy(supervisor, 'etcd');
  assert.notEqual(observed(supervisor, 'etcd').pid, pid);
  assert.ok(!lives(pid) && !lives(grandchild));
});

test('what cannot run is tried less and less often, and says when', async (t) => {
  const supervisor = supervisorIn(t, scratch(t), { firstRestartMs: 20, maxRestartMs: 60_000 });
  supervisor.apply('cluster/shop', [await component('etcd', { exit: 3, says: 'my data is broken' })]);
  const phases = new Set<string>();
  supervisor.onChange(() => phases.add(supervisor.look()[0]?.phase ?? 'gone'));
  await until(() => observed(supervisor, 'etcd').restarts >= 5);
  const { why, next } = observed(supervisor, 'etcd');
  assert.equal(why, 'it ended (exit code 3) and said last: my data is broken');
  assert.match(next ?? '', /^it is tried again in \d+ s$/);
  // The first pause was the fiftieth part of a second.
  await until(() => /in ([2-9]|\d\d+) s$/.test(observed(supervisor, 'etcd').next ?? ''), 30_000);
  // They are told every tenth of a second at most, so they hear of a pause that is long enough.
  await until(() => phases.has('restarting'));
  const began = performance.now();
  await supervisor.stop();
  assert.ok(performance.now() - began < 5000, 'a pause does not hold up the end');
});

test('only what has changed is restarted, and files that are read again are not a change', async (t) => {
  const directory = scratch(t);
  const file = path.join(directory, 'files', 'certificate');
  const supervisor = supervisorIn(t, directory);
  const etcd = await component('etcd');
  const withFile = (text: string, reloads: boolean) => ({ ...etcd, files: [{ path: file, text, reloads }] });
  const other = await component('apiserver', {}, { needs: ['etcd'] });
  supervisor.apply('cluster/shop', [withFile('one', true), other]);
  await untilHealthy(supervisor, 'etcd', 'apiserver');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const before = supervisor.look().map(({ pid }) => pid);
  supervisor.apply('cluster/shop', [withFile('two', true), other]);
  assert.equal(readFileSync(file, 'utf8'), 'two');
  supervisor.apply('cluster/shop', [withFile('three', false), other]);
  await until(() => observed(supervisor, 'etcd').pid !== before[0] && observed(supervisor, 'etcd').healthy);
  assert.equal(readFileSync(file, 'utf8'), 'three');
  assert.deepEqual(supervisor.look()[1]?.pid, before[1], 'its neighbour goes on');
  assert.equal(observed(supervisor, 'etcd').restarts, 0, 'a change is no failure');
});

test('a change of two is rolled: the second one goes on until the first one works again', async (t) => {
  const directory = scratch(t);
  const [journal, readiness] = [path.join(directory, 'journal'), path.join(directory, 'readiness')];
  writeFileSync(readiness, 'ready');
  const supervisor = supervisorIn(t, directory);
  const [etcd, apiserver] = [
    await component('etcd', { journal, readiness }),
    await component('apiserver', { journal }, { needs: ['etcd'] }),
  ];
  supervisor.apply('cluster/shop', [apiserver, etcd]);
  await untilHealthy(supervisor, 'etcd', 'apiserver');
  const { pid } = observed(supervisor, 'apiserver');
  writeFileSync(readiness, 'no');
  supervisor.apply(
    'cluster/shop',
    [apiserver, etcd].map((spec) => ({ ...spec, env: { VERSION: '2' } })),
  );
  await until(() => /500/.test(observed(supervisor, 'etcd').why ?? ''));
  assert.equal(observed(supervisor, 'apiserver').pid, pid);
  writeFileSync(readiness, 'ready');
  await until(() => words(journal).length === 6);
  await untilHealthy(supervisor, 'apiserver');
  assert.deepEqual(words(journal).slice(2), ['end etcd', 'start etcd', 'end apiserver', 'start apiserver']);
});

test('what is not in the list any more ends; other scopes are not touched', async (t) => {
  const supervisor = supervisorIn(t, scratch(t));
  const [etcd, apiserver] = [await component('etcd'), await component('apiserver')];
  supervisor.apply('cluster/shop', [etcd, apiserver]);
  supervisor.apply('cluster/blog', [await component('blog', {}, { scope: 'cluster/blog' })]);
  await untilHealthy(supervisor, 'etcd', 'apiserver', 'blog');
  const [first, second, third] = supervisor.look().map(({ pid }) => pid);
  supervisor.apply('cluster/shop', [etcd]);
  await until(() => supervisor.look().length === 2);
  assert.deepEqual([lives(first), lives(second), lives(third)], [true, false, true]);
  supervisor.apply('cluster/shop', [etcd, apiserver]);
  await untilHealthy(supervisor, 'apiserver');
  await supervisor.remove('cluster/shop');
  assert.deepEqual(
    supervisor.look().map(({ name }) => name),
    ['blog'],
  );
  assert.ok(!lives(first) && lives(third));
});

test('what does not end when asked is ended', async (t) => {
  const supervisor = supervisorIn(t, scratch(t));
  supervisor.apply('cluster/shop', [
    await component('etcd', { ignoresTerm: true, startsChild: true }, { stopMs: 100 }),
  ]);
  await untilHealthy(supervisor, 'etcd');
  const { pid = 0 } = observed(supervisor, 'etcd');
  const all = [pid, ...childrenOf(pid)];
  await supervisor.stop();
  assert.deepEqual([all.length, all.filter(lives)], [2, []]);
});

test('a component gets a small environment, and figures are shown', async (t) => {
  process.env.HTTPS_PROXY = 'http://user:secret@proxy.example:3128';
  t.after(() => delete process.env.HTTPS_PROXY);
  const supervisor = supervisorIn(t, scratch(t));
  const spec = await component('etcd', {}, { env: { ETCD_NAME: 'shop' } });
  supervisor.apply('cluster/shop', [spec]);
  await untilHealthy(supervisor, 'etcd');
  const { url } = spec.probe as { url: string };
  const env = (await (await fetch(url.replace('readyz', 'env'))).json()) as Record<string, string>;
  const names = ['CAUSEWAY_COMPONENT', 'ETCD_NAME', 'HOME', 'LANG', 'PATH', 'TZ'];
  assert.deepEqual(
    Object.keys(env).filter((name) => !names.includes(name)),
    [],
  );
  assert.equal(env.ETCD_NAME, 'shop');
  await until(() => observed(supervisor, 'etcd').memoryBytes !== undefined);
  const { memoryBytes = 0, cpuSeconds = 0 } = observed(supervisor, 'etcd');
  assert.ok(memoryBytes > 10e6 && memoryBytes < 500e6, `${memoryBytes} bytes`);
  assert.ok(cpuSeconds > 0 && cpuSeconds < 60, `${cpuSeconds} s`);
});

test('what a component says does not fill the disk while it runs', async (t) => {
  const supervisor = supervisorIn(t, scratch(t));
  supervisor.apply('cluster/shop', [await component('etcd', { says: 'hello' })]);
  await untilHealthy(supervisor, 'etcd');
  const { logFile = '', pid } = observed(supervisor, 'etcd');
  appendFileSync(logFile, `${'x'.repeat(99)}\n`.repeat(120_000));
  await until(() => statSync(logFile).size === 0);
  assert.match(readFileSync(`${logFile}.1`, 'utf8'), /^hello\n/m);
  await untilHealthy(supervisor, 'etcd');
  assert.equal(observed(supervisor, 'etcd').pid, pid);
});

test('a program that goes away and comes back is missed, said, and used again', async (t) => {
  const directory = scratch(t);
  const file = path.join(directory, 'program');
  const supervisor = supervisorIn(t, directory);
  supervisor.apply('cluster/shop', [await component('etcd', {}, { program: { file } })]);
  await until(() => observed(supervisor, 'etcd').phase === 'restarting');
  assert.equal(observed(supervisor, 'etcd').why, `the program ${file} is not there`);
  writeFileSync(file, `#!/bin/sh\nexec ${process.execPath} "$@"\n`, { mode: 0o600 });
  await until(() => observed(supervisor, 'etcd').why === `the program ${file} may not be run`);
  assert.match(observed(supervisor, 'etcd').next ?? '', /^make it executable: chmod \+x .*; it is tried again/);
  chmodSync(file, 0o700);
  await untilHealthy(supervisor, 'etcd');
});

test('a scope stands still while its data is changed, and goes on by what is wanted then', async (t) => {
  const supervisor = supervisorIn(t, scratch(t));
  const spec = await component('etcd');
  supervisor.apply('cluster/shop', [spec]);
  await untilHealthy(supervisor, 'etcd');
  const { pid } = observed(supervisor, 'etcd');
  const answer = await supervisor.whileStopped('cluster/shop', async () => {
    supervisor.apply('cluster/shop', [{ ...spec, env: { NEW: '1' } }]);
    return [lives(pid), supervisor.look().length];
  });
  assert.deepEqual(answer, [false, 0]);
  await untilHealthy(supervisor, 'etcd');
  const failing = supervisor.whileStopped('cluster/shop', () => Promise.reject(new Error('no')));
  await assert.rejects(failing, /no/);
  await untilHealthy(supervisor, 'etcd');
});
