import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { needPrograms } from './need-programs.ts';
import { type Sandbox, sandbox, script, serve } from './testing/sandbox.ts';

const theirs = `module k8s.io/kubernetes

go 1.26.0

require k8s.io/api v0.0.0

replace (
\tk8s.io/api => ./staging/src/k8s.io/api
\tk8s.io/kubectl => ./staging/src/k8s.io/kubectl
)
`;

/** A Go that notes what it was asked for; `build` is what it does when it is to build. */
function fakeGo({ bin, root }: Sandbox, build: string, version = 'go1.26.8'): void {
  writeFileSync(path.join(root, 'their.mod'), theirs);
  script(
    bin,
    'go',
    `case $1 in`,
    `env) echo ${version} ;;`,
    `mod) echo '{"GoMod": "${root}/their.mod"}' ;;`,
    `build) /bin/cp go.mod ${root}/our.mod; printf '%s\\n' "$CGO_ENABLED" "$@" >>${root}/built`,
    `  while [ "$1" != -o ]; do shift; done; target=$2`,
    `  ${build} ;;`,
    `esac`,
  );
}

const makesKubectl = `printf '#!/bin/sh\\necho Client Version: v1.36.3\\n' >"$target"`;

test('without a download, Go builds the program in a module of our own', async (t) => {
  const box = sandbox(t);
  fakeGo(box, `echo k8s.io/api/core/v1 >&2; ${makesKubectl}`);
  const { kubectl } = await needPrograms(['kubectl'], box.options);
  assert.ok(existsSync(kubectl));
  assert.equal(
    readFileSync(path.join(box.root, 'our.mod'), 'utf8'),
    [
      'module causeway.example/build',
      'go 1.26.0',
      'require k8s.io/kubernetes v1.36.3',
      'replace k8s.io/api => k8s.io/api v0.36.3',
      'replace k8s.io/kubectl => k8s.io/kubectl v0.36.3',
      '',
    ].join('\n'),
  );
  const built = readFileSync(path.join(box.root, 'built'), 'utf8');
  assert.match(built, /^0\nbuild\n-v\n-mod=mod\n-trimpath\n/);
  assert.match(built, /-X k8s\.io\/component-base\/version\.gitVersion=v1\.36\.3/);
  assert.match(built, /-X k8s\.io\/component-base\/version\.gitMinor=36/);
  assert.match(built, /\nk8s\.io\/kubernetes\/cmd\/kubectl\n$/);
  assert.match(
    box.notes.join(),
    /kubectl 1\.36\.3: built with Go 1\.26\.8 from k8s\.io\/kubernetes v1\.36\.3 \(sums as in the checksum database of Go\) in /,
  );
});

test('a build that fails says what the compiler said, and leaves nothing', async (t) => {
  const box = sandbox(t);
  fakeGo(box, `echo half >"$target"; echo 'x.go:1:2: undefined: y' >&2; exit 1`);
  await assert.rejects(needPrograms(['kubectl'], box.options), {
    code: 'CW-PROGRAM-FAILED',
    message: /Go could not build k8s\.io\/kubernetes\/cmd\/kubectl v1\.36\.3: x\.go:1:2: undefined: y/,
  });
  const directory = path.join(box.cache, 'programs/kubernetes/1.36.3', `${process.platform}-${process.arch}`);
  assert.ok(existsSync(directory) && !existsSync(path.join(directory, 'kubectl')));
});

test('a full disk is called a full disk', async (t) => {
  const box = sandbox(t);
  fakeGo(box, `echo 'write /tmp/x: no space left on device' >&2; exit 1`);
  await assert.rejects(needPrograms(['kubectl'], box.options), { code: 'CW-PROGRAM-DISK', fix: /CAUSEWAY_CACHE/ });
});

test('a version that neither publisher nor module proxy has is no version', async (t) => {
  const { origin } = await serve(t, {});
  const box = sandbox(t, origin);
  script(
    box.bin,
    'go',
    '[ "$1" != env ] || { echo go1.26.8; exit; }',
    `echo '{"Error": "k8s.io/kubernetes@v1.36.99: invalid version: unknown revision v1.36.99"}'; exit 1`,
  );
  await assert.rejects(needPrograms(['kubectl@1.36.99'], box.options), {
    code: 'CW-PROGRAM-VERSION',
    message: /kubectl 1\.36\.99 is no version that can be had/,
  });
});

test('a module proxy that cannot be reached is no network, and its password stays secret', async (t) => {
  const box = sandbox(t);
  script(
    box.bin,
    'go',
    '[ "$1" != env ] || { echo go1.26.8; exit; }',
    `echo '{"Error": "Get \\"https://me:secret@mirror.example/\\": dial tcp: lookup mirror.example: no such host"}'; exit 1`,
  );
  await assert.rejects(needPrograms(['kubectl'], box.options), (error: Error & { code: string }) => {
    assert.equal(error.code, 'CW-PROGRAM-OFFLINE');
    assert.doesNotMatch(error.message, /secret/);
    return true;
  });
});

test('two programs of one module are built one after the other', async (t) => {
  const box = sandbox(t);
  const flag = path.join(box.root, 'building');
  fakeGo(
    box,
    `[ ! -e ${flag} ] || exit 1; : >${flag}; /bin/sleep 0.2; /bin/rm ${flag}; printf '#!/bin/sh\\n' >"$target"`,
  );
  const both = await Promise.all(
    (['konnectivity-server', 'konnectivity-agent'] as const).map((name) => needPrograms([name], box.options)),
  );
  assert.equal(both.length, 2);
});
