import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { type TestContext } from 'node:test';
import type { RenderedFile } from './artefact.ts';
import { RenderError } from './errors.ts';
import { manifestName } from './write/manifest.ts';
import { writeArtefacts } from './write.ts';

const file = (name: string, text = name, artefact = 'zone'): RenderedFile => ({ path: name, text, artefact });

async function scratch(t: TestContext): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'causeway-render-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return path.join(directory, 'out');
}
const read = (out: string, name: string): Promise<string> => readFile(path.join(out, name), 'utf8');
const listing = async (out: string): Promise<string[]> =>
  (await readdir(out, { recursive: true, withFileTypes: true }))
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(out, path.join(entry.parentPath, entry.name)))
    .sort();
const refused = (problem: string, message: RegExp) => (error: unknown) =>
  error instanceof RenderError && error.problem === problem && message.test(error.message) && error.fix !== '';

test('writes files into directories it makes, and nothing the second time', async (t) => {
  const out = await scratch(t);
  const files = [file('a.txt'), file('deep/er/b.txt')];
  assert.deepEqual((await writeArtefacts(files, out)).written, ['a.txt', 'deep/er/b.txt']);
  assert.equal(await read(out, 'deep/er/b.txt'), 'deep/er/b.txt');
  const again = await writeArtefacts(files, out);
  assert.deepEqual([again.written, again.unchanged], [[], ['a.txt', 'deep/er/b.txt']]);
  assert.deepEqual(await listing(out), [manifestName, 'a.txt', 'deep/er/b.txt']);
});

test('removes a file that is not needed any more, and the directory it leaves empty', async (t) => {
  const out = await scratch(t);
  await writeArtefacts([file('a.txt'), file('old/b.txt')], out);
  const { removed } = await writeArtefacts([file('a.txt')], out);
  assert.deepEqual(removed, ['old/b.txt']);
  assert.deepEqual(await readdir(out), [manifestName, 'a.txt']);
});

test('leaves files of other artefacts alone when only some are rendered', async (t) => {
  const out = await scratch(t);
  await writeArtefacts([file('a.txt', 'a', 'zone'), file('b.txt', 'b', 'squid')], out);
  const result = await writeArtefacts([file('c.txt', 'c', 'zone')], out, { only: ['zone'] });
  assert.deepEqual(result.removed, ['a.txt']);
  assert.deepEqual(await listing(out), [manifestName, 'b.txt', 'c.txt']);
});

test('refuses to overwrite a foreign file, names it, and writes nothing at all', async (t) => {
  const out = await scratch(t);
  await mkdir(out);
  await writeFile(path.join(out, 'b.txt'), 'mine');
  for (const force of [false, true]) {
    await assert.rejects(
      writeArtefacts([file('a.txt'), file('b.txt')], out, { force }),
      refused('conflict', /b\.txt exists already/),
    );
  }
  assert.deepEqual(await listing(out), ['b.txt']);
});

test('adopts a foreign file that has the right content already', async (t) => {
  const out = await scratch(t);
  await mkdir(out);
  await writeFile(path.join(out, 'a.txt'), 'a.txt');
  assert.deepEqual((await writeArtefacts([file('a.txt')], out)).unchanged, ['a.txt']);
  assert.deepEqual((await writeArtefacts([file('a.txt', 'new')], out)).written, ['a.txt']);
});

test('refuses to overwrite or remove what was edited by hand, unless forced', async (t) => {
  const out = await scratch(t);
  await writeArtefacts([file('a.txt'), file('old.txt')], out);
  await writeFile(path.join(out, 'a.txt'), 'edited');
  await writeFile(path.join(out, 'old.txt'), 'edited');
  const next = [file('a.txt', 'new')];
  await assert.rejects(
    writeArtefacts(next, out),
    refused('conflict', /a\.txt was changed by hand.*old\.txt is not needed/),
  );
  assert.equal(await read(out, 'a.txt'), 'edited');
  await writeArtefacts(next, out, { force: true });
  assert.deepEqual(await listing(out), [manifestName, 'a.txt']);
  assert.equal(await read(out, 'a.txt'), 'new');
});

