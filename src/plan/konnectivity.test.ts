import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { konnectivityOf } from './konnectivity.ts';
import { oneCluster, type Specs } from './testing/one-cluster.ts';

const planned = (specs?: Specs) => konnectivityOf(oneCluster(specs));
const proxy = { https: 'http://proxy.example.com:3128' };

describe('konnectivity agents', () => {
  it('dial the konnectivity port of a NodePort cluster', () => {
    const ports = { web: { apiServer: 31234, konnectivity: 31235 } };
    const { agent } = konnectivityOf(oneCluster({}, { pools: {}, nodePorts: { west: ports } }));
    assert.deepEqual([agent.host, agent.port], ['web.west.kubermatic.example.com', 31235]);
  });

  it('dial a name of their own where names tell services apart', () => {
    const { agent } = planned({ cluster: { exposeStrategy: 'Tunneling' } });
    assert.deepEqual([agent.host, agent.port], ['konnectivity-server.web.west.kubermatic.example.com', 6443]);
  });

  it('have nobody to dial while a load balancer has no address', () => {
    assert.equal(planned({ cluster: { exposeStrategy: 'LoadBalancer' } }).agent.host, null);
  });

  it('go through the proxy only where it is the only way to the gateway', () => {
    assert.equal(planned({ platform: { proxy } }).agent.viaProxy, false);
    assert.equal(planned({ platform: { proxy, workers: { route: 'proxy' } } }).agent.viaProxy, true);
    assert.equal(planned({ platform: { workers: { route: 'proxy' } } }).agent.viaProxy, false);
  });

  it('never stop looking for servers where one address hides several', () => {
    assert.equal(planned().agent.syncForever, true);
    assert.equal(planned({ platform: { konnectivity: { replicas: 1 } } }).agent.syncForever, false);
  });
});

describe('konnectivity servers', () => {
  it('are as many as API servers, and agents are told the number', () => {
    const { server } = planned({ cluster: { controlPlane: { managed: { replicas: 3 } } } });
    assert.deepEqual([server.replicas, server.serverCount], [3, 3]);
    assert.equal(planned().server.replicas, 2);
  });

  it('have the ports and the token audience of upstream', () => {
    const { agentPort, adminPort, healthPort, tokenAudience } = planned().server;
    assert.deepEqual([agentPort, adminPort, healthPort], [8132, 8133, 8134]);
    assert.equal(tokenAudience, 'system:konnectivity-server');
  });

  it('and agents have one keepalive', () => {
    const { server, agent } = planned({ datacenter: { konnectivity: { keepalive: '20s', agents: 5 } } });
    assert.deepEqual([server.keepalive, agent.keepalive, agent.replicas], ['20s', '20s', 5]);
  });
});
