import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as ports from './ports.ts';
import { oneCluster } from './testing/one-cluster.ts';
import { samplePlatform, sampleSeed } from './testing/sample-model.ts';

const address = { ips: ['192.0.2.20'] };

it('ports are the known ones where nothing is configured', () => {
  const seed = sampleSeed();
  assert.deepEqual(ports.gatewayPortsOf(seed), {
    sni: 6443,
    tunnel: 8088,
    single: 443,
    offersSplit: true,
    offersSingle: false,
  });
  assert.equal(ports.nodePortRangeOf(seed), '30000-32767');
  assert.equal(ports.apiPortOf(seed.spec.api), 6443);
  assert.equal(ports.ingressPortOf(samplePlatform()), 443);
  assert.equal(ports.ingressHttpPortOf(samplePlatform()), 80);
});

it('ports are the configured ones', () => {
  const seed = sampleSeed('west', {
    gateway: { address, ports: { sni: 7443 }, nodePortRange: '31000-31999', offers: ['single', 'split'] },
  });
  const { sni, tunnel, offersSplit, offersSingle } = ports.gatewayPortsOf(seed);
  assert.deepEqual([sni, tunnel, offersSplit, offersSingle], [7443, 8088, true, true]);
  assert.equal(ports.nodePortRangeOf(seed), '31000-31999');
  assert.equal(ports.apiPortOf({ port: 443 }), 443);
  assert.equal(ports.ingressPortOf(samplePlatform({ ingress: { address, httpsPort: 8443 } })), 8443);
});

it('users use the split port where it is offered, workers what they are told', () => {
  const seed = { gateway: { address, offers: ['single' as const, 'split' as const] } };
  const c = oneCluster({ seed, cluster: { workers: { entry: 'single' } } });
  assert.equal(ports.userPortOf(c.seed), 6443);
  assert.deepEqual([ports.workerPortOf(c), ports.tunnelPortOf(c)], [443, 443]);
  assert.equal(ports.userPortOf(sampleSeed('x', { gateway: { address, offers: ['single'] } })), 443);
});
