import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noAllocations } from '../../model/index.ts';
import { buildContext } from '../build-context.ts';
import { oneCluster, oneClusterModel, type Specs } from '../testing/one-cluster.ts';
import { awsProvider, vsphereProvider } from '../testing/sample-model.ts';
import { planProxy } from './index.ts';
import { clusterNoProxy } from './no-proxy.ts';

const https = 'http://proxy.example.com:3128';
const listOf = (specs: Specs): string[] => clusterNoProxy(oneCluster(specs));
const listAt = (place: string, specs: Specs): string[] =>
  planProxy(buildContext(oneClusterModel(specs), noAllocations)).places[place]?.noProxy ?? assert.fail(place);

describe('NO_PROXY of a cluster', () => {
  /** The example that operators know: an API endpoint by address, and entries of the installation. */
  const known: Specs = {
    platform: { proxy: { https, noProxy: ['172.16.0.0/16', 'internal.corpdomain.net', 'example.com'] } },
    cluster: {
      exposeStrategy: 'LoadBalancer',
      loadBalancerIPs: ['178.170.32.59'],
      network: { services: ['100.64.0.0/13'], pods: ['100.96.0.0/11'] },
    },
  };

  it('has the known order: cluster, endpoint, installation, built-ins', () => {
    assert.equal(
      listOf(known).slice(0, 10).join(),
      'cluster.local,100.64.0.0/13,100.96.0.0/11,178.170.32.59,172.16.0.0/16,internal.corpdomain.net,example.com,svc,127.0.0.1,localhost',
    );
  });

  it('ends with what nodes reach without a proxy: metadata, resolver and each other', () => {
    assert.deepEqual(listOf(known).slice(10), ['::1', '169.254.20.10', '169.254.169.254', '10.2.0.0/24']);
  });

  it('has no empty entry while there is no endpoint and nothing is configured', () => {
    const list = listOf({ platform: { proxy: { https } }, cluster: { exposeStrategy: 'LoadBalancer' } });
    assert.deepEqual(list.slice(0, 4), ['cluster.local', '10.240.16.0/20', '172.25.0.0/16', 'svc']);
    assert.ok(list.every((entry) => entry !== ''));
  });

  it('is computed even if the installation names no exemptions', () => {
    assert.ok(listOf({ platform: { proxy: { https } } }).includes('web.west.kubermatic.example.com'));
  });

  it('has both families of a dual-stack cluster', () => {
    const list = listOf({ cluster: { network: { ipFamily: 'IPv4+IPv6' } } });
    assert.deepEqual(list.slice(1, 5), ['10.240.16.0/20', 'fd02::/108', '172.25.0.0/16', 'fd01::/48']);
  });

  it('is free of blanks and duplicates, in a stable order', () => {
    const noProxy = [
      ' corp.example.com ',
      'a.example.com, b.example.com',
      'corp.example.com',
      'localhost',
      '10.2.0.0/24',
    ];
    const list = listOf({ platform: { proxy: { https, noProxy } } });
    assert.deepEqual(list.slice(4, 9), [
      'corp.example.com',
      'a.example.com',
      'b.example.com',
      'localhost',
      '10.2.0.0/24',
    ]);
    assert.equal(new Set(list).size, list.length);
  });

  it('lacks the name of the gateway where the proxy is the only way to it', () => {
    for (const exposeStrategy of ['NodePort', 'Tunneling'] as const) {
      const list = listOf({
        platform: { proxy: { https } },
        datacenter: { workers: { route: 'proxy' } },
        cluster: { exposeStrategy },
      });
      assert.equal(
        list.find((entry) => entry.includes('kubermatic.example.com')),
        undefined,
      );
    }
  });

  it('has the agent IP only where a node agent serves it', () => {
    assert.ok(listOf({ cluster: { exposeStrategy: 'Tunneling' } }).includes('100.64.30.10'));
    assert.equal(listOf({}).includes('100.64.30.10'), false);
  });

  it('has the networks of the own tenant', () => {
    const tenants = [{ name: 'red', networks: ['10.2.64.0/24'] }];
    assert.equal(listOf({ datacenter: { tenants }, cluster: { tenant: 'red' } }).at(-1), '10.2.64.0/24');
  });

  it('has the private registry where that replaces the internet', () => {
    const registry = { host: 'registry.corp:5000', binaries: 'https://mirror.corp/k8s' };
    const offline = { platform: { proxy: { https }, egress: { mode: 'offline' as const }, registry } };
    assert.ok(listOf(offline).includes('registry.corp'));
    assert.ok(listOf(offline).includes('mirror.corp'));
    assert.equal(listOf({ platform: { proxy: { https }, registry } }).includes('registry.corp'), false);
  });
});

