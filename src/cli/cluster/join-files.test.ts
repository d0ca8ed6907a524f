import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { JoinInfo, JoinTunnel } from '../../platform/index.ts';
import { agentCommand, agentFiles, gatewayCaFiles, type JoinFile, proxyFiles } from './join-files.ts';

const info = { cluster: 'web', apiServer: 'web.west.example.com:6443' } as JoinInfo;
const tunnel: JoinTunnel = {
  ...{ gateway: 'tunnel.west.example.com:8088', name: 'tunnel.west.example.com', ca: 'GATEWAY CA\n', token: 'SECRET' },
  ...{ authority: 'apiserver-external.cluster-web.svc.cluster.local:443', byProxy: false, listen: '100.64.30.10:6443' },
};
const proxy = { url: 'http://user:SECRET@proxy:3128', noProxy: ['10.0.0.0/8', '.svc'] };

const textOf = (files: readonly JoinFile[], wanted: string): string => {
  const file = files.find((one) => one.path === wanted);
  assert.ok(file, `${wanted} is not written`);
  return file.text;
};

test('kubelet and containerd get the proxy from a file, and are started again when it changes', () => {
  const files = proxyFiles(proxy);
  const dropIn = '[Service]\nEnvironmentFile=/etc/causeway/proxy.env\n';
  for (const unit of ['kubelet', 'containerd'])
    assert.equal(textOf(files, `/etc/systemd/system/${unit}.service.d/20-causeway-proxy.conf`), dropIn);
  assert.equal(
    textOf(files, '/etc/causeway/proxy.env'),
    'HTTPS_PROXY="http://user:SECRET@proxy:3128"\nHTTP_PROXY="http://user:SECRET@proxy:3128"\nNO_PROXY="10.0.0.0/8,.svc"\n',
  );
  assert.deepEqual(files[0]?.units, ['kubelet', 'containerd']);
});

test('a secret is in files that only root reads', () => {
  const behindProxy = { ...info, proxy };
  const files = [
    ...proxyFiles(proxy),
    ...gatewayCaFiles(tunnel),
    ...agentFiles(behindProxy, { ...tunnel, byProxy: true }),
  ];
  const secret = files.filter(({ text }) => text.includes('SECRET'));
  assert.deepEqual(
    secret.map(({ path, mode }) => [path, mode]),
    [
      ['/etc/causeway/proxy.env', '0600'],
      ['/etc/causeway/agent.env', '0600'],
    ],
  );
});

test('the agent proves itself by its token, and the gateway by its name', () => {
  assert.deepEqual(agentCommand(info, tunnel), [
    ...['--gateway', 'tunnel.west.example.com:8088', '--cluster', 'web'],
    ...['--authority', 'apiserver-external.cluster-web.svc.cluster.local:443', '--listen', '100.64.30.10:6443'],
    ...['--name', 'tunnel.west.example.com', '--ca', '/etc/causeway/gateway-ca.crt'],
    ...['--token-file', '/var/lib/causeway/token'],
  ]);
});

test('an agent without TLS is told so, and has neither name nor authority nor token', () => {
  const { name, ca, token, ...plain } = tunnel;
  assert.deepEqual(agentCommand(info, plain).slice(-2), ['100.64.30.10:6443', '--plaintext']);
  assert.deepEqual(gatewayCaFiles(plain), []);
});

test('the proxy is the agent’s own only where it goes through it', () => {
  const behindProxy = { ...info, proxy };
  const paths = (byProxy: boolean): string[] => agentFiles(behindProxy, { ...tunnel, byProxy }).map(({ path }) => path);
  assert.ok(!paths(false).includes('/etc/causeway/agent.env'));
  assert.ok(paths(true).includes('/etc/causeway/agent.env'));
});

/** Answers as the API server does, to a kubelet of the node rack-7.example; a line for each question. */
const fakeCurl = (asked: string): string => `#!/bin/sh
echo "$*" >>'${asked}'
case "$*" in
*/selfsubjectreviews*) printf '{\\n  "status": {\\n    "userInfo": {\\n      "username": "system:node:rack-7.example"\\n    }\\n  }\\n}\\n' ;;
*/causeway-node-agent-rack-7.example\\?*) printf '{\\n  "data": {\\n    "token": "${Buffer.from('its token').toString('base64')}"\\n  }\\n}\\n' ;;
*) exit 22 ;;
esac
`;

test('a machine fetches the token of its own node, whose name its certificate says, and keeps the old one otherwise', (t) => {
  const at = mkdtempSync(path.join(tmpdir(), 'cw-renew-'));
  t.after(() => rmSync(at, { recursive: true, force: true }));
  const script = textOf(agentFiles(info, tunnel), '/etc/causeway/renew-token.sh')
    .replace(/^certificate=.*$/m, `certificate='${at}/curl'`)
    .replaceAll('/var/lib/causeway/token', `${at}/token`);
  const renew = (): number | null =>
    spawnSync('/bin/sh', ['-c', script], { env: { PATH: `${at}:${process.env.PATH}` } }).status;
  writeFileSync(path.join(at, 'curl'), fakeCurl(path.join(at, 'asked')), { mode: 0o755 });
  assert.equal(renew(), 0);
  assert.equal(readFileSync(path.join(at, 'token'), 'utf8'), 'its token\n');
  const [who, which, ...more] = readFileSync(path.join(at, 'asked'), 'utf8').trimEnd().split('\n');
  assert.match(
    who ?? '',
    /https:\/\/web\.west\.example\.com:6443\/apis\/authentication\.k8s\.io\/v1\/selfsubjectreviews/,
  );
  assert.match(which ?? '', /\/namespaces\/kube-system\/secrets\/causeway-node-agent-rack-7\.example\?/);
  assert.deepEqual(more, []);
  writeFileSync(path.join(at, 'curl'), '#!/bin/sh\nexit 22\n');
  assert.notEqual(renew(), 0);
  assert.equal(readFileSync(path.join(at, 'token'), 'utf8'), 'its token\n');
});
