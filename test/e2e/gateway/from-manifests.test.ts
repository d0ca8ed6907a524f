// From manifests to a connection: every step is the command that a person runs, and no snapshot is written by hand.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { run } from '../../support/child-process.ts';
import { causeway, copyOf, edit } from '../../support/cli.ts';
import { greetingBackend } from '../../support/gateway/backends.ts';
import { createAuthority } from '../../support/gateway/certificates.ts';
import { main, ready } from '../../support/gateway/own-gateway.ts';
import { freePort } from '../../support/gateway/ports.ts';

const gatewayAddress = '127.50.0.2';
const tunnelName = 'tunnel.local.kubermatic.example.com';

interface Ports {
  readonly sni: number;
  readonly tunnel: number;
  readonly single: number;
}

test('manifests become a gateway that carries what agents bring, by tunnel port and by single port', async (t) => {
  const platform = copyOf(t, 'local');
  const directory = path.join(platform, '..', 'requests/gateway/local');
  const inDirectory = (file: string): string => path.join(directory, file);
  const ports = { sni: await newPort(), tunnel: await newPort(), single: await newPort() };
  await describeWhatRuns(t, platform, ports);
  render(platform);
  assert.equal(causeway(['gateway', 'pki', directory, '--name', tunnelName]).code, 0);
  addTunnelKey(platform, readFileSync(inDirectory('token.pub'), 'utf8'));
  render(platform);
  await startGateway(t, directory);
  const { stdout: token } = causeway(['gateway', 'token', 'tunneling', '--key', inDirectory('token.key')]);
  writeFileSync(inDirectory('token'), token);
  for (const port of [ports.tunnel, ports.single]) {
    const { code, text } = await checkAgent(directory, port);
    assert.equal(code, 0, text);
    assert.match(text, /ok +API server .*CN=kube-apiserver/);
  }
});

const newPort = (): Promise<number> => freePort(gatewayAddress);

/** One cluster of the example, with ports that nobody else uses and a control plane that something else runs. */
async function describeWhatRuns(t: TestContext, platform: string, ports: Ports): Promise<void> {
  const authority = createAuthority(path.join(platform, '..', 'cluster-pki'), 'kubernetes');
  const backend = await greetingBackend('tunneling', authority.issue({ commonName: 'kube-apiserver' }));
  t.after(() => backend.stop());
  const external = `external: { apiServer: ["${backend.target}"], konnectivity: ["${backend.target}"] }`;
  edit(path.join(platform, 'clusters/tunneling.yaml'), '  nodes:', `  controlPlane: { ${external} }\n  nodes:`);
  for (const other of ['clusters/{nodeport,loadbalancer,single-port}.yaml', 'datacenters/behind-proxy.yaml'])
    for (const file of globSync(path.join(platform, other))) rmSync(file);
  edit(seedOf(platform), /^ {4}ports: .*$/m, `    ports: ${JSON.stringify(ports)}`);
}

const seedOf = (platform: string): string => path.join(platform, 'seeds/local.yaml');

const addTunnelKey = (platform: string, key: string): void =>
  edit(seedOf(platform), '    offers:', `    tunnelKeys: [${JSON.stringify(key)}]\n    offers:`);

function render(platform: string): void {
  const out = path.join(platform, '..', 'requests');
  const { code, stdout, stderr } = causeway(['render', platform, '--only', 'gateway', '--out', out]);
  assert.deepEqual([code, stdout], [0, 'wrote gateway/local/snapshot.json\n0 unchanged\n'], stderr);
}

async function startGateway(t: TestContext, directory: string): Promise<void> {
  const admin = path.join(directory, 'admin.sock');
  const flags = ['--snapshot', path.join(directory, 'snapshot.json'), '--admin', `unix:${admin}`, '--workers', '1'];
  const args = [main, 'gateway', ...flags, '--listen', gatewayAddress];
  await ready(run(t, { program: process.execPath, args }), admin);
}

/** Not awaited by blocking: the API server is in this process. */
const checkAgent = (directory: string, port: number): Promise<{ code: unknown; text: string }> =>
  new Promise((resolve) => {
    const gateway = ['--gateway', `${gatewayAddress}:${port}`, '--name', tunnelName];
    const files = ['--ca', path.join(directory, 'gateway-ca.crt'), '--token-file', path.join(directory, 'token')];
    const args = [main, 'agent', '--check', '--cluster', 'tunneling', ...gateway, ...files];
    execFile(process.execPath, args, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, text: `${stdout}${stderr}` }),
    );
  });
