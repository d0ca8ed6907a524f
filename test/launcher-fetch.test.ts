import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { bareTools, createMiniProject, type MiniProject, write } from './support/mini-project.ts';
import { projectRoot } from './support/source-tree.ts';

const platform = `${process.platform}-${process.arch}`;

/** Says that it is Node 24.9.0, and is the Node that runs the tests otherwise. */
const standInForNode = `#!/bin/sh
[ "$1" = -p ] && { echo "24.9.0 ${platform} $0"; exit; }
exec "${process.execPath}" "$@"
`;

const realNpm = 'PATH=$CAUSEWAY_TEST_PATH exec npm "$@"';

// Called with many options, then the file and the address.
const curlFromDirectory = `shift $(($# - 2)); cp "\${2#file://}" "$1"`;

const environment = (PATH: string): Record<string, string | undefined> => ({
  CAUSEWAY_NODE: undefined,
  CAUSEWAY_TEST_PATH: process.env.PATH,
  PATH,
});

const fetchedNode = (project: MiniProject): string => path.join(project.cache, `node-24-${platform}/bin/node`);

const standInVersion = '24.9.0';
const packageName = `node-${platform}`;
const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

/** The package as a registry has it; what is in it can be another program. */
function packageOf(project: MiniProject, program = standInForNode): Buffer {
  const directory = path.join(project.scratch, `package-${sha256(program).slice(0, 8)}`);
  write(path.join(directory, 'package/package.json'), JSON.stringify({ name: packageName, version: standInVersion }));
  write(path.join(directory, 'package/bin/node'), program, 0o755);
  execFileSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: directory });
  return readFileSync(path.join(directory, 'package.tgz'));
}

/** What the repository knows of the Node that it fetches. */
function pin(project: MiniProject, program = standInForNode): void {
  const integrity = `sha512-${createHash('sha512').update(packageOf(project)).digest('base64')}`;
  const words = [platform, packageName, standInVersion, integrity, sha256(program)];
  write(path.join(project.root, 'libexec/node.pins'), `# why\n${words.join(' ')}\n`);
}

