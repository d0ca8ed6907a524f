import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { bareTools, createMiniProject, type MiniProject, write } from './support/mini-project.ts';

const platform = `${process.platform}-${process.arch}`;

/** Says that it is Node 24.9.0, and is the Node that runs the tests otherwise. */
const standInForNode = `#!/bin/sh
[ "$1" = -p ] && { echo "24.9.0 ${platform} $0"; exit; }
exec "${process.execPath}" "$@"
`;

const realNpm = 'PATH=$CAUSEWAY_TEST_PATH exec npm "$@"';

/** An npm that has one package, the Node for this machine, and leaves everything else to the real one. */
const npmWithNode = `case $1 in install) ;; *) ${realNpm} ;; esac
for last; do case $last in node-*@24) package=\${last%@24} ;; esac; done
sleep 0.3
mkdir -p "node_modules/$package/bin"
cat >"node_modules/$package/bin/node" <<'END'
${standInForNode}END
/bin/chmod +x "node_modules/$package/bin/node"`;

// Called with many options, then the file and the address.
const curlFromDirectory = `shift $(($# - 2)); cp "\${2#file://}" "$1"`;

const environment = (PATH: string): Record<string, string | undefined> => ({
  CAUSEWAY_NODE: undefined,
  CAUSEWAY_TEST_PATH: process.env.PATH,
  PATH,
});

const fetchedNode = (project: MiniProject): string => path.join(project.cache, `node-24-${platform}/bin/node`);

test('fetches Node as an npm package, once, even for starts at the same time', async (t) => {
  const project = createMiniProject(t);
  const env = environment(bareTools(t, project, ['node', 'echo "20.1.0 x /bin/node"'], ['npm', npmWithNode]));
  const results = await Promise.all([project.start({ env }), project.start({ env })]);
  for (const { code, stderr } of results) assert.equal(code, 0, stderr);
  assert.equal(results.filter(({ stderr }) => stderr.includes('fetched Node 24.9.0')).length, 1);
  assert.ok(existsSync(fetchedNode(project)));
  assert.equal((await project.start({ env })).stderr, '');
});

/** A directory laid out like the place where Node's releases are. */
function releasesOf(project: MiniProject, checksum?: string): string {
  const name = `node-v24.9.0-${platform}`;
  const releases = path.join(project.scratch, 'dist/latest-v24.x');
  write(path.join(releases, name, 'bin/node'), standInForNode, 0o755);
  execFileSync('tar', ['-czf', `${name}.tar.gz`, name], { cwd: releases });
  const sum = execFileSync('openssl', ['dgst', '-sha256', '-r', `${name}.tar.gz`], { cwd: releases, encoding: 'utf8' });
  write(path.join(releases, 'SHASUMS256.txt'), `${checksum ?? sum.split(' ')[0]}  ${name}.tar.gz\n`);
  return `file://${path.join(project.scratch, 'dist')}`;
}

const npmWithoutNode = `case $1 in install) echo "npm error code E404" >&2; exit 1 ;; *) ${realNpm} ;; esac`;

test('fetches the official release where npm has none, and checks its sum', async (t) => {
  const project = createMiniProject(t);
  const tools = bareTools(t, project, ['npm', npmWithoutNode], ['curl', curlFromDirectory]);
  const env = { ...environment(tools), CAUSEWAY_NODE_MIRROR: releasesOf(project) };
  const { code, stderr } = await project.start({ env });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /fetched Node 24\.9\.0/);
});

test('refuses a release whose checksum is wrong', async (t) => {
  const project = createMiniProject(t);
  const tools = bareTools(t, project, ['npm', npmWithoutNode], ['curl', curlFromDirectory]);
  const env = { ...environment(tools), CAUSEWAY_NODE_MIRROR: releasesOf(project, '0'.repeat(64)) };
  const { code, stderr } = await project.start({ env });
  assert.equal(code, 1);
  assert.match(stderr, /^causeway: [^\n]*the checksum of node-v24\.9\.0[^\n]* is wrong[^\n]*\n$/);
  assert.ok(!existsSync(fetchedNode(project)));
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
