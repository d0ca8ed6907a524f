import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { goCpu, thisPlatform } from './catalogue/program.ts';
import { isNewEnough, unpackToolchain } from './go-toolchain.ts';
import { needPrograms } from './need-programs.ts';
import { sha256, zip } from './testing/archives.ts';
import { sandbox, script, serve } from './testing/sandbox.ts';

const module = 'golang.org/toolchain@v0.0.1-go1.26.8.linux-amd64';
const files: Record<string, string> = {
  [`${module}/go.env`]: 'GOTOOLCHAIN=auto\n',
  [`${module}/bin/go`]: '#!/bin/sh\n',
};

test('without Go, and without a proxy that has one, the error says to install Go', async (t) => {
  const { options } = sandbox(t);
  await assert.rejects(needPrograms(['konnectivity-agent'], options), {
    code: 'CW-PROGRAM-GO',
    message: /there is no Go 1\.26 on PATH, and 127\.0\.0\.1:1 cannot be reached/,
    fix: /install Go 1\.26 or later/,
  });
});

test('an old Go is passed over, and a toolchain is asked for at the module proxy', async (t) => {
  const { origin, requests } = await serve(t, {});
  const { options, bin } = sandbox(t, origin);
  script(bin, 'go', 'echo go1.19.8');
  await assert.rejects(needPrograms(['konnectivity-agent'], options), { code: 'CW-PROGRAM-GO' });
  const name = `v0.0.1-go1.26.8.${process.platform}-${goCpu(thisPlatform)}`;
  assert.deepEqual(requests, [`GET /goproxy/golang.org/toolchain/@v/${name}.zip`]);
});

test('a toolchain that is not the one we know is not kept', async (t) => {
  const name = `v0.0.1-go1.26.8.${process.platform}-${goCpu(thisPlatform)}`;
  const { origin } = await serve(t, { [`/goproxy/golang.org/toolchain/@v/${name}.zip`]: zip(files) });
  const { options, cache } = sandbox(t, origin);
  await assert.rejects(needPrograms(['konnectivity-agent'], options), { code: 'CW-PROGRAM-CHECKSUM' });
  assert.ok(!existsSync(path.join(cache, 'programs/go/1.26.8', `${process.platform}-${process.arch}`)));
});

test('a toolchain is unpacked when its hash is the one that Go computes', async (t) => {
  const { root } = sandbox(t);
  const archive = path.join(root, 'toolchain.zip');
  writeFileSync(archive, zip(files));
  const names = Object.keys(files).sort();
  const list = names.map((name) => `${sha256(files[name] ?? '')}  ${name}\n`).join('');
  const hash = `h1:${createHash('sha256').update(list).digest('base64')}`;
  await unpackToolchain(archive, 'https://proxy.example/toolchain.zip', hash, path.join(root, 'go'));
  assert.equal(readFileSync(path.join(root, 'go/go.env'), 'utf8'), 'GOTOOLCHAIN=auto\n');
  assert.equal(statSync(path.join(root, 'go/bin/go')).mode & 0o111, 0o111);
});

test('a file that would land outside is refused', async (t) => {
  const { root } = sandbox(t);
  const archive = path.join(root, 'toolchain.zip');
  writeFileSync(archive, zip({ [`${module}/../../evil`]: 'x' }));
  await assert.rejects(unpackToolchain(archive, 'https://proxy.example/x', 'h1:', path.join(root, 'go')), /\.\.\/evil/);
  assert.ok(!existsSync(path.join(root, 'evil')));
});

test('Go 1.26 is new enough, and so is everything after it', () => {
  assert.deepEqual(
    ['1.25.9', '1.26', '1.26.8', '1.27.0', '2.0', '1.9'].filter((version) => isNewEnough(version)),
    ['1.26', '1.26.8', '1.27.0', '2.0'],
  );
});

test('what a module asks for is compared to the patch release', () => {
  assert.deepEqual(
    ['1.26.5', '1.26.6', '1.26', '1.27', '1.26.10'].filter((version) => isNewEnough(version, '1.26.6')),
    [...['1.26.6', '1.27', '1.26.10']],
  );
});
