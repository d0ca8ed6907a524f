import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { bareTools, createMiniProject, type MiniProject, type Result, write } from './support/mini-project.ts';

interface Told {
  /** Of the bundle: whether it should be made. */
  makesBundle?: string;
  value: number | string;
  args: string[];
  cwd: string;
  node: string;
}

function succeeded(result: Result): Told {
  assert.equal(result.code, 0, result.stderr);
  return JSON.parse(result.stdout) as Told;
}

function refusedInOneSentence(result: Result, ...words: RegExp[]): void {
  assert.equal(result.code, 1);
  assert.equal(result.stdout, '');
  assert.match(result.stderr, /^causeway: [^\n]+\.\n$/);
  for (const word of words) assert.match(result.stderr, word);
}

/** A process number that nobody has: that of a process which has just ended. */
const deadPid = (): string => execFileSync('/bin/sh', ['-c', 'echo $$'], { encoding: 'utf8' }).trim();

const temporaryFiles = (project: MiniProject): string[] =>
  [project.root, project.cache].flatMap((directory) =>
    readdirSync(directory).filter((name) => /lock$|judge$|part-|choice\./.test(name)),
  );

test('the first start installs the packages and says so, the second says nothing', async (t) => {
  const project = createMiniProject(t);
  const first = await project.start();
  assert.equal(succeeded(first).value, 42);
  assert.match(first.stderr, /installed the packages/);
  const second = await project.start();
  assert.equal(succeeded(second).value, 42);
  assert.equal(second.stderr, '');
  assert.deepEqual(temporaryFiles(project), []);
});

test('starts from any directory and stays there', async (t) => {
  const project = createMiniProject(t);
  for (const [cwd, as] of [
    ['/', path.join(project.root, 'causeway')],
    [project.root, './causeway'],
    [path.join(project.root, 'src'), '../causeway'],
  ] as const) {
    assert.equal(succeeded(await project.start({ cwd, as })).cwd, cwd);
  }
});

test('starts through a chain of relative and absolute links', async (t) => {
  const project = createMiniProject(t);
  mkdirSync(path.join(project.scratch, 'a/b'), { recursive: true });
  symlinkSync('../../project/causeway', path.join(project.scratch, 'a/b/relative'));
  symlinkSync(path.join(project.scratch, 'a/b/relative'), path.join(project.scratch, 'a/absolute'));
  symlinkSync('a', path.join(project.scratch, 'folder'));
  symlinkSync('folder/absolute', path.join(project.scratch, 'cw'));
  const as = path.join(project.scratch, 'cw');
  assert.equal(succeeded(await project.start({ as, cwd: '/' })).value, 42);
  assert.equal(succeeded(await project.start({ as: './cw', cwd: project.scratch })).value, 42);
});

test('starts by name when its directory is on PATH', async (t) => {
  const project = createMiniProject(t);
  const env = { PATH: `${project.root}:${process.env.PATH}` };
  assert.equal(succeeded(await project.start({ as: '/bin/sh', args: ['-c', 'causeway x'], cwd: '/', env })).value, 42);
});

test('passes arguments as they are', async (t) => {
  const args = ['', 'two words', "it's", '"quoted"', '*', '$HOME', '--', '-n', 'line\nbreak', 'ü', '\\'];
  const project = createMiniProject(t);
  assert.deepEqual(succeeded(await project.start({ args })).args, args);
});

test('two first starts at once both succeed, and one of them installs', async (t) => {
  const project = createMiniProject(t);
  const results = await Promise.all([1, 2, 3, 4].map(() => project.start()));
  for (const result of results) assert.equal(succeeded(result).value, 42);
  assert.equal(results.filter(({ stderr }) => stderr.includes('installed the packages')).length, 1);
  assert.deepEqual(temporaryFiles(project), []);
});

test('an interrupted installation heals', async (t) => {
  const project = createMiniProject(t);
  write(path.join(project.root, '.install.lock', `${deadPid()}@${hostname()}`), '');
  write(path.join(project.root, `.install-part-${deadPid()}/node_modules/half/package.json`), '{');
  write(path.join(project.root, 'node_modules/half/package.json'), '{');
  const result = await project.start();
  assert.equal(succeeded(result).value, 42);
  assert.doesNotMatch(result.stderr, /waiting/);
  assert.ok(!existsSync(path.join(project.root, 'node_modules/half')));
  assert.deepEqual(temporaryFiles(project), []);
});

