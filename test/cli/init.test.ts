import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { manifestsOf, templateNames } from '../../src/cli/init/templates.ts';
import { reviewPath } from '../../src/cli/pipeline.ts';
import { loadFiles } from '../../src/model/load/index.ts';
import { review } from '../../src/plan/review.ts';
import { causeway, scratch } from '../support/cli.ts';

test('the help names every template there is', () => {
  const named = ['air-gapped', 'aws', 'azure', 'behind-proxy', 'local', 'openstack', 'vsphere'];
  assert.deepEqual(templateNames(), named);
  const help = causeway(['init', '--help']).stdout;
  for (const name of named) assert.match(help, new RegExp(`\\b${name}\\b`));
});

for (const template of templateNames()) {
  test(`${template} gives manifests without a finding and without a waiver`, async (t) => {
    const dir = path.join(scratch(t), 'new');
    const { code, stdout, stderr } = causeway(['init', '--template', template, dir]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /next: causeway validate/);
    const { planned, findings } = await reviewPath(dir);
    assert.deepEqual(findings, []);
    assert.equal(planned?.model.platform.spec.waivers, undefined);
    assert.ok((planned?.plan.flows.length ?? 0) > 0);
  });

  test(`${template} has no finding with another domain and name either, and leaves no placeholder`, () => {
    const answers = { domain: 'k8s.acme.example', name: 'acme' };
    const files = manifestsOf(template, answers, 'schema.json');
    const { planned, findings } = review(loadFiles(files), '2026-11-16');
    assert.deepEqual(findings, []);
    assert.deepEqual(planned?.plan.platform, answers);
    for (const { text } of files) assert.doesNotMatch(text, /\{\{|kubermatic\.example\.com/);
  });
}

test('domain and name come from flags', (t) => {
  const dir = scratch(t);
  causeway(['init', '-t', 'local', '--domain', 'k8s.acme.example', '--name', 'acme', dir]);
  assert.match(
    readFileSync(path.join(dir, 'platform.yaml'), 'utf8'),
    /name: acme\nspec:\n {2}domain: k8s\.acme\.example\n/,
  );
});

test('every manifest points its editor at a schema that is there', (t) => {
  const dir = scratch(t);
  causeway(['init', '--template', 'vsphere', dir]);
  for (const file of globSync(`${dir}/**/*.yaml`)) {
    const [, schema = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(readFileSync(file, 'utf8')) ?? [];
    assert.ok(existsSync(path.resolve(path.dirname(file), schema)), `${file}: ${schema}`);
  }
});

test('replaces no file without --force', (t) => {
  const dir = scratch(t);
  const file = path.join(dir, 'platform.yaml');
  writeFileSync(file, 'mine\n');
  const refused = causeway(['init', '--template', 'local', dir]);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /platform\.yaml would be replaced/);
  assert.equal(readFileSync(file, 'utf8'), 'mine\n');
  assert.deepEqual(
    globSync('**', { cwd: dir }).filter((name) => name !== '.' && name !== ''),
    ['platform.yaml'],
  );
  assert.equal(causeway(['init', '--template', 'local', '--force', dir]).code, 0);
  assert.match(readFileSync(file, 'utf8'), /kind: Platform/);
});

test('asks nothing where there is no terminal, and names the flag instead', (t) => {
  const dir = scratch(t);
  const { code, stderr } = causeway(['init', dir]);
  assert.equal(code, 2);
  assert.match(stderr, /--template/);
  assert.deepEqual(globSync(`${dir}/*`), []);
});

test('refuses a template, a domain or a name that cannot be', (t) => {
  const dir = scratch(t);
  assert.match(causeway(['init', '--template', 'vspere', dir]).stderr, /did you mean vsphere\?/);
  assert.match(causeway(['init', '-t', 'local', '--domain', 'no_domain!', dir]).stderr, /CW-CLI-DOMAIN/);
  assert.match(causeway(['init', '-t', 'local', '--name', 'Big', dir]).stderr, /CW-CLI-NAME/);
  assert.deepEqual(globSync(`${dir}/*`), []);
});