describe('NO_PROXY of a place', () => {
  const platform = { proxy: { https, noProxy: ['corp.example.com'] } };

  it('of nodes and of pods of a cluster is one list', () => {
    assert.deepEqual(listAt('cluster/web/pods', { platform }), listAt('cluster/web/nodes', { platform }));
  });

  it('of a datacenter exempts all clusters of its seed, unless the proxy is the only way', () => {
    const seedDomain = 'west.kubermatic.example.com';
    assert.ok(listAt('datacenter/dc1/nodes', { platform }).includes(seedDomain));
    const behind = { platform, datacenter: { workers: { route: 'proxy' as const } } };
    assert.equal(listAt('datacenter/dc1/nodes', behind).includes(seedDomain), false);
  });

  it('of the master and of a seed exempts the domain and every management API', () => {
    for (const place of ['master', 'seed/west/control-plane']) {
      const list = listAt(place, { platform });
      for (const entry of [
        'kubermatic.example.com',
        'api.master.example.com',
        'api.west.example.com',
        'corp.example.com',
      ])
        assert.ok(list.includes(entry), `${place}: ${entry}`);
    }
    assert.ok(listAt('master', { platform }).includes('10.0.0.0/24'));
    assert.ok(listAt('seed/west/control-plane', { platform }).includes('10.1.0.0/24'));
  });

  it('of the master and of a seed exempts their pods and services, where they are written down', () => {
    const nodes = { networks: ['10.9.0.0/24'], pods: ['10.244.0.0/16', 'fd00:1::/48'], services: ['10.96.0.0/16'] };
    const inside = ['10.96.0.0/16', '10.244.0.0/16', 'fd00:1::/48'];
    const master = { nodes, api: { host: 'api.master.example.com' } };
    assert.deepEqual(listAt('master', { platform: { ...platform, master } }).slice(2, 5), inside);
    assert.deepEqual(listAt('seed/west/control-plane', { platform, seed: { nodes } }).slice(2, 5), inside);
  });

  it('of a control plane exempts its own endpoint and what konnectivity reaches', () => {
    const cluster = { exposeStrategy: 'LoadBalancer' as const, loadBalancerIPs: ['192.0.2.9'] };
    const list = listAt('cluster/web/control-plane', { platform, cluster });
    for (const entry of ['192.0.2.9', '172.25.0.0/16', '10.240.16.0/20', '10.2.0.0/24', 'cluster.local', 'svc'])
      assert.ok(list.includes(entry), entry);
  });
});

describe('what the matrix lets through directly', () => {
  const platform = {
    proxy: { https },
    authentication: {
      external: { issuer: 'https://sso.corp.example/realm', clientID: 'c', clientSecret: { env: 'S' } },
    },
  };
  const seed = { backup: { s3: { endpoint: 'https://s3.corp.example', bucket: 'b', credentials: { env: 'S3' } } } };

  it('is exempt in the seed: private provider API, backup bucket and issuer', () => {
    const list = listAt('seed/west/control-plane', { platform, seed, datacenter: { provider: vsphereProvider() } });
    for (const host of ['vcenter.example.com', 's3.corp.example', 'sso.corp.example'])
      assert.ok(list.includes(host), host);
  });

  it('is exempt on nodes: the private provider API, but never a public cloud', () => {
    assert.ok(listOf({ platform, datacenter: { provider: vsphereProvider() } }).includes('vcenter.example.com'));
    const aws = listOf({ platform, datacenter: { provider: awsProvider('eu-central-1') } });
    assert.ok(!aws.some((entry) => entry.includes('amazonaws')));
  });
});
