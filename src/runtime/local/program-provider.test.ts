import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../test/support/gateway/until.ts';
import { goCpu, goOs, platformName, thisPlatform } from '../../programs/catalogue/index.ts';
import { sandbox, script, scriptText, serve } from '../../programs/testing/sandbox.ts';
import { silentLog } from '../../sys/log.ts';
import { createProgramProvider } from './program-provider.ts';
import { createSupervisor } from './supervisor.ts';
import { component, observed, scratch, shortRestartPolicy, untilHealthy } from './testing/supervisor.ts';

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
  const provider = createProgramProvider({ log: silentLog, programs: { ...options, timeouts: {} }, onProgress });
  const kwok = assert.rejects(provider.path({ name: 'kwok' }));
  const envoy = assert.rejects(provider.path({ name: 'envoy' }));
  await until(() => asked.length > 0);
  assert.equal(await provider.path({ name: 'etcd' }), `${bin}/etcd`);
  const doing = provider.getting().map(({ name, doing: what }) => `${name}: ${what}`);
  assert.equal(doing[1], 'envoy 1.39.3: waiting for its turn');
  assert.match(doing[0] ?? '', /^kwok 0\.8\.0: (?!waiting)/);
  const answering = setInterval(() => asked.shift()?.(), 5);
  await Promise.all([kwok, envoy]);
  clearInterval(answering);
  assert.deepEqual(provider.getting(), []);
  assert.ok(told >= 4, 'listeners hear of it');
});

test('a program that cannot be had is said with what to do, and others go on', async (t) => {
  const { options } = sandbox(t);
  const supervisor = createSupervisor({
    directory: scratch(t),
    log: silentLog,
    programs: options,
    restartPolicy: shortRestartPolicy,
  });
  t.after(() => supervisor.stop());
  const lacking = await component('kwok', {}, { program: { name: 'kwok' } });
  supervisor.apply('cluster/shop', [lacking, await component('etcd')]);
  await untilHealthy(supervisor, 'etcd');
  await until(() => observed(supervisor, 'kwok').phase === 'restarting');
  const { why, next, version } = observed(supervisor, 'kwok');
  assert.match(why ?? '', /^kwok 0\.8\.0 cannot be had: /);
  assert.match(next ?? '', /CAUSEWAY_PROGRAMS; it is tried again in \d+ s$/);
  assert.equal(version, '0.8.0');
});

test('a version that nobody has is asked for once, and another one starts as soon as it is wanted', async (t) => {
  const { origin, requests } = await serve(t, {});
  const { options, bin } = sandbox(t, origin);
  script(bin, 'kube-scheduler', ...scheduler('1.36.3'));
  script(bin, 'go', `case "$1" in env) echo go1.26.8;; *) echo '{"Error":"unknown revision v1.99.0"}'; exit 1;; esac`);
  const restartPolicy = { ...shortRestartPolicy, firstRestartMs: 5, maxRestartMs: 10 };
  const supervisor = createSupervisor({ directory: scratch(t), log: silentLog, programs: options, restartPolicy });
  t.after(() => supervisor.stop());
  const wanted = (version: string) =>
    component('kube-scheduler', {}, { program: { name: 'kube-scheduler', version } }).then((spec) =>
      supervisor.apply('cluster/shop', [spec]),
    );
  await wanted('1.99.0');
  await until(() => observed(supervisor, 'kube-scheduler').phase === 'failed');
  const asked = requests.length;
  await sleep(300);
  assert.equal(requests.length, asked, 'it is not asked for again and again');
  const { why, next, restarts } = observed(supervisor, 'kube-scheduler');
  assert.match(why ?? '', /^kube-scheduler 1\.99\.0 is no version that can be had: /);
  assert.match(next ?? '', /released version.*; it is tried again in 10 min, or when its manifest changes$/);
  assert.equal(restarts, 0);
  await wanted('1.36.3');
  await untilHealthy(supervisor, 'kube-scheduler');
});

/** Tells its version, and is one of our small components otherwise. */
const scheduler = (version: string): string[] => [
  `if [ "$1" = --version ]; then echo Kubernetes v${version}; else exec "${process.execPath}" "$@"; fi`,
];

test('a cluster starts when its own programs are there, while those of another version are on their way', async (t) => {
  const official = (version: string): string =>
    `/release/v${version}/bin/${goOs(thisPlatform)}/${goCpu(thisPlatform)}/kube-scheduler`;
  const text = (version: string): string => scriptText(...scheduler(version));
  let serveSlow = (): void => {};
  const { origin } = await serve(t, {
    [official('1.36.3')]: text('1.36.3'),
    [`${official('1.36.3')}.sha256`]: hash('sha256', text('1.36.3')),
    [official('1.36.1')]: (_, response) => {
      serveSlow = () => void response.writeHead(200).end(text('1.36.1'));
    },
    [`${official('1.36.1')}.sha256`]: hash('sha256', text('1.36.1')),
  });
  const programs = { ...sandbox(t, origin).options, timeouts: {} };
  const supervisor = createSupervisor({
    directory: scratch(t),
    log: silentLog,
    programs,
    restartPolicy: shortRestartPolicy,
  });
  t.after(() => supervisor.stop());
  const seen = (cluster: string) => supervisor.look().find(({ scope }) => scope === `cluster/${cluster}`);
  for (const [cluster, version] of [
    ['young', '1.36.3'],
    ['old', '1.36.1'],
  ] as const) {
    const program = { name: 'kube-scheduler', version } as const;
    const scope = `cluster/${cluster}` as const;
    supervisor.apply(scope, [await component('kube-scheduler', {}, { program, scope })]);
  }
  await until(() => seen('young')?.healthy === true, 30_000);
  assert.deepEqual([seen('old')?.phase, seen('young')?.version], ['getting', '1.36.3']);
  await until(() => /1\.36\.1 is not here yet: downloading/.test(seen('old')?.why ?? ''));
  serveSlow();
  await until(() => seen('old')?.healthy === true, 30_000);
  assert.equal(seen('old')?.version, '1.36.1');
});

test('what runs goes on while the program of another version cannot be had, and is replaced when it can', async (t) => {
  const { cache, options: programs } = sandbox(t);
  const install = (version: string): string =>
    script(
      path.join(cache, 'programs', 'kubernetes', version, platformName(thisPlatform)),
      'kube-scheduler',
      ...scheduler(version),
    );
  const supervisor = createSupervisor({
    directory: scratch(t),
    log: silentLog,
    programs,
    restartPolicy: shortRestartPolicy,
  });
  t.after(() => supervisor.stop());
  const spec = await component('kube-scheduler');
  const want = (version: string): void =>
    supervisor.apply('cluster/shop', [{ ...spec, program: { name: 'kube-scheduler', version } }]);
  install('1.36.1');
  want('1.36.1');
  await untilHealthy(supervisor, 'kube-scheduler');
  const { pid } = observed(supervisor, 'kube-scheduler');
  want('1.36.3');
  await until(
    () => /^kube-scheduler 1\.36\.3 cannot be had: /.test(observed(supervisor, 'kube-scheduler').why ?? ''),
    30_000,
  );
  const now = observed(supervisor, 'kube-scheduler');
  assert.deepEqual([now.healthy, now.pid, now.version], [true, pid, '1.36.1']);
  assert.match(now.next ?? '', /CAUSEWAY_PROGRAMS/);
  install('1.36.3');
  await until(() => observed(supervisor, 'kube-scheduler').version === '1.36.3', 30_000);
  await untilHealthy(supervisor, 'kube-scheduler');
  assert.equal(observed(supervisor, 'kube-scheduler').why, undefined);
});
