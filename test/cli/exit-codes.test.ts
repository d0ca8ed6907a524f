import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { causeway, copyOf, edit, exampleDir, scratch } from '../support/cli.ts';

test('0: manifests without a finding', () => {
  const { code, stdout, stderr } = causeway(['validate', exampleDir('vsphere')]);
  assert.equal(code, 0, stdout + stderr);
});

test('2: a directory that is not there', () => {
  const { code, stderr } = causeway(['validate', '/no/such/directory']);
  assert.equal(code, 2);
  assert.match(stderr, /\/no\/such\/directory/);
  assert.match(stderr, /fix: /);
});

for (const [what, ...args] of [
  ['an unknown command', 'valdiate'],
  ['an unknown option', 'validate', '--fast', '.'],
  ['an unknown format', 'plan', '-o', 'xml', '.'],
  ['a missing argument', 'explain'],
] as const) {
  test(`2: ${what}`, () => {
    const { code, stdout, stderr } = causeway(args);
    assert.equal(code, 2);
    assert.equal(stdout, '');
    assert.match(stderr, /error: /);
  });
}

test('3: an error, with file, line and column, the field, and what would be right', (t) => {
  const dir = copyOf(t, 'local');
  const file = path.join(dir, 'clusters/tunneling.yaml');
  edit(file, 'kubernetesVersion:', 'kubernetesVersio:');
  const { code, stdout } = causeway(['validate', dir]);
  assert.equal(code, 3);
  assert.match(stdout, /clusters\/tunneling\.yaml:\d+:\d+/);
  assert.match(stdout, /CW-FIELD-UNKNOWN/);
  assert.match(stdout, /[Dd]id you mean kubernetesVersion\?/);
});

test('4: warnings only', (t) => {
  const dir = copyOf(t, 'local');
  edit(path.join(dir, 'clusters/tunneling.yaml'), /kubernetesVersion: \S+/, 'kubernetesVersion: 1.20.0');
  const { code, stdout } = causeway(['validate', dir]);
  assert.equal(code, 4, stdout);
  assert.match(stdout, /CW-VERSION-UNSUPPORTED/);
});

test('an empty directory is an error that names the way out', (t) => {
  const { code, stdout, stderr } = causeway(['validate', scratch(t)]);
  assert.equal(code, 3);
  assert.match(stdout + stderr, /CW-EMPTY[\s\S]*causeway init/);
});

test('standard input is read with -', () => {
  const all = globSync(`${exampleDir('local')}/**/*.yaml`).sort();
  const input = all.map((file) => readFileSync(file, 'utf8')).join('\n---\n');
  const { code, stdout, stderr } = causeway(['validate', '-'], { input });
  assert.equal(code, 0, stdout + stderr);
  const broken = causeway(['validate', '-'], { input: input.replace('kind: Seed', 'kind: Sead') });
  assert.equal(broken.code, 3);
  assert.match(broken.stdout, /Did you mean Seed\?/);
});

test('one file is enough when it holds everything', (t) => {
  const file = path.join(scratch(t), 'all.yaml');
  const all = globSync(`${exampleDir('local')}/**/*.yaml`).sort();
  writeFileSync(file, all.map((name) => readFileSync(name, 'utf8')).join('\n---\n'));
  assert.equal(causeway(['validate', file]).code, 0);
});

test('findings in formats for programs', (t) => {
  const dir = copyOf(t, 'local');
  edit(path.join(dir, 'clusters/tunneling.yaml'), 'kubernetesVersion:', 'kubernetesVersio:');
  const sarif = JSON.parse(causeway(['validate', dir, '-o', 'sarif']).stdout) as { version: string };
  assert.equal(sarif.version, '2.1.0');
  const json = causeway(['validate', dir, '-o', 'json']);
  assert.equal(json.code, 3);
  assert.match(JSON.stringify(JSON.parse(json.stdout)), /CW-FIELD-UNKNOWN/);
  assert.match(causeway(['validate', dir, '-o', 'github']).stdout, /^::error file=/m);
});
