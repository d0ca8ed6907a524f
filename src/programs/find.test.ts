import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { programs } from './catalogue/index.ts';
import { thisPlatform } from './catalogue/program.ts';
import { bundleDirectory } from './config.ts';
import { tells } from './find.ts';
import { needPrograms, readOrder } from './need-programs.ts';
import { sandbox, script } from './testing/sandbox.ts';

const version = (told: string): string => `echo 'Client Version: v${told}'`;

test('a directory that the user names wins over PATH and cache', async (t) => {
  const { root, bin, cache, options } = sandbox(t);
  const named = script(path.join(root, 'mine'), 'kubectl', version('1.36.3'));
  script(bin, 'kubectl', version('1.36.3'));
  const cached = bundleDirectory(path.join(cache, 'programs'), programs.kubectl, '1.36.3', thisPlatform);
  script(cached, 'kubectl', version('1.36.3'));
  const { kubectl } = await needPrograms(['kubectl'], { ...options, dir: path.join(root, 'mine') });
  assert.equal(kubectl, named);
});

test('the directory may come from CAUSEWAY_PROGRAMS and may be a copy of a cache', async (t) => {
  const { root, options, env } = sandbox(t);
  const named = path.join(root, 'mine');
  const old = script(bundleDirectory(named, programs.kubectl, '1.36.1', thisPlatform), 'kubectl', version('1.36.1'));
  const plain = script(named, 'kubectl', version('1.36.3'));
  const found = await needPrograms(['kubectl@1.36.1', 'kubectl'], {
    ...options,
    env: { ...env, CAUSEWAY_PROGRAMS: named },
  });
  assert.deepEqual(found, { 'kubectl@1.36.1': old, kubectl: plain });
});

test('another version in the named directory is used, and said', async (t) => {
  const { root, options, notes } = sandbox(t);
  const named = script(path.join(root, 'mine'), 'kubectl', version('1.30.0'));
  const { kubectl } = await needPrograms(['kubectl'], { ...options, dir: path.join(root, 'mine') });
  assert.equal(kubectl, named);
  assert.match(notes.join(), /which says "Client Version: v1\.30\.0", although 1\.36\.3 is wanted/);
});

test('a program on PATH is used when it has the version', async (t) => {
  const { bin, options } = sandbox(t);
  const onPath = script(bin, 'kubectl', version('1.36.3'));
  assert.deepEqual(await needPrograms(['kubectl'], options), { kubectl: onPath });
});

test('a program on PATH with another version is not used, and that is said once', async (t) => {
  const { root, bin, options, env, notes } = sandbox(t);
  script(bin, 'kubectl', version('1.36.30'));
  symlinkSync(bin, path.join(root, 'linked'));
  env.PATH = `${bin}:${path.join(root, 'linked')}`;
  await assert.rejects(needPrograms(['kubectl'], options), { name: 'CausewayError' });
  assert.deepEqual(notes, [
    `${bin}/kubectl is not used, because it says "Client Version: v1.36.30" and 1.36.3 is wanted.`,
  ]);
});

test('a program that does not tell its version is not taken from PATH', async (t) => {
  const { bin, options, notes } = sandbox(t);
  script(bin, 'proxy-agent', 'exit 0');
  await assert.rejects(needPrograms(['konnectivity-agent'], options), { name: 'CausewayError' });
  assert.match(notes.join(), /proxy-agent is not used, because it does not tell its version/);
});

test('a version is told exactly, not as a part of another one', () => {
  const number = fc.nat({ max: 99 });
  fc.assert(
    fc.property(number, number, number, (major, minor, patch) => {
      const wanted = `${major}.${minor}.${patch}`;
      assert.ok(tells(`program version: v${wanted}`, wanted));
      assert.ok(tells(`version: 6eb0d2d9/${wanted}/Clean/RELEASE`, wanted));
      for (const other of [`1${wanted}`, `${wanted}0`, `${wanted}.1`, `0.${wanted}`, `${wanted}-rc.1`]) {
        assert.ok(!tells(`version: ${other}`, wanted), other);
      }
    }),
  );
});

test('an order names a program and may name a version', () => {
  assert.equal(readOrder('etcd').version, '3.7.3');
  assert.equal(readOrder('kubectl@v1.36.1').version, '1.36.1');
});

test('an unknown program is refused with the name that was probably meant', () => {
  assert.throws(() => readOrder('kubctl'), { code: 'CW-PROGRAM-UNKNOWN', fix: 'did you mean kubectl?' });
  assert.throws(() => readOrder('constructor'), { code: 'CW-PROGRAM-UNKNOWN' });
});

test('what is no version is refused before anything is asked for', () => {
  for (const version of ['', 'latest', '1.36', '../../etc', '1.36.3/..']) {
    assert.throws(() => readOrder(`kubectl@${version}`), { code: 'CW-PROGRAM-VERSION' }, version);
  }
});
