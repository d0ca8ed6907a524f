import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { until } from '../../../test/support/gateway/until.ts';
import { CausewayError } from '../../core/errors.ts';
import { cluster, everything } from '../testing/manifests.ts';
import { KnownFiles, load, manifestsAmong } from './index.ts';
import { readTree } from './read-tree.ts';

/** A directory with these files that is gone after the test. */
function directory(t: TestContext, files: Record<string, string | Uint8Array> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'causeway-read-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}
const paths = async (root: string): Promise<string[]> => (await readTree(root)).files.map(({ path }) => path);
const problems = async (root: string): Promise<string[]> =>
  (await readTree(root)).findings.map(
    ({ code, position }) => `${code} ${position?.file}:${position?.line}:${position?.column}`,
  );

test('reads all YAML below a directory, sorted, and nothing else', async (t) => {
  const root = directory(t, {
    'b.yaml': '',
    'a.yml': '',
    'sub/deep/c.YAML': '',
    'readme.md': '',
    '.hidden.yaml': '',
    '.git/x.yaml': '',
    'node_modules/x.yaml': '',
    'secrets/kubeconfig.yaml': '',
    'causeway.lock.yaml': '',
  });
  assert.deepEqual(await paths(root), ['a.yml', 'b.yaml', 'causeway.lock.yaml', 'sub/deep/c.YAML']);
});

test('leaves out what .causewayignore names, also when it cannot be read', async (t) => {
  const root = directory(t, {
    '.causewayignore': '# not ours\n/flux/\n*.tmp.yaml\n!keep.tmp.yaml\nbroken.yaml\n',
    'a.yaml': '',
    'flux/x.yaml': '',
    'sub/flux/y.yaml': '',
    'z.tmp.yaml': '',
    'keep.tmp.yaml': '',
    'sub/.causewayignore': '/only-here.yaml\n',
    'sub/only-here.yaml': '',
    'only-here.yaml': '',
  });
  symlinkSync('nowhere', join(root, 'broken.yaml'));
  assert.deepEqual(await readTree(root), {
    root,
    files: ['a.yaml', 'keep.tmp.yaml', 'only-here.yaml', 'sub/flux/y.yaml'].map((path) => ({ path, text: '' })),
    findings: [],
  });
});

test('leaves out a directory that render wrote, but not the one that was named', async (t) => {
  const root = directory(t, {
    '.causeway-render.json': '{}',
    'a.yaml': '',
    'out/.causeway-render.json': '{}',
    'out/firewall/policy.yaml': '',
    'sub/b.yaml': '',
  });
  assert.deepEqual(await paths(root), ['a.yaml', 'sub/b.yaml']);
});

test('of files that are not on disk those are chosen that would be read', async (t) => {
  const steps = fc.constantFrom('a', 'secrets', 'node_modules', '.git', 'out', 'flux');
  const names = fc.constantFrom(
    'x.yaml',
    'y.YML',
    'z.txt',
    '.causewayignore',
    '.causeway-render.json',
    'causeway.lock.yaml',
  );
  const file = fc.tuple(fc.array(steps, { maxLength: 3 }), names).map(([above, name]) => [...above, name].join('/'));
  const rules = fc.constantFrom('', 'flux\n', '/a/x.yaml\n!a\n', '*.yaml\n!x.yaml\n', 'out/\n');
  const root = directory(t);
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(file, { maxLength: 12 }), rules, async (files, text) => {
      rmSync(root, { recursive: true, force: true });
      mkdirSync(root);
      for (const path of files) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      }
      assert.deepEqual(manifestsAmong(files, () => text).sort(), (await paths(root)).sort());
    }),
    { numRuns: 100 },
  );
});

test('follows links to files and directories', async (t) => {
  const outside = directory(t, { 'x.yaml': '', 'dir/y.yaml': '' });
  const root = directory(t);
  symlinkSync(join(outside, 'x.yaml'), join(root, 'link.yaml'));
  symlinkSync(join(outside, 'dir'), join(root, 'linked'));
  assert.deepEqual(await paths(root), ['link.yaml', 'linked/y.yaml']);
});

test('tells links that lead in a circle, and links to nothing', async (t) => {
  const root = directory(t, { 'sub/a.yaml': '' });
  symlinkSync('..', join(root, 'sub/up'));
  symlinkSync('self', join(root, 'self'));
  symlinkSync('nowhere', join(root, 'gone.yaml'));
  symlinkSync('nowhere', join(root, 'not-yaml'));
  assert.deepEqual(await problems(root), [
    'CW-FILE-UNREADABLE gone.yaml:1:1',
    'CW-FILE-UNREADABLE self:1:1',
    'CW-FILE-LOOP sub/up:1:1',
  ]);
});

test('links that double at every level do not take for ever', async (t) => {
  const root = directory(t, { 'd30/a.yaml': '' });
  for (let i = 0; i < 30; i++) {
    mkdirSync(join(root, `d${i}`));
    for (const name of ['x', 'y']) symlinkSync(join('..', `d${i + 1}`), join(root, `d${i}`, name));
  }
  assert.equal((await readTree(root)).files.length, 1);
});

test('tells a file and a directory that the user may not read', async (t) => {
  const root = directory(t, { 'a.yaml': '', 'sub/b.yaml': '' });
  chmodSync(join(root, 'a.yaml'), 0);
  chmodSync(join(root, 'sub'), 0);
  chmodSync(root, 0o755);
  const found = asNobody(() => problems(root));
  assert.deepEqual(await found, ['CW-FILE-UNREADABLE a.yaml:1:1', 'CW-FILE-UNREADABLE sub:1:1']);
});

