import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { commandLine } from '../support/cli.ts';
import { findProgram, howToInstall } from '../support/programs.ts';

const inside = ['--user', '--map-root-user', '--mount', '--', 'sh', '-c'];
const hasNamespaces = spawnSync('unshare', [...inside, 'mount --bind /dev/null /etc/hostname']).status === 0;

/** As somebody who is not root, where these programs are no programs. */
function benchWithout(hidden: readonly string[], args: readonly string[]) {
  const script = `for file in ${hidden.join(' ')}; do mount --bind /dev/null "$file" || exit 99; done
    exec unshare --user --map-user=1000 --map-group=1000 -- "$@"`;
  const command = [process.execPath, commandLine, 'bench', ...args];
  return spawnSync('unshare', [...inside, script, 'sh', ...command], { encoding: 'utf8' });
}

test('a benchmark whose programs are missing says which packages bring all of them', (t) => {
  if (!hasNamespaces) return t.skip('namespaces are needed to hide programs');
  const names = ['haproxy', 'nginx'] as const;
  const { status, stderr } = benchWithout(
    names.map(findProgram).filter((file) => file !== undefined),
    ['gateway'],
  );
  assert.equal(
    stderr,
    'error: the benchmark needs haproxy, nginx, which this machine does not have [CW-CLI-BENCH]\n' +
      '  fix: as root: apt-get install haproxy libnginx-mod-stream\n',
  );
  assert.equal(status, 2);
});

test('a benchmark that needs a browser says so before it starts a platform', (t) => {
  if (!hasNamespaces) return t.skip('namespaces are needed to hide programs');
  const hidden = [findProgram('chromium')].filter((file) => file !== undefined);
  const { status, stderr } = benchWithout(hidden, ['up', '--only', 'large']);
  assert.match(stderr, /^error: the benchmark needs chromium, .*\n {2}fix: as root: apt-get install chromium\n$/);
  assert.equal(status, 2);
});

test('packages of several programs are one command, and what has no package has words of its own', () => {
  assert.equal(
    howToInstall('haproxy', 'go', 'nginx'),
    'apt-get install haproxy libnginx-mod-stream; install Go 1.26 or later and put it on PATH',
  );
});