test('a lock whose owner was killed before it wrote its name heals too', async (t) => {
  const project = createMiniProject(t);
  const lock = path.join(project.root, '.install.lock');
  mkdirSync(lock);
  const longAgo = new Date(Date.now() - 5 * 60_000);
  utimesSync(lock, longAgo, longAgo);
  assert.equal(succeeded(await project.start()).value, 42);
});

test('waits for a start that is alive, says so once, and goes on when it is done', async (t) => {
  const project = createMiniProject(t);
  const lock = path.join(project.root, '.install.lock');
  write(path.join(lock, `${process.pid}@${hostname()}`), '');
  const finish = (): void => rmSync(lock, { recursive: true, force: true });
  const heard = (stderr: string): unknown => /waiting for it/.test(stderr) && setTimeout(finish, 1000);
  const result = await project.start({ heard });
  assert.equal(succeeded(result).value, 42);
  assert.equal(result.stderr.match(/waiting for it/g)?.length, 1);
});

test('another lockfile installs again', async (t) => {
  const project = createMiniProject(t);
  succeeded(await project.start());
  const lockfile = path.join(project.root, 'package-lock.json');
  write(lockfile, `${readFileSync(lockfile, 'utf8')}\n`);
  assert.match((await project.start()).stderr, /installed the packages/);
  assert.equal((await project.start()).stderr, '');
});

test('packages that cannot be installed leave the old ones, and one sentence', async (t) => {
  const project = createMiniProject(t);
  succeeded(await project.start());
  write(path.join(project.root, 'package-lock.json'), '{}');
  const failing = bareTools(t, project, ['npm', 'echo "npm error code ENOTFOUND" >&2; exit 1']);
  refusedInOneSentence(await project.start({ env: { PATH: failing } }), /ENOTFOUND/, /network/);
  assert.ok(existsSync(path.join(project.root, 'node_modules/dep')));
  assert.deepEqual(temporaryFiles(project), []);
});

test('without Node, network and cache one sentence says what is missing and how to provide it', async (t) => {
  const project = createMiniProject(t);
  const env = { CAUSEWAY_NODE: undefined };
  const nothing = bareTools(t, project);
  refusedInOneSentence(
    await project.start({ env: { ...env, PATH: nothing } }),
    /Node 24/,
    /no node on PATH/,
    /CAUSEWAY_NODE/,
  );
  const offline = bareTools(
    t,
    project,
    ['node', 'echo "20.1.0 linux-x64 /bin/node"'],
    ['npm', 'echo "npm error code EAI_AGAIN" >&2; exit 1'],
    ['curl', 'exit 6'],
  );
  refusedInOneSentence(await project.start({ env: { ...env, PATH: offline } }), /20\.1\.0/, /EAI_AGAIN/, /https_proxy/);
  assert.deepEqual(temporaryFiles(project), []);
});

test('a CAUSEWAY_NODE that is none, or too old, is named', async (t) => {
  const project = createMiniProject(t);
  refusedInOneSentence(await project.start({ env: { CAUSEWAY_NODE: '/bin/false' } }), /CAUSEWAY_NODE is \/bin\/false/);
  const old = path.join(project.scratch, 'old-node');
  write(old, '#!/bin/sh\necho "18.2.0 linux-x64 /bin/node"\n', 0o755);
  refusedInOneSentence(await project.start({ env: { CAUSEWAY_NODE: old } }), /Node 18\.2\.0/, /24 or later/);
});

