import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noAllocations } from '../../model/index.ts';
import { buildContext } from '../build-context.ts';
import type { ProxyPlan } from '../schema/index.ts';
import { oneCluster, oneClusterModel, type Specs } from '../testing/one-cluster.ts';
import { planProxy } from './index.ts';
import { reachabilityOf } from './reachability.ts';

const proxy = {
  http: 'http://proxy.example.com:3128',
  https: 'http://proxy.example.com:3129',
  credentials: { secret: { name: 'proxy-login', key: 'login' } },
  trustBundle: { file: '/etc/proxy-ca.pem' },
};
const planned = (specs: Specs): ProxyPlan => planProxy(buildContext(oneClusterModel(specs), noAllocations));
const placesOf = (specs: Specs): string[] => Object.keys(planned(specs).places);
const allPlaces = [
  'master',
  'seed/west/control-plane',
  'datacenter/dc1/nodes',
  'cluster/web/control-plane',
  'cluster/web/nodes',
  'cluster/web/pods',
];

describe('a proxy', () => {
  it('of the platform is that of every place', () => {
    assert.deepEqual(placesOf({ platform: { proxy } }), allPlaces);
  });

  it('is shown with references to its secrets and with the document that set it', () => {
    const { noProxy: _, ...shown } = planned({ platform: { proxy } }).places.master ?? assert.fail();
    assert.deepEqual(shown, { ...proxy, from: 'Platform/sample' });
  });

  it('of one scheme leaves the other unset', () => {
    const { http, https } = planned({ platform: { proxy: { https: proxy.https } } }).places.master ?? {};
    assert.deepEqual([http, https], [undefined, proxy.https]);
    assert.equal(
      Object.hasOwn(planned({ platform: { proxy: { https: proxy.https } } }).places.master ?? {}, 'http'),
      false,
    );
  });

  it('of a cluster is for its workers; its control plane has that of the seed', () => {
    const own = { https: 'http://own.example.com:8080' };
    const { places } = planned({ platform: { proxy }, cluster: { proxy: own } });
    assert.equal(places['cluster/web/nodes']?.https, own.https);
    assert.equal(places['cluster/web/nodes']?.credentials, undefined);
    assert.equal(places['cluster/web/control-plane']?.https, proxy.https);
  });

  it('that is switched off for a datacenter is no proxy of its nodes', () => {
    assert.deepEqual(placesOf({ platform: { proxy }, datacenter: { proxy: { enabled: false } } }), [
      'master',
      'seed/west/control-plane',
      'cluster/web/control-plane',
    ]);
  });

  it('is not used where downloads go elsewhere', () => {
    assert.deepEqual(placesOf({ platform: { proxy, egress: { mode: 'offline' } } }), []);
    assert.equal(
      placesOf({ platform: { proxy }, datacenter: { egress: { mode: 'direct' } } }).includes(allPlaces[4] ?? ''),
      false,
    );
  });

  it('is used by nodes, not by pods, where only the gateway is behind it', () => {
    const platform = { proxy, egress: { mode: 'direct' as const }, workers: { route: 'proxy' as const } };
    assert.deepEqual(placesOf({ platform }), ['cluster/web/nodes']);
  });

  it('does not exist where none is configured', () => {
    assert.deepEqual(placesOf({}), []);
  });
});

describe('reachability', () => {
  const behind = (exposeStrategy: 'NodePort' | 'Tunneling'): Specs => ({
    platform: { proxy },
    datacenter: { workers: { route: 'proxy' } },
    cluster: { exposeStrategy },
  });
  const waysOf = (specs: Specs) => {
    const { kubelet, konnectivityAgent, nodeAgent, pods } = reachabilityOf(oneCluster(specs));
    return [kubelet.by, konnectivityAgent.by, nodeAgent?.by, pods.by];
  };

  it('is direct where the worker network reaches the gateway, proxy or not', () => {
    assert.deepEqual(waysOf({ cluster: { exposeStrategy: 'NodePort' } }), ['direct', 'direct', undefined, 'direct']);
    assert.deepEqual(waysOf({ platform: { proxy }, cluster: { exposeStrategy: 'Tunneling' } }), [
      'direct',
      'direct',
      'direct',
      'node-agent',
    ]);
  });

  it('is by environment for kubelet and konnectivity agent, by option for the node agent, where the proxy is the only way', () => {
    assert.deepEqual(waysOf(behind('Tunneling')), [
      'proxy-environment',
      'proxy-environment',
      'proxy-option',
      'node-agent',
    ]);
  });

  it('names what each program dials', () => {
    const { kubelet, konnectivityAgent, nodeAgent, pods } = reachabilityOf(oneCluster(behind('Tunneling')));
    assert.equal(kubelet.target, 'web.west.kubermatic.example.com:6443');
    assert.equal(konnectivityAgent.target, 'konnectivity-server.web.west.kubermatic.example.com:6443');
    assert.equal(nodeAgent?.target, 'tunnel.west.kubermatic.example.com:8088');
    assert.equal(pods.target, '100.64.30.10:6443');
  });

  it('of pods without a node agent ends at the proxy, and says so', () => {
    assert.match(reachabilityOf(oneCluster(behind('NodePort'))).pods.reason, /only the proxy gets through/);
  });

  it('is pending while a load balancer has no address', () => {
    const { kubelet, pods } = reachabilityOf(oneCluster({ cluster: { exposeStrategy: 'LoadBalancer' } }));
    assert.deepEqual([kubelet.target, pods.target], ['pending', 'pending']);
  });

  it('has IPv6 addresses in brackets', () => {
    const cluster = { exposeStrategy: 'LoadBalancer' as const, loadBalancerIPs: ['2001:db8::9'] };
    assert.equal(reachabilityOf(oneCluster({ cluster })).kubelet.target, '[2001:db8::9]:30000');
  });
});
