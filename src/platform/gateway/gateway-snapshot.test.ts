import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { GatewaySnapshot } from '../../plan/schema/index.ts';
import { type PlacedFacts, placedSnapshot } from './gateway-snapshot.ts';

const cluster = (name: string) => ({
  apiServer: { sni: `${name}.example.com`, backends: [`api.${name}:443`] },
  konnectivity: { sni: `k.${name}.example.com`, backends: [`k.${name}:443`] },
  maxConnections: 1000,
  connectionsPerSecond: 100,
  idleTimeout: '1h',
  halfClosedTimeout: '1m',
});
const planned: GatewaySnapshot = {
  version: 'planned',
  seed: 'west',
  listeners: { sni: 6443, nodePortRange: '30000-32767' },
  tunnel: { name: 'tunnel.example.com', authentication: 'token', publicKeys: ['of the manifests'] },
  trustedBalancers: [],
  clusters: { ours: cluster('ours'), theirs: cluster('theirs'), idle: cluster('idle') },
};
const host = '127.0.0.1';
const upstreams = { apiServer: { host, port: 20_001 }, konnectivity: { host, port: 20_002 } };
const authority = {
  ...{ issuer: 'https://kubernetes.default.svc.cluster.local', audience: 'causeway-tunnel' },
  subject: 'system:serviceaccount:kube-system:causeway-node-agent',
  keys: [{ id: 'a', publicKey: 'of the cluster' }],
};
const facts: PlacedFacts = {
  tokenKey: 'of this platform',
  upstreams: new Map([['ours', upstreams]]),
  tokenAuthorities: new Map([['ours', authority]]),
  revocations: (name) => (name === 'ours' ? { evictedNodes: [{ name: 'n1' }], unboundTokensFrom: 5 } : {}),
  isServed: (name) => name !== 'idle',
};

describe('the snapshot of a running gateway', () => {
  it('leads to control planes that run here, and leaves others where the plan says', () => {
    const { clusters } = placedSnapshot(planned, facts);
    assert.deepEqual(clusters.ours?.apiServer, { sni: 'ours.example.com', backends: ['127.0.0.1:20001'] });
    assert.deepEqual(clusters.ours?.konnectivity.backends, ['127.0.0.1:20002']);
    assert.deepEqual(clusters.theirs, planned.clusters.theirs);
  });

  it('has only clusters that are run', () => {
    assert.deepEqual(Object.keys(placedSnapshot(planned, facts).clusters), ['ours', 'theirs']);
  });

  it('believes tokens of this platform beside those of the manifests', () => {
    assert.deepEqual(placedSnapshot(planned, facts).tunnel.publicKeys, ['of the manifests', 'of this platform']);
  });

  it('knows whose tokens are of which cluster, and whose are refused', () => {
    const { ours, theirs } = placedSnapshot(planned, facts).clusters;
    assert.deepEqual(
      [ours?.tokenAuthorities, ours?.evictedNodes, ours?.unboundTokensFrom],
      [[authority], [{ name: 'n1' }], 5],
    );
    assert.deepEqual(theirs, planned.clusters.theirs);
    const { version } = placedSnapshot(planned, facts);
    assert.notEqual(placedSnapshot(planned, { ...facts, revocations: () => ({}) }).version, version);
  });

  it('has another version when something is different, and the same when nothing is', () => {
    const { version } = placedSnapshot(planned, facts);
    assert.equal(placedSnapshot({ ...planned, version: 'other' }, facts).version, version);
    assert.notEqual(placedSnapshot(planned, { ...facts, upstreams: new Map() }).version, version);
  });
});
