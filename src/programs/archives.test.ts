import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { tarEntries } from './tar.ts';
import { tarGz, zip } from './testing/archives.ts';
import { sandbox } from './testing/sandbox.ts';
import { zipEntries } from './zip.ts';

test('a tar archive gives its files with normalised names', async (t) => {
  const file = path.join(sandbox(t).root, 'a.tar.gz');
  const long = 'x'.repeat(1000);
  writeFileSync(file, tarGz({ './bridge': 'one', 'bin/ctr': long, empty: '' }));
  const entries = await Array.fromAsync(tarEntries(file));
  assert.deepEqual(
    entries.map(({ name, content }) => [name, content.toString()]),
    [
      ['bridge', 'one'],
      ['bin/ctr', long],
      ['empty', ''],
    ],
  );
});

test('a zip file gives its files, packed or empty', async (t) => {
  const file = path.join(sandbox(t).root, 'a.whl');
  const long = 'y'.repeat(100_000);
  writeFileSync(file, zip({ 'envoy/_bin/envoy': long, 'envoy/empty': '' }));
  const entries = await zipEntries(file);
  assert.deepEqual(await Promise.all(entries.map(async ({ name, content }) => [name, (await content()).toString()])), [
    ['envoy/_bin/envoy', long],
    ['envoy/empty', ''],
  ]);
});

test('what is no zip file is refused', async (t) => {
  const file = path.join(sandbox(t).root, 'a.whl');
  writeFileSync(file, 'a page of a login portal');
  await assert.rejects(zipEntries(file), /is no zip file/);
});