test('check tells what is missing, changed and stale, and touches nothing', async (t) => {
  const out = await scratch(t);
  await writeArtefacts([file('a.txt'), file('old.txt')], out);
  await writeFile(path.join(out, 'a.txt'), 'edited');
  const before = await listing(out);
  const { drift, written } = await writeArtefacts([file('a.txt'), file('b.txt')], out, { check: true });
  const expected = [
    { path: 'a.txt', state: 'changed' },
    { path: 'b.txt', state: 'missing' },
    { path: 'old.txt', state: 'stale' },
  ];
  assert.deepEqual([drift, written], [expected, []]);
  assert.deepEqual(await listing(out), before);
});

test('check finds no drift in what was just written, and makes no directory', async (t) => {
  const out = await scratch(t);
  assert.equal((await writeArtefacts([file('a.txt')], out, { check: true })).drift.length, 1);
  await assert.rejects(readdir(out));
  await writeArtefacts([file('a.txt')], out);
  assert.deepEqual((await writeArtefacts([file('a.txt')], out, { check: true })).drift, []);
});

test('leaves nothing behind when one file cannot be staged', async (t) => {
  const out = await scratch(t);
  const tooLong = 'x'.repeat(250);
  await assert.rejects(
    writeArtefacts([file('a/b.txt'), file(tooLong)], out),
    refused('unwritable', /could not be written/),
  );
  await assert.rejects(readdir(out), { code: 'ENOENT' });
});

test('an output directory that cannot exist is an error with a reason', async (t) => {
  const out = await scratch(t);
  await writeFile(out, 'a file');
  await assert.rejects(
    writeArtefacts([file('a.txt')], path.join(out, 'below')),
    refused('unwritable', /a part of the path is a file/),
  );
  await assert.rejects(writeArtefacts([file('a.txt')], out), refused('unwritable', /a file/));
});

test('does not follow a link out of the directory', async (t) => {
  const out = await scratch(t);
  const elsewhere = `${out}-elsewhere`;
  await mkdir(out);
  await mkdir(elsewhere);
  await symlink(elsewhere, path.join(out, 'dns'));
  await assert.rejects(writeArtefacts([file('dns/zone.db')], out), refused('conflict', /dns is in the way/));
  assert.deepEqual(await readdir(elsewhere), []);
});

test('a directory where a file belongs is named', async (t) => {
  const out = await scratch(t);
  await mkdir(path.join(out, 'a.txt'), { recursive: true });
  await assert.rejects(writeArtefacts([file('a.txt')], out), refused('conflict', /a\.txt is in the way/));
});

test('knows its files again after a run that was cut off half-way', async (t) => {
  const out = await scratch(t);
  await writeArtefacts([file('a.txt', 'one'), file('b.txt', 'one')], out);
  const manifest = JSON.parse(await read(out, manifestName)) as {
    files: Record<string, { sha256: string; previous?: string }>;
  };
  // The manifest of the next run is in place, and only the first of its files.
  const wanted = [file('a.txt', 'two'), file('b.txt', 'two')];
  const other = `${out}-other`;
  await writeArtefacts(wanted, other);
  const next = JSON.parse(await read(other, manifestName)) as typeof manifest;
  for (const [name, entry] of Object.entries(next.files)) entry.previous = manifest.files[name]?.sha256;
  await writeFile(path.join(out, manifestName), JSON.stringify(next));
  await writeFile(path.join(out, 'a.txt'), 'two');
  const third = await writeArtefacts([file('a.txt', 'three'), file('b.txt', 'three')], out);
  assert.deepEqual(third.written, ['a.txt', 'b.txt']);
});

test('refuses a list of files that it cannot read, rather than guessing what is its own', async (t) => {
  const out = await scratch(t);
  await mkdir(out);
  await writeFile(path.join(out, manifestName), '{"files": 1}');
  await assert.rejects(writeArtefacts([file('a.txt')], out), refused('bad-manifest', /is not the list/));
});

test('refuses paths that lead out of the directory', async (t) => {
  const out = await scratch(t);
  for (const name of ['../a', '/etc/a', 'a/../../b', '.', manifestName]) {
    await assert.rejects(writeArtefacts([file(name)], out), refused('bad-path', /has no place/), name);
  }
  await assert.rejects(writeArtefacts([file('a'), file('a')], out), refused('bad-path', /has no place/));
});

test('gives up at once where a directory exists that takes no children', { timeout: 10_000 }, async (t) => {
  if (process.platform !== 'linux') return t.skip('/proc is a matter of Linux');
  await assert.rejects(writeArtefacts([file('a.txt')], '/proc/causeway'), refused('unwritable', /\/proc\/causeway/));
});
