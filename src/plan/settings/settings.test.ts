import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newCache } from '../cache.ts';
import { plan } from '../plan.ts';
import { oneCluster, oneClusterModel, type Specs } from '../testing/one-cluster.ts';
import { sampleCluster, sampleDatacenter, sampleModel, sampleSeed } from '../testing/sample-model.ts';
import { clusterSettings, settingsOf as plannedSettingsOf, seedSettings } from './index.ts';

const effectiveOf = (specs?: Specs) => oneCluster(specs).effective;
const settingsOf = (specs?: Specs) => oneCluster(specs).settings;

describe('a setting', () => {
  it('of the most specific document wins', () => {
    const platform = { exposeStrategy: 'NodePort' } as const;
    const seed = { exposeStrategy: 'LoadBalancer' } as const;
    const cluster = { exposeStrategy: 'Tunneling' } as const;
    assert.equal(effectiveOf({ platform }).exposeStrategy, 'NodePort');
    assert.equal(effectiveOf({ platform, seed }).exposeStrategy, 'LoadBalancer');
    assert.equal(effectiveOf({ platform, seed, datacenter: cluster }).exposeStrategy, 'Tunneling');
    assert.equal(effectiveOf({ platform: cluster, seed, cluster: platform }).exposeStrategy, 'NodePort');
  });

  it('says which document and field set it', () => {
    const settings = settingsOf({ datacenter: { workers: { entry: 'single' } } });
    assert.deepEqual(settings['workers.entry'], {
      value: 'single',
      from: { level: 'Datacenter', name: 'dc1', field: 'spec.workers.entry' },
    });
  });

  it('says what it overrode, nearest first', () => {
    const settings = settingsOf({
      platform: { limits: { idleTimeout: '3h' } },
      seed: { limits: { idleTimeout: '2h' } },
      cluster: { limits: { idleTimeout: '30m' } },
    });
    assert.deepEqual(settings['limits.idleTimeout'], {
      value: '30m',
      from: { level: 'Cluster', name: 'web', field: 'spec.limits.idleTimeout' },
      overrode: [
        { value: '2h', from: { level: 'Seed', name: 'west', field: 'spec.limits.idleTimeout' } },
        { value: '3h', from: { level: 'Platform', name: 'sample', field: 'spec.limits.idleTimeout' } },
      ],
    });
  });

  it('that nobody sets says that it is a default', () => {
    assert.deepEqual(settingsOf()['network.agentIP'], { value: '100.64.30.10', from: { level: 'default' } });
  });

  it('that nobody sets and that has no default is absent', () => {
    const settings = settingsOf();
    for (const key of ['limits.allowedSourceRanges', 'registry', 'proxy', 'proxy.noProxy'])
      assert.equal(Object.hasOwn(settings, key), false, key);
  });

  it('has limits that bound a cluster where nobody sets any', () => {
    const { maxConnections, connectionsPerSecond, idleTimeout, halfClosedTimeout } = effectiveOf({});
    assert.deepEqual(
      { maxConnections, connectionsPerSecond, idleTimeout, halfClosedTimeout },
      { maxConnections: 20_000, connectionsPerSecond: 1000, idleTimeout: '1h', halfClosedTimeout: '1m' },
    );
  });

  it('is inherited one by one, not block by block', () => {
    const { pods, services, cni } = effectiveOf({
      platform: { network: { pods: ['10.10.0.0/16'], cni: 'canal' } },
      cluster: { network: { services: ['10.20.0.0/16'] } },
    });
    assert.deepEqual([pods, services, cni], [['10.10.0.0/16'], ['10.20.0.0/16'], 'canal']);
  });
});

describe('Pod Security', () => {
  it('is said once for all below, and is open where nobody says it', () => {
    assert.equal(effectiveOf().podSecurity, undefined);
    assert.equal(effectiveOf({ platform: { podSecurity: 'restricted' } }).podSecurity, 'restricted');
    const both = effectiveOf({ platform: { podSecurity: 'restricted' }, cluster: { podSecurity: 'privileged' } });
    assert.equal(both.podSecurity, 'privileged');
  });
});