/** Serves a package of the right name, as truthfully as a registry that somebody else has changed. */
async function registry(t: TestContext, tarball?: Buffer): Promise<string> {
  const server = createServer((request, response) => {
    const { host } = request.headers;
    if (tarball === undefined) return response.writeHead(404).end('{}');
    if (request.url?.endsWith('.tgz')) return response.end(tarball);
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    const dist = { tarball: `http://${host}/${packageName}.tgz`, integrity };
    const versions = { [standInVersion]: { name: packageName, version: standInVersion, dist } };
    return response.end(JSON.stringify({ name: packageName, 'dist-tags': { latest: standInVersion }, versions }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** npm with this registry, and a cache of its own. */
async function npmWith(t: TestContext, project: MiniProject, tarball?: Buffer) {
  return {
    npm_config_registry: await registry(t, tarball),
    npm_config_cache: path.join(project.scratch, 'npm-cache'),
    npm_config_replace_registry_host: 'never',
  };
}

test('fetches Node as an npm package, once, even for starts at the same time', async (t) => {
  const project = createMiniProject(t);
  pin(project);
  const env = {
    ...environment(bareTools(t, project, ['node', 'echo "20.1.0 x /bin/node"'], ['npm', realNpm])),
    ...(await npmWith(t, project, packageOf(project))),
  };
  const results = await Promise.all([project.start({ env }), project.start({ env })]);
  for (const { code, stderr } of results) assert.equal(code, 0, stderr);
  assert.equal(results.filter(({ stderr }) => stderr.includes('fetched Node 24.9.0')).length, 1);
  assert.ok(existsSync(fetchedNode(project)));
  assert.equal((await project.start({ env })).stderr, '');
});

const altered = `${standInForNode}# one byte more`;

test('refuses a package of Node that a registry altered, and does not run it', async (t) => {
  const project = createMiniProject(t);
  pin(project);
  const mark = path.join(project.scratch, 'was-run');
  const evil = `#!/bin/sh\n: >'${mark}'\n${standInForNode}`;
  const env = {
    ...environment(bareTools(t, project, ['npm', realNpm], ['curl', 'exit 22'])),
    ...(await npmWith(t, project, packageOf(project, evil))),
  };
  const { code, stderr } = await project.start({ env });
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^causeway: Node 24 or later is missing and could not be fetched \([^\n]*npm said EINTEGRITY[^\n]*\n$/,
  );
  assert.ok(!existsSync(fetchedNode(project)) && !existsSync(mark));
});

/** A directory laid out like the place where Node's releases are, with sums that fit what is in it. */
function releasesOf(project: MiniProject, program = standInForNode, checksum?: string): string {
  const name = `node-v${standInVersion}-${platform}`;
  const releases = path.join(project.scratch, `dist/v${standInVersion}`);
  write(path.join(releases, name, 'bin/node'), program, 0o755);
  execFileSync('tar', ['-czf', `${name}.tar.gz`, name], { cwd: releases });
  const sum = checksum ?? sha256(readFileSync(path.join(releases, `${name}.tar.gz`)));
  write(path.join(releases, 'SHASUMS256.txt'), `${sum}  ${name}.tar.gz\n`);
  return `file://${path.join(project.scratch, 'dist')}`;
}

async function fromReleases(t: TestContext, releases: (project: MiniProject) => string) {
  const project = createMiniProject(t);
  pin(project);
  const tools = bareTools(t, project, ['npm', realNpm], ['curl', curlFromDirectory]);
  const env = { ...environment(tools), ...(await npmWith(t, project)), CAUSEWAY_NODE_MIRROR: releases(project) };
  return { project, ...(await project.start({ env })) };
}

test('fetches the official release where npm has none, and checks its sum', async (t) => {
  const { code, stderr } = await fromReleases(t, releasesOf);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /fetched Node 24\.9\.0/);
});

test('refuses a release whose checksum is wrong', async (t) => {
  const { project, code, stderr } = await fromReleases(t, (one) => releasesOf(one, standInForNode, '0'.repeat(64)));
  assert.equal(code, 1);
  assert.match(stderr, /^causeway: [^\n]*the checksum of node-v24\.9\.0[^\n]* is wrong[^\n]*\n$/);
  assert.ok(!existsSync(fetchedNode(project)));
});

test('refuses a release that a mirror altered together with its sums', async (t) => {
  const { project, code, stderr } = await fromReleases(t, (one) => releasesOf(one, altered));
  assert.equal(code, 1);
  assert.match(stderr, /^causeway: the Node 24\.9\.0 that was fetched is not the one [^\n]* was not run[^\n]*\n$/);
  assert.ok(!existsSync(fetchedNode(project)));
});

test('every system that Node is fetched for has a pin, and each pin is whole', () => {
  const pins = readFileSync(path.join(projectRoot, 'libexec/node.pins'), 'utf8')
    .split('\n')
    .filter((line) => /^[^#]/.test(line));
  assert.deepEqual(
    pins.map((line) => line.split(' ')[0]),
    ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'],
  );
  for (const line of pins) assert.match(line, /^\S+ node-\S+ 24\.\d+\.\d+ sha512-[A-Za-z0-9+/]{86}== [0-9a-f]{64}$/);
});

test('a start that is killed in the middle harms no later one, even while its npm lives on', async (t) => {
  const project = createMiniProject(t);
  const slow = `sleep 1; ${realNpm}`;
  const env = { ...process.env, ...environment(bareTools(t, project, ['npm', slow])), CAUSEWAY_NODE: process.execPath };
  const killed = spawn(path.join(project.root, 'causeway'), {
    env: { ...env, CAUSEWAY_CACHE: project.cache },
    stdio: 'ignore',
  });
  const lock = path.join(project.root, '.install.lock');
  while (!existsSync(lock) || readdirSync(lock).length === 0) await pause(10);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  const { code, stdout, stderr } = await project.start();
  assert.equal(code, 0, stderr);
  assert.equal(JSON.parse(stdout).value, 42);
  await pause(2500); // the orphan has ended by then, in a directory that is nobody's
  assert.equal((await project.start()).stderr, '');
});
