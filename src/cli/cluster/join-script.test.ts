import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import type { JoinInfo, JoinTunnel } from '../../platform/index.ts';
import { agentCommand, agentFiles, gatewayCaFiles, proxyFiles } from './join-files.ts';
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

/** What a variable is before the body begins, after some of its functions were called. */
function shellValue(script: string, name: string, calls = ''): string {
  const [head = ''] = script.split('# From here on it is the same for every cluster.');
  const value = name === '' ? '' : `\nprintf %s "\${${name}-}"`;
  const [env, encoding] = [{ PATH: process.env.PATH }, 'utf8'] as const;
  const { status, stdout, stderr } = spawnSync('sh', ['-c', `${head}\n${calls}${value}`], { env, encoding });
  assert.equal(status, 0, stderr);
  return stdout;
}

const tunnel: JoinTunnel = {
  ...{ gateway: 'tunnel.west.example.com:8088', name: 'tunnel.west.example.com', ca: 'GATEWAY CA\n', token: 'TOKEN' },
  ...{ authority: 'apiserver-external.cluster-web.svc.cluster.local:443', byProxy: true, listen: '100.64.30.10:6443' },
};

const hostileUrl = 'http://user:$(id)`id`"x\'%40\\@proxy:3128';
const behindProxy = (url: string): JoinInfo => ({ ...info, tunnel, proxy: { url, noProxy: ['a', 'b'] } });

test('the shell reads exactly what was said, whatever is in it', () => {
  const script = joinScript({ ...behindProxy(hostileUrl), cluster: "o'clock; exit 1" });
  assert.equal(shellValue(script, 'cluster'), "o'clock; exit 1");
  assert.equal(shellValue(script, 'HTTPS_PROXY', 'set_proxy'), hostileUrl);
  assert.equal(shellValue(script, 'NO_PROXY', 'set_proxy'), 'a,b');
});

test('the script writes exactly the files of a worker', () => {
  const asked = behindProxy(hostileUrl);
  const files = [
    ...proxyFiles(asked.proxy as NonNullable<JoinInfo['proxy']>),
    ...gatewayCaFiles(tunnel),
    ...agentFiles(asked, tunnel),
  ];
  const put = `put() { printf '%s\\0' "$@"; }; write_proxy; write_gateway_ca; write_agent; put`;
  const words = shellValue(joinScript(asked), '', put).split('\0').slice(0, -2);
  assert.deepEqual(
    words,
    files.flatMap(({ mode, path, units, text }) => [mode, path, units.join(' '), text]),
  );
});

test('the way is tried with the flags of the unit', () => {
  const check = `causeway=agent; as_agent() { printf '%s\\0' "$@" "$CAUSEWAY_PROXY"; }; check_agent`;
  const words = shellValue(joinScript(behindProxy(hostileUrl)), '', check).split('\0');
  assert.deepEqual(words.slice(0, -1), ['agent', 'agent', ...agentCommand(info, tunnel), '--check', hostileUrl]);
});

test('where there is neither tunnel nor proxy, nothing of them is written', () => {
  const calls = 'put() { exit 9; }; set_proxy; write_proxy; write_gateway_ca; check_agent; write_agent';
  assert.equal(shellValue(joinScript(info), 'HTTPS_PROXY', calls), '');
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
