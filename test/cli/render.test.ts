import assert from 'node:assert/strict';
import { appendFileSync, cpSync, existsSync, globSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { artefacts } from '../../src/render/index.ts';
import { causeway, causewayLater, copyOf, edit, exampleDir, scratch } from '../support/cli.ts';
import { controlledSample } from '../support/controlled-sample.ts';
import { until } from '../support/gateway/until.ts';

const filesIn = (dir: string): string[] => globSync(`${dir}/**/*`, { withFileTypes: false }).sort();

test('what was rendered is up to date, until somebody edits it', (t) => {
  const out = path.join(scratch(t), 'out');
  const render = (...flags: string[]) => causeway(['render', exampleDir('vsphere'), '--out', out, ...flags]);
  const first = render();
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /^wrote /m);
  assert.equal(render('--check').code, 0);
  const again = render();
  assert.doesNotMatch(again.stdout, /^wrote /m);

  const [wrote = ''] = [...first.stdout.matchAll(/^wrote (.*)$/gm)].map(([, file = '']) => file);
  appendFileSync(path.join(out, wrote), '\nedited\n');
  const drift = render('--check');
  assert.equal(drift.code, 3);
  assert.ok(drift.stdout.includes(wrote));
  assert.match(readFileSync(path.join(out, wrote), 'utf8'), /edited/);
  assert.equal(render().code, 2);
  assert.equal(render('--force').code, 0);
  assert.equal(render('--check').code, 0);
});

test('--check tells what a change of the manifests would change, and writes nothing', (t) => {
  const dir = copyOf(t, 'vsphere');
  const out = path.join(scratch(t), 'out');
  assert.equal(causeway(['render', dir, '--out', out]).code, 0);
  edit(path.join(dir, 'clusters/shop.yaml'), 'name: shop', 'name: store');
  const before = filesIn(out).map((file) => `${file}`);
  const { code, stdout } = causeway(['render', dir, '--out', out, '--check']);
  assert.equal(code, 3);
  assert.notEqual(stdout, '');
  assert.deepEqual(filesIn(out), before);
});

test('a file that is gone is drift too', (t) => {
  const out = path.join(scratch(t), 'out');
  const { stdout } = causeway(['render', exampleDir('local'), '--out', out]);
  const [, wrote = ''] = /^wrote (.*)$/m.exec(stdout) ?? [];
  rmSync(path.join(out, wrote));
  assert.equal(causeway(['render', exampleDir('local'), '--out', out, '--check']).code, 3);
});

test('--only writes the named artefacts, and knows every name', (t) => {
  const [all, one, out] = ['all', 'one', 'none'].map((name) => path.join(scratch(t), name)) as [string, string, string];
  const everything = artefacts.flatMap(({ name }) => ['--only', name]);
  assert.equal(causeway(['render', exampleDir('vsphere'), '--out', all, ...everything]).code, 0);
  assert.equal(causeway(['render', exampleDir('vsphere'), '--out', one, '--only', 'firewall']).code, 0);
  assert.ok(filesIn(one).length > 0 && filesIn(one).length < filesIn(all).length);
  const { code, stderr } = causeway(['render', exampleDir('vsphere'), '--out', out, '--only', 'firewal']);
  assert.equal(code, 2);
  assert.match(stderr, /Did you mean firewall\?/i);
  assert.ok(!existsSync(out));
});

test('errors hold everything back but the checklist, which shows what is open', (t) => {
  const dir = copyOf(t, 'vsphere');
  edit(path.join(dir, 'pools/management.yaml'), /ranges: .*/, 'ranges: [10.30.0.11-10.30.0.12]');
  const out = path.join(scratch(t), 'out');
  const held = causeway(['render', dir, '--out', out]);
  assert.equal(held.code, 3);
  assert.ok(!existsSync(out));
  causeway(['render', dir, '--out', out, '--only', 'checklist']);
  assert.ok(existsSync(out));
});

test('what is rendered below the manifests is not read as manifests', (t) => {
  const dir = copyOf(t, 'local');
  const before = causeway(['plan', '-o', 'json'], { cwd: dir });
  assert.equal(causeway(['render', '.', '--out', 'out'], { cwd: dir }).code, 0);
  assert.ok(globSync(`${dir}/out/**/*.yaml`).length > 0, 'nothing was rendered that could be taken for manifests');
  const after = causeway(['validate', '.'], { cwd: dir });
  assert.equal(after.code, 0, after.stdout);
  assert.equal(causeway(['plan', '-o', 'json'], { cwd: dir }).stdout, before.stdout);
  assert.equal(causeway(['render', '.', '--out', 'out', '--check'], { cwd: dir }).code, 0);
});

test('a running platform is not changed by what is rendered below its manifests', async (t) => {
  const { platform, directory } = await controlledSample(t);
  const { code, stderr } = await causewayLater(['render', '.', '--out', 'out'], { cwd: directory });
  assert.equal(code, 0, stderr);
  edit(path.join(directory, 'clusters/tunneling.yaml'), /kubernetesVersion: \S+/, 'kubernetesVersion: 1.36.1');
  const version = (): string | undefined =>
    platform.view().model?.clusters.find(({ metadata }) => metadata.name === 'tunneling')?.spec.kubernetesVersion;
  await until(() => version() === '1.36.1' || platform.view().broken);
  assert.deepEqual(platform.view().findings, []);
  assert.equal(version(), '1.36.1');
});

test('refuses an output directory that is the one of the manifests, or above it', (t) => {
  const dir = copyOf(t, 'local');
  symlinkSync(dir, path.join(dir, '../link'));
  const before = filesIn(path.dirname(dir));
  for (const [manifests, out, cwd] of [
    ['.', '.', dir],
    [dir, dir, '/'],
    ['.', '..', dir],
    ['local', '.', path.dirname(dir)],
    ['local', 'link', path.dirname(dir)],
    ['platform.yaml', '.', dir],
  ] as const) {
    const { code, stderr } = causeway(['render', manifests, '--out', out], { cwd });
    assert.equal(code, 2, `${manifests} to ${out}`);
    assert.match(stderr, /CW-RENDER-OUT[\s\S]*fix: choose a directory of its own, as in --out \S*out$/m);
  }
  assert.deepEqual(filesIn(path.dirname(dir)), before);
});

test('refuses an output directory with manifests in it or below it: they would not be read any more', (t) => {
  const dir = copyOf(t, 'local');
  cpSync(path.join(dir, 'clusters'), path.join(dir, 'deep/below'), { recursive: true });
  rmSync(path.join(dir, 'clusters'), { recursive: true });
  symlinkSync(path.join(dir, 'deep'), path.join(dir, '../way'));
  const before = filesIn(path.dirname(dir));
  for (const out of ['seeds', 'deep', 'deep/below', '../way/below']) {
    const { code, stderr } = causeway(['render', '.', '--out', out], { cwd: dir });
    assert.equal(code, 2, out);
    assert.match(stderr, /holds manifests, as \S+\.yaml: .*CW-RENDER-OUT\]\n {2}fix: .* as in --out out$/m, out);
  }
  assert.deepEqual(filesIn(path.dirname(dir)), before);
  assert.equal(causeway(['render', '.', '--out', 'deep/out'], { cwd: dir }).code, 0);
  assert.equal(causeway(['explain', 'Cluster/tunneling'], { cwd: dir }).code, 0);
});
