import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { causeway, copyOf, edit, exampleDir } from '../support/cli.ts';

const nothing = /^Nothing changes/;

function git(cwd: string, ...args: string[]): void {
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...identity, ...args], { cwd, stdio: 'pipe' });
}

const commitAll = (cwd: string, message: string): void => {
  git(cwd, 'add', '.');
  git(cwd, 'commit', '-qm', message);
};

test('a directory does not differ from itself', () => {
  const { code, stdout } = causeway(['diff', exampleDir('vsphere'), exampleDir('vsphere')]);
  assert.equal(code, 0);
  assert.match(stdout, nothing);
});

test('a new strategy asks for what it needs, and lets the old be closed', (t) => {
  const dir = copyOf(t, 'vsphere');
  edit(path.join(dir, 'platform.yaml'), 'exposeStrategy: Tunneling', 'exposeStrategy: NodePort');
  const { code, stdout } = causeway(['diff', exampleDir('vsphere'), dir]);
  assert.equal(code, 0);
  assert.match(stdout, /Ask the firewall team to open\n[\s\S]*\+ users .*30000-32767/);
  assert.match(stdout, /The firewall team may close\n[\s\S]*- users .*6443/);
  const back = causeway(['diff', dir, exampleDir('vsphere')]).stdout;
  assert.match(back, /The firewall team may close\n[\s\S]*- users .*30000-32767/);
});

test('formats for a pull request and for programs', (t) => {
  const dir = copyOf(t, 'vsphere');
  edit(path.join(dir, 'clusters/shop.yaml'), 'name: shop', 'name: store');
  const { teams } = JSON.parse(causeway(['diff', exampleDir('vsphere'), dir, '-o', 'json']).stdout) as {
    teams: { team: string }[];
  };
  assert.deepEqual(
    teams.map(({ team }) => team),
    ['firewall', 'dns', 'certificates', 'allow-list', 'addresses'],
  );
  assert.match(causeway(['diff', exampleDir('vsphere'), dir, '-o', 'md']).stdout, /^### /m);
});

test('a revision is read as a directory is, without what is ignored, secret or beside rendered files', (t) => {
  const dir = copyOf(t, 'vsphere');
  git(dir, 'init', '-q');
  assert.equal(causeway(['render', '.', '--out', 'out'], { cwd: dir }).code, 0);
  // None of these is a manifest of the directory, so none is one of the revision.
  for (const place of ['out', 'secrets', 'charts']) {
    mkdirSync(path.join(dir, place), { recursive: true });
    cpSync(path.join(dir, 'clusters/shop.yaml'), path.join(dir, place, 'shop.yaml'));
    edit(path.join(dir, place, 'shop.yaml'), 'name: shop', `name: ${place}`);
  }
  writeFileSync(path.join(dir, '.causewayignore'), 'charts/\n');
  commitAll(dir, 'with its output');
  const { code, stdout, stderr } = causeway(['diff', 'HEAD', '.'], { cwd: dir });
  assert.equal(code, 0, stderr);
  assert.match(stdout, nothing);
});

test('without a directory, a revision is read by the same rule as a directory: its top, or platform', (t) => {
  const dir = copyOf(t, 'vsphere');
  const repository = path.dirname(dir);
  renameSync(dir, path.join(repository, 'platform'));
  cpSync(exampleDir('local'), path.join(repository, 'other'), { recursive: true });
  git(repository, 'init', '-q');
  commitAll(repository, 'first');
  const { code, stdout, stderr } = causeway(['diff', 'HEAD', 'platform'], { cwd: repository });
  assert.equal(code, 0, stderr);
  assert.match(stdout, nothing);
});

test('two revisions of a repository, with the manifests at its top or below', (t) => {
  const dir = copyOf(t, 'vsphere');
  const repository = path.dirname(dir);
  git(repository, 'init', '-q');
  commitAll(repository, 'first');
  edit(path.join(dir, 'platform.yaml'), 'exposeStrategy: Tunneling', 'exposeStrategy: NodePort');
  commitAll(repository, 'second');

  const below = causeway(['diff', 'HEAD~1', 'HEAD', '--dir', 'vsphere'], { cwd: repository });
  assert.equal(below.code, 0, below.stderr);
  assert.match(below.stdout, /Ask the firewall team to open/);
  const named = causeway(['diff', 'HEAD~1:vsphere', 'HEAD:vsphere'], { cwd: repository });
  assert.equal(named.stdout, below.stdout);
  const workTree = causeway(['diff', 'HEAD:vsphere', 'vsphere'], { cwd: repository });
  assert.match(workTree.stdout, nothing);
  const empty = causeway(['diff', 'HEAD:elsewhere', 'vsphere'], { cwd: repository });
  assert.equal(empty.code, 2);
  assert.match(empty.stderr, /CW-DIFF-EMPTY/);
});

test('something that is neither a directory nor a revision is refused', (t) => {
  const dir = copyOf(t, 'local');
  const { code, stderr } = causeway(['diff', 'no-such-thing', dir], { cwd: dir });
  assert.equal(code, 2);
  assert.match(stderr, /no-such-thing/);
});

test('manifests that cannot be planned are told, not compared', (t) => {
  const dir = copyOf(t, 'local');
  edit(path.join(dir, 'platform.yaml'), 'kind: Platform', 'kind: Platfrom');
  const { code, stdout, stderr } = causeway(['diff', exampleDir('local'), dir]);
  assert.equal(code, 3);
  assert.equal(stdout, '');
  assert.match(stderr, /Did you mean Platform\?/);
});