test('a remembered Node that vanished or changed is asked again', async (t) => {
  const project = createMiniProject(t);
  const node = path.join(project.scratch, 'bin/node');
  const wrapper = `#!/bin/sh\n[ "$1" = -p ] && { echo "24.9.0 linux-x64 $0"; exit; }\nexec "${process.execPath}" "$@"\n`;
  write(node, wrapper, 0o755);
  succeeded(await project.start({ env: { CAUSEWAY_NODE: node } }));
  write(node, '#!/bin/sh\n[ "$1" = -p ] && echo "22.0.0 linux-x64 $0"\n', 0o755);
  refusedInOneSentence(await project.start({ env: { CAUSEWAY_NODE: node } }), /Node 22\.0\.0/);
  rmSync(node);
  refusedInOneSentence(await project.start({ env: { CAUSEWAY_NODE: node } }), /does not run as Node/);
});

test('a copy of the launcher alone says that it should be a link', async (t) => {
  const project = createMiniProject(t);
  const copy = path.join(project.scratch, 'copy/causeway');
  write(copy, readFileSync(path.join(project.root, 'causeway'), 'utf8'), 0o755);
  refusedInOneSentence(await project.start({ as: copy }), /ln -s/);
});

test('a read-only project without packages says who can install them', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can become somebody who may not write.');
  const project = createMiniProject(t);
  // Not the Node of the tests, which may be in a home that is closed to others.
  const node = path.join(project.scratch, 'bin/node');
  write(node, '#!/bin/sh\necho "24.9.0 linux-x64 $0"\n', 0o755);
  const refused = await project.start({ uid: 65534, cwd: '/', env: { CAUSEWAY_NODE: node } });
  refusedInOneSentence(refused, /read-only/, /npm ci/);
});

/** A bundle as `up` leaves it. */
function writeBundle(project: MiniProject, name: string): void {
  const bundles = path.join(project.root, 'node_modules/.causeway-bundle');
  const tell = "({ value: 'bundle', makesBundle: process.env.CAUSEWAY_MAKE_BUNDLE })";
  write(path.join(bundles, name, 'main.mjs'), `process.stdout.write(JSON.stringify(${tell}));\n`);
  write(path.join(bundles, 'current'), `${name}\n`);
}

const sourcesThatTell =
  "process.stdout.write(JSON.stringify({ value: 'sources', makesBundle: process.env.CAUSEWAY_MAKE_BUNDLE }));\n";

test('a bundle is started in place of its sources, until one of them changes', async (t) => {
  const project = createMiniProject(t);
  const main = path.join(project.root, 'src/cli/main.ts');
  write(main, sourcesThatTell);
  assert.deepEqual(succeeded(await project.start({ args: ['plan'] })), { value: 'sources' });
  assert.deepEqual(succeeded(await project.start({ args: ['up'] })), { value: 'sources', makesBundle: 'yes' });
  writeBundle(project, 'first');
  assert.deepEqual(succeeded(await project.start({ args: ['up'] })), { value: 'bundle' });
  assert.deepEqual(succeeded(await project.start({ env: { CAUSEWAY_DEBUG: '1' } })), { value: 'sources' });
  write(main, sourcesThatTell);
  // As a copy that keeps times does.
  utimesSync(main, 0, 0);
  assert.deepEqual(succeeded(await project.start({ args: ['up'] })), { value: 'sources', makesBundle: 'yes' });
  writeBundle(project, 'second');
  assert.deepEqual(succeeded(await project.start()), { value: 'bundle' });
  rmSync(path.join(project.root, 'node_modules/.causeway-bundle/second'), { recursive: true });
  assert.deepEqual(succeeded(await project.start()), { value: 'sources' });
});

test('a later start costs less than 50 ms beyond Node itself', async (t) => {
  const project = createMiniProject(t);
  succeeded(await project.start());
  const node = path.join(project.scratch, 'bin/node');
  write(node, `#!/bin/sh\n[ "$1" = -p ] && echo "24.9.0 linux-x64 $0"\nexit 0\n`, 0o755);
  const env = { CAUSEWAY_NODE: node };
  await project.start({ env });
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 10; round++) {
    const started = performance.now();
    await project.start({ env });
    best = Math.min(best, performance.now() - started);
  }
  // The stand-in for Node is a shell too, so this is an upper bound; the best of ten, because others use the machine.
  t.diagnostic(`launcher: ${best.toFixed(1)} ms of a later start`);
  assert.ok(best < 50, `${best} ms`);
});
