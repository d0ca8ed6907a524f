// What a machine may lack, made to lack it: a supervisor in a process of its own, on a small disk or without rights.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { until } from '../../../test/support/gateway/until.ts';
import { component, scratch } from './testing/supervisor.ts';
import { startSupervisor } from './testing/supervisor-process.ts';

test('a full disk is said, and what does not need it goes on', async (t) => {
  const directory = scratch(t);
  const way = ['unshare', '-rm', 'sh', '-c', `mount -t tmpfs -o size=64k none ${directory} && exec "$@"`, 'sh'];
  if (spawnSync(way[0] as string, [...way.slice(1), 'true']).status !== 0)
    return t.skip('no file system of its own here');
  const large = { path: path.join(directory, 'large'), text: 'x'.repeat(100_000) };
  const specs = [await component('etcd', {}, { files: [large] }), await component('apiserver')];
  const { look } = startSupervisor(t, directory, specs, way);
  await until(() => look().some(({ name, phase }) => name === 'etcd' && phase === 'restarting'));
  const etcd = look().find(({ name }) => name === 'etcd');
  assert.equal(etcd?.why, 'the disk is full');
  assert.match(etcd?.next ?? '', /^free space where the state directory is; it is tried again in \d+ s$/);
  await until(() => look().some(({ name, healthy }) => name === 'apiserver' && healthy));
});

test('a component that finds the disk full says so in its own words, and we in ours', async (t) => {
  const specs = [
    await component('etcd', {}, { program: { file: '/bin/sh' }, args: ['-c', 'head -c 1 /dev/zero > /dev/full'] }),
  ];
  const { look } = startSupervisor(t, scratch(t), specs);
  await until(() => look()[0]?.why === 'the disk is full');
});

test('a directory of somebody else is said with its name and what to do', async (t) => {
  // Root may do everything, unless it gives that up.
  const way = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : [];
  if (way.length > 0 && spawnSync('setpriv', ['--version']).status !== 0) return t.skip('setpriv is not here');
  const closed = path.join(scratch(t), 'closed');
  mkdirSync(closed);
  chmodSync(closed, 0o500);
  const data = path.join(closed, 'etcd');
  const specs = [await component('etcd', {}, { directories: [data] })];
  const { look } = startSupervisor(t, scratch(t), specs, way);
  await until(() => look()[0]?.why === `it may not use ${data}`);
  assert.match(look()[0]?.next ?? '', /^give .*closed\/etcd to the user who runs this/);
});
