import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { manifestDirectory, manifestReader } from '../../manifests/index.ts';
import { createAuthority, validFor } from '../../pki/index.ts';
import { localRuntime } from '../../runtime/local/capabilities.ts';
import type { Planned } from '../cluster/cluster-input.ts';
import { caHash, type JoinInfo, type JoinSecrets, joinInfo } from './join-info.ts';

const examples = fileURLToPath(new URL('../../../examples', import.meta.url));

async function plannedExample(t: { after(undo: () => unknown): void }, name: string): Promise<Planned> {
  const directory = mkdtempSync(path.join(tmpdir(), 'cw-join-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  cpSync(path.join(examples, name), directory, { recursive: true });
  const { planned } = await manifestReader(manifestDirectory(directory), { runtime: localRuntime })();
  assert.ok(planned);
  return planned;
}

const { certificate } = await createAuthority('cluster', validFor(new Date(), 1));
const secrets: JoinSecrets = {
  ca: certificate,
  token: 'abcdef.0123456789abcdef',
  expiresAt: 0,
  gatewayCa: 'GATEWAY CA',
  tunnelToken: 'TUNNEL TOKEN',
};

function infoOf(planned: Planned, name: string, given: JoinSecrets = secrets): JoinInfo {
  const cluster = planned.model.clusters.find(({ metadata }) => metadata.name === name);
  assert.ok(cluster);
  return joinInfo(planned, cluster, given);
}

test('a machine is told to dial what the plan has its kubelet dial', async (t) => {
  const planned = await plannedExample(t, 'local');
  for (const name of Object.keys(planned.plan.endpoints))
    assert.equal(infoOf(planned, name).apiServer, planned.plan.proxy.workers[name]?.kubelet.target);
});

test('only a worker behind a tunnel is given a node agent, with all it needs', async (t) => {
  const planned = await plannedExample(t, 'local');
  assert.equal(infoOf(planned, 'nodeport').tunnel, undefined);
  assert.deepEqual(infoOf(planned, 'tunneling').tunnel, {
    gateway: 'tunnel.local.kubermatic.example.com:8088',
    name: 'tunnel.local.kubermatic.example.com',
    ca: 'GATEWAY CA',
    token: 'TUNNEL TOKEN',
    authority: 'apiserver-external.cluster-tunneling.svc.cluster.local:443',
    byProxy: false,
    listen: '100.64.30.10:6443',
  });
});

test('behind a proxy a machine gets the plan’s list of what bypasses it, and need not know the platform’s names', async (t) => {
  const planned = await plannedExample(t, 'local');
  const info = infoOf(planned, 'single-port', { ...secrets, proxyUrl: 'http://user:word@127.50.0.3:3128' });
  assert.deepEqual(info.proxy?.noProxy, planned.plan.proxy.places['cluster/single-port/nodes']?.noProxy);
  assert.deepEqual([info.tunnel?.byProxy, info.names], [true, []]);
});

test('names that a machine dials come with the addresses of their records', async (t) => {
  const { names } = infoOf(await plannedExample(t, 'local'), 'tunneling');
  assert.deepEqual(names.map(({ name }) => name).sort(), [
    'konnectivity-server.tunneling.local.kubermatic.example.com',
    'tunnel.local.kubermatic.example.com',
    'tunneling.local.kubermatic.example.com',
  ]);
  assert.ok(names.every(({ addresses }) => addresses.join() === '127.50.0.2'));
});

test('the flows of a machine begin where the workers of its cluster stand', async (t) => {
  const { flows } = infoOf(await plannedExample(t, 'local'), 'single-port');
  assert.ok(flows.length > 0);
  assert.ok(
    flows.every(({ from, clusters }) => from.startsWith('datacenter/behind-proxy') && clusters.includes('single-port')),
  );
});

test('it is said where no other machine can come, and where pods would not reach the API server', async (t) => {
  const planned = await plannedExample(t, 'local');
  assert.match(
    infoOf(planned, 'tunneling').warnings.join(),
    /127\.50\.0\.2 is an address of the platform’s own machine/,
  );
  assert.match(infoOf(planned, 'nodeport').warnings.join(), /pods will not reach the API server/);
  const elsewhere = await plannedExample(t, 'vsphere');
  for (const { metadata } of elsewhere.model.clusters) assert.deepEqual(infoOf(elsewhere, metadata.name).warnings, []);
});

test('the hash of the authority is of its public key, as kubeadm takes it', () => {
  assert.match(caHash(certificate), /^sha256:[0-9a-f]{64}$/);
});