describe('defaults', () => {
  it('are the numbers that existing installations use', () => {
    const { exposeStrategy, pods, services, agentIP, dnsDomain, nodeLocalDNS, cni } = effectiveOf();
    assert.equal(exposeStrategy, 'NodePort');
    assert.deepEqual(pods, ['172.25.0.0/16']);
    assert.deepEqual(services, ['10.240.16.0/20']);
    assert.equal(agentIP, '100.64.30.10');
    assert.deepEqual([dnsDomain, nodeLocalDNS, cni], ['cluster.local', '169.254.20.10', 'cilium']);
  });

  it('of a dual-stack cluster have both families, IPv4 first', () => {
    const { pods, services } = effectiveOf({ seed: { network: { ipFamily: 'IPv4+IPv6' } } });
    assert.deepEqual(pods, ['172.25.0.0/16', 'fd01::/48']);
    assert.deepEqual(services, ['10.240.16.0/20', 'fd02::/108']);
  });

  it('of kube-proxy follow the Kubernetes minor: nftables from 1.35 on', () => {
    const modeOf = (kubernetesVersion: string) => effectiveOf({ cluster: { kubernetesVersion } }).proxyMode;
    assert.deepEqual(['1.34.9', '1.35.0', '1.36.3'].map(modeOf), ['ipvs', 'nftables', 'nftables']);
  });

  it('of the entry follow what the gateway offers, split ports first', () => {
    const entryOf = (offers: ('split' | 'single')[]) =>
      effectiveOf({ seed: { gateway: { address: { ips: ['192.0.2.20'] }, offers } } }).entry;
    assert.equal(effectiveOf().entry, 'split');
    assert.deepEqual([entryOf(['single']), entryOf(['single', 'split'])], ['single', 'split']);
  });

  it('of the egress mode are proxy where there is one, else direct', () => {
    const proxy = { https: 'http://proxy.example.com:3128' };
    assert.equal(effectiveOf().egressMode, 'direct');
    assert.equal(effectiveOf({ platform: { proxy } }).egressMode, 'proxy');
    assert.equal(effectiveOf({ platform: { proxy }, datacenter: { proxy: { enabled: false } } }).egressMode, 'direct');
  });
});

describe('sharing', () => {
  it('gives clusters that set nothing one object per Kubernetes minor', () => {
    const source = { cache: newCache(), model: sampleModel() };
    const [seed, datacenter] = [sampleSeed(), sampleDatacenter()];
    const resolved = (name: string, kubernetesVersion: string) =>
      clusterSettings(source, seed, datacenter, sampleCluster(name, { kubernetesVersion }));
    assert.equal(resolved('a', '1.34.1'), resolved('b', '1.34.2'));
    assert.notEqual(resolved('a', '1.34.1'), resolved('b', '1.36.0'));
  });

  it('never hands the settings of one platform to another', () => {
    const [cache, seed] = [newCache(), sampleSeed()];
    const strategyUnder = (exposeStrategy: 'NodePort' | 'Tunneling') => {
      const model = sampleModel();
      const platform = { ...model.platform, spec: { ...model.platform.spec, exposeStrategy } };
      return seedSettings({ cache, model: { platform } }, seed).effective.exposeStrategy;
    };
    assert.deepEqual([strategyUnder('NodePort'), strategyUnder('Tunneling')], ['NodePort', 'Tunneling']);
  });
});

describe('settings of a plan', () => {
  it('have the names and types that the planner uses, and the same values', () => {
    const specs: Specs = {
      cluster: { network: { pods: ['10.9.0.0/16'], cni: 'calico' }, konnectivity: { replicas: 4 } },
    };
    const { effective } = oneCluster(specs);
    const planned = plan(oneClusterModel(specs));
    const [name] = Object.keys(planned.settings.clusters);
    assert.deepEqual(plannedSettingsOf(planned, name as string), effective);
    assert.deepEqual(effective.pods, ['10.9.0.0/16']);
  });

  it('of a cluster that is not planned are an error, not undefined values', () => {
    assert.throws(() => plannedSettingsOf(plan(oneClusterModel({})), 'nowhere'), /nowhere is not planned/);
  });
});
