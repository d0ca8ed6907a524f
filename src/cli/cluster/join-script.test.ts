import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import type { JoinInfo } from '../../platform/join/join-info.ts';
import { joinScript, kubeadmLine } from './join-script.ts';

const info: JoinInfo = {
  cluster: 'web',
  kubernetesVersion: '1.36.3',
  apiServer: 'web.west.example.com:6443',
  ca: 'CA\n',
  caHash: 'sha256:00',
  token: 'abcdef.0123456789abcdef',
  expiresAt: Date.UTC(2026, 5, 1),
  dns: { servers: ['10.240.16.10'], domain: 'cluster.local' },
  names: [{ name: 'web.west.example.com', addresses: ['192.0.2.20'] }],
  flows: [],
  warnings: [],
};

/** What the variables are when the body begins. */
function shellValue(script: string, name: string): string {
  const [head = ''] = script.split('# From here on it is the same for every cluster.');
  const { status, stdout, stderr } = spawnSync('sh', ['-c', `${head}\nprintf %s "$${name}"`], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout;
}

test('the shell reads exactly what was said, whatever is in it', () => {
  const url = 'http://user:$(id)`id`"x@proxy:3128';
  const script = joinScript({ ...info, cluster: "o'clock; exit 1", proxy: { url, noProxy: ['a', 'b'] } });
  assert.equal(shellValue(script, 'cluster'), "o'clock; exit 1");
  assert.equal(shellValue(script, 'proxy_url'), url);
  assert.equal(shellValue(script, 'no_proxy'), 'a,b');
});

test('it is a script that the shell can read to its end', () => {
  const { status, stderr } = spawnSync('sh', ['-n'], { input: joinScript(info), encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

test('a secret is in the file that kubeadm reads, and in no argument', () => {
  const script = joinScript(info);
  assert.match(shellValue(script, 'bootstrap'), /token: abcdef\.0123456789abcdef/);
  assert.equal(script.split(info.token).length, 2);
  assert.match(script, /until 2026-06-01T00:00:00\.000Z/);
});

test('whoever is not root is told so before anything is written', () => {
  const nobody = process.getuid?.() === 0 ? { uid: 65_534 } : {};
  const { status, stderr } = spawnSync('sh', { input: joinScript(info), encoding: 'utf8', ...nobody });
  assert.deepEqual([status, stderr], [1, 'join: only root can make this machine a node\n  fix: run it with sudo\n']);
});

test('where kubeadm is enough, it is one line', () => {
  const line =
    'kubeadm join web.west.example.com:6443 --token abcdef.0123456789abcdef --discovery-token-ca-cert-hash sha256:00\n';
  assert.equal(kubeadmLine(info), line);
});