/** Root may read everything, so the (synchronous) reading is done as somebody else. */
function asNobody<Output>(act: () => Output): Output {
  if (process.geteuid?.() !== 0) return act();
  process.seteuid?.(65534);
  try {
    return act();
  } finally {
    process.seteuid?.(0);
  }
}

test('tells a pipe that is called like a manifest, without waiting for it', async (t) => {
  const root = directory(t);
  execFileSync('mkfifo', [join(root, 'a.yaml')]);
  assert.deepEqual(await problems(root), ['CW-FILE-UNREADABLE a.yaml:1:1']);
});

test('tells a file beyond 64 MiB without reading it', async (t) => {
  const root = directory(t, { 'a.yaml': '' });
  truncateSync(join(root, 'a.yaml'), 64 * 1024 * 1024 + 1);
  assert.deepEqual(await problems(root), ['CW-FILE-TOO-LARGE a.yaml:1:1']);
  assert.deepEqual(await problems(join(root, 'a.yaml')), ['CW-FILE-TOO-LARGE a.yaml:1:1']);
});

const encodings: readonly (readonly [name: string, bytes: number[], place: string | undefined])[] = [
  ['Latin-1', [0x61, 0x0a, 0x62, 0x3a, 0x20, 0xe9, 0x0a], '2:4'],
  ['a character that is cut off', [0x61, 0x3a, 0x20, 0xe2, 0x82], '1:4'],
  ['a bad byte after other letters', [0xc3, 0xa9, 0xff], '1:2'],
  ['UTF-16', [0xff, 0xfe, 0x61, 0x00], '1:1'],
  ['a byte order mark', [0xef, 0xbb, 0xbf, 0x61], undefined],
];
for (const [name, bytes, place] of encodings) {
  test(`${place === undefined ? 'reads' : 'refuses'} ${name}`, async (t) => {
    const root = directory(t, { 'a.yaml': Uint8Array.from(bytes) });
    const expected = place === undefined ? [] : [`CW-FILE-ENCODING a.yaml:${place}`];
    assert.deepEqual(await problems(root), expected);
    if (place === undefined) assert.equal((await readTree(root)).files[0]?.text, 'a');
  });
}

test('what is named but missing, a device or below a file is an error with the usage exit code', async (t) => {
  const root = directory(t, { 'a.yaml': '' });
  for (const path of [join(root, 'nope'), '/dev/null', join(root, 'a.yaml/x')]) {
    await assert.rejects(readTree(path), (error) => {
      assert.ok(
        error instanceof CausewayError && error.exitCode === 2 && error.message.startsWith(path),
        String(error),
      );
      return error.fix !== '';
    });
  }
});

test('an empty directory is a finding', async (t) => {
  const { findings, model } = await load(directory(t));
  assert.deepEqual(
    findings.map(({ code }) => code),
    ['CW-EMPTY'],
  );
  assert.equal(model, undefined);
});

test('one file is read with the lock beside it', async (t) => {
  const root = directory(t, {
    'all.yaml': everything.join('---\n'),
    'other.yaml': 'x: 1',
    'causeway.lock.yaml': 'broken: [',
  });
  const { findings, documents, root: base } = await load(join(root, 'all.yaml'));
  assert.equal(documents.length, 5);
  assert.equal(base, root);
  assert.deepEqual(
    findings.map(({ code, position }) => `${code} ${position?.file}`),
    ['CW-LOCK-INVALID causeway.lock.yaml'],
  );
});

test('standard input is read as one file', async () => {
  async function* input() {
    yield Buffer.from(everything.join('---\n'));
    yield Buffer.from(`---\n${cluster('é'.repeat(3))}`);
  }
  const { files, root } = await readTree('-', { input: input() });
  assert.equal(root, '');
  assert.deepEqual(
    files.map(({ path, text }) => [path, text.includes('ééé')]),
    [['<stdin>', true]],
  );
});

test('an unreadable file keeps references to what it may hold from counting as dangling', async (t) => {
  const root = directory(t, { 'a.yaml': cluster() });
  symlinkSync('nowhere', join(root, 'b.yaml'));
  assert.deepEqual(
    (await load(root)).findings.map(({ code }) => code),
    ['CW-FILE-UNREADABLE'],
  );
});

test('a file that has not changed is not read again, and one that has is', async (t) => {
  const root = directory(t, { 'a.yaml': 'a', 'b.yaml': 'b' });
  await settled(root, 'b.yaml');
  const known = new KnownFiles();
  const [before, again] = [await readTree(root, { known }), await readTree(root, { known })];
  assert.equal(again.files[0], before.files[0]);
  writeFileSync(join(root, 'b.yaml'), 'c');
  const [a, b] = (await readTree(root, { known })).files;
  assert.equal(a, before.files[0]);
  assert.equal(b?.text, 'c');
  writeFileSync(join(root, 'b.yaml'), 'd');
  assert.equal((await readTree(root, { known })).files[1]?.text, 'd');
  rmSync(join(root, 'a.yaml'));
  assert.deepEqual(
    (await readTree(root, { known })).files.map(({ path }) => path),
    ['b.yaml'],
  );
});

/** Until the file system's clock tells changes apart. */
const settled = (root: string, name: string): Promise<void> =>
  until(() => Date.now() - statSync(join(root, name)).ctimeMs > 1000);
