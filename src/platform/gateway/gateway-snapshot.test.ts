import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { GatewaySnapshot } from '../../plan/schema/index.ts';
import type { InnerPorts } from '../../runtime/local/ports.ts';
import { type LocalFacts, localSnapshot } from './gateway-snapshot.ts';

const cluster = (name: string) => ({
  apiServer: { sni: `${name}.example.com`, backends: [`api.${name}:443`] },
  konnectivity: { sni: `k.${name}.example.com`, backends: [`k.${name}:443`] },
  idleTimeout: '1h',
});
const planned: GatewaySnapshot = {
  version: 'planned',
  seed: 'west',
  listeners: { sni: 6443, nodePortRange: '30000-32767' },
  tunnel: { name: 'tunnel.example.com', authentication: 'token', publicKeys: ['of the manifests'] },
  trustedBalancers: [],
  clusters: { ours: cluster('ours'), theirs: cluster('theirs'), idle: cluster('idle') },
};
const ports = { apiServer: 20_001, konnectivityAgents: 20_002 } as InnerPorts;
const facts: LocalFacts = {
  tokenKey: 'of this platform',
  ports: new Map([['ours', ports]]),
  isServed: (name) => name !== 'idle',
};

describe('the snapshot of a gateway on this machine', () => {
  it('leads to control planes that run here, and leaves others where the plan says', () => {
    const { clusters } = localSnapshot(planned, facts);
    assert.deepEqual(clusters.ours?.apiServer, { sni: 'ours.example.com', backends: ['127.0.0.1:20001'] });
    assert.deepEqual(clusters.ours?.konnectivity.backends, ['127.0.0.1:20002']);
    assert.deepEqual(clusters.theirs, planned.clusters.theirs);
  });

  it('has only clusters that are run', () => {
    assert.deepEqual(Object.keys(localSnapshot(planned, facts).clusters), ['ours', 'theirs']);
  });

  it('believes tokens of this platform beside those of the manifests', () => {
    assert.deepEqual(localSnapshot(planned, facts).tunnel.publicKeys, ['of the manifests', 'of this platform']);
  });

  it('has another version when something is different, and the same when nothing is', () => {
    const { version } = localSnapshot(planned, facts);
    assert.equal(localSnapshot({ ...planned, version: 'other' }, facts).version, version);
    assert.notEqual(localSnapshot(planned, { ...facts, ports: new Map() }).version, version);
  });
});
