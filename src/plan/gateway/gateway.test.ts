import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { noAllocations } from '../../model/index.ts';
import type { Model, Seed } from '../../model/schema/index.ts';
import { buildContext } from '../build-context.ts';
import type { GatewaySnapshot } from '../schema/index.ts';
import { arbitraryModel } from '../testing/arbitrary-model.ts';
import { oneClusterModel, type Specs } from '../testing/one-cluster.ts';
import { sampleCluster, sampleSeed, sampleTunnelKey } from '../testing/sample-model.ts';
import { planGateways } from './index.ts';

const gatewaysOf = (model: Model) => planGateways(buildContext(model, noAllocations));
const snapshotOf = (model: Model): GatewaySnapshot => gatewaysOf(model).west as GatewaySnapshot;
const clusterOf = (specs: Specs) => snapshotOf(oneClusterModel(specs)).clusters.web;
const certificate = { certFile: 'gateway.crt', keyFile: 'gateway.key' };
const limited = (allowedSourceRanges: string[]): Specs['cluster'] => ({ limits: { allowedSourceRanges } });

describe('the snapshot of a gateway', () => {
  it('has the listeners that the seed offers', () => {
    const listenersOf = (offers?: ('split' | 'single')[]) =>
      snapshotOf(oneClusterModel({ seed: { gateway: { address: {}, offers } } })).listeners;
    const nodePortRange = '30000-32767';
    assert.deepEqual(listenersOf(), { sni: 6443, tunnel: 8088, nodePortRange });
    assert.deepEqual(listenersOf(['single']), { single: 443, nodePortRange });
    assert.deepEqual(listenersOf(['single', 'split']), { sni: 6443, tunnel: 8088, single: 443, nodePortRange });
  });

  it('reserves a name for the tunnel and asks agents for a token', () => {
    assert.deepEqual(snapshotOf(oneClusterModel()).tunnel, {
      name: 'tunnel.west.kubermatic.example.com',
      authentication: 'token',
      certificate,
    });
  });

  it('names the certificate of a tunnel that speaks TLS, and of no other', () => {
    const certificateOf = (gateway: Partial<Seed['spec']['gateway']>) =>
      snapshotOf(oneClusterModel({ seed: { gateway: { address: {}, ...gateway } } })).tunnel.certificate;
    assert.deepEqual(certificateOf({ tunnelAuthentication: 'certificate' }), certificate);
    assert.equal(certificateOf({ tunnelAuthentication: 'none' }), undefined);
    assert.equal(certificateOf({ tunnelAuthentication: 'none', offers: ['split'] }), undefined);
    assert.deepEqual(certificateOf({ tunnelAuthentication: 'none', offers: ['single'] }), certificate);
  });

  it('has the keys and authorities of agents, however their lines are written', () => {
    const tunnelOf = (gateway: Partial<Seed['spec']['gateway']>) =>
      snapshotOf(oneClusterModel({ seed: { gateway: { address: {}, ...gateway } } })).tunnel;
    const authority = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
    const { publicKeys, clientAuthorities } = tunnelOf({
      tunnelKeys: [sampleTunnelKey],
      tunnelAuthorities: [authority],
    });
    assert.deepEqual([publicKeys, clientAuthorities], [[sampleTunnelKey], [authority]]);
    const indented = sampleTunnelKey.trim().replaceAll('\n', '\r\n  ');
    assert.deepEqual(tunnelOf({ tunnelKeys: [indented] }), tunnelOf({ tunnelKeys: [sampleTunnelKey] }));
  });

  it('believes only balancers that are named', () => {
    assert.deepEqual(snapshotOf(oneClusterModel()).trustedBalancers, []);
    const gateway = { address: {}, trustedBalancers: ['10.1.0.0/28'] };
    assert.deepEqual(snapshotOf(oneClusterModel({ seed: { gateway } })).trustedBalancers, ['10.1.0.0/28']);
  });

  it('exists for a seed without clusters too', () => {
    assert.deepEqual(snapshotOf({ ...oneClusterModel(), clusters: [] }).clusters, {});
  });
});

describe('a cluster at the gateway', () => {
  it('is recognised by port, by own address, or by name and authority', () => {
    const nodePort = clusterOf({});
    assert.deepEqual(nodePort?.apiServer, {
      nodePort: 30000,
      backends: ['apiserver-external.cluster-web.svc.cluster.local:443'],
    });
    const balanced = clusterOf({ cluster: { exposeStrategy: 'LoadBalancer', loadBalancerIPs: ['192.0.2.9'] } });
    assert.deepEqual(balanced?.konnectivity, {
      addresses: ['192.0.2.9'],
      port: 30001,
      backends: ['konnectivity-server.cluster-web.svc.cluster.local:443'],
    });
    const tunneled = clusterOf({ cluster: { exposeStrategy: 'Tunneling' } });
    assert.equal(tunneled?.apiServer.sni, 'web.west.kubermatic.example.com');
    assert.equal(tunneled?.apiServer.authority, 'apiserver-external.cluster-web.svc.cluster.local:443');
    assert.equal(tunneled?.konnectivity.sni, 'konnectivity-server.web.west.kubermatic.example.com');
    assert.equal(tunneled?.konnectivity.authority, undefined);
  });

  it('that something else runs leads to where that runs', () => {
    const external = { apiServer: ['10.5.0.1:6443', '10.5.0.2:6443'], konnectivity: ['10.5.0.1:8132'] };
    const cluster = clusterOf({ cluster: { controlPlane: { external } } });
    assert.deepEqual(cluster?.apiServer.backends, external.apiServer);
    assert.deepEqual(cluster?.konnectivity.backends, external.konnectivity);
  });

  it('has the limits that are set, and bounds where none are', () => {
    const limits = { maxConnections: 10, connectionsPerSecond: 5, idleTimeout: '10m', halfClosedTimeout: '5m' };
    const { apiServer: _, konnectivity: __, ...shown } = clusterOf({ cluster: { limits } }) ?? assert.fail();
    assert.deepEqual(shown, limits);
    assert.equal(clusterOf({})?.maxConnections, 20_000);
  });
});

describe('allowed source ranges', () => {
  it('are absent where everybody may come', () => {
    assert.equal(Object.hasOwn(clusterOf({}) ?? {}, 'allowedSourceRanges'), false);
  });

  it('always hold the own workers, the master and the seed', () => {
    const own = ['10.2.0.0/24', '10.0.0.0/24', '10.1.0.0/24'];
    assert.deepEqual(clusterOf({ cluster: limited(['192.0.2.0/24']) })?.allowedSourceRanges, ['192.0.2.0/24', ...own]);
    assert.deepEqual(clusterOf({ cluster: limited([]) })?.allowedSourceRanges, own);
  });

  it('hold the workers of the own tenant and of no other', () => {
    const tenants = ['red', 'blue'].map((name, i) => ({ name, networks: [`10.2.${64 + i}.0/24`] }));
    const ranges = clusterOf({ datacenter: { tenants }, cluster: { ...limited([]), tenant: 'blue' } });
    assert.deepEqual(ranges?.allowedSourceRanges?.slice(0, 1), ['10.2.65.0/24']);
    assert.equal(ranges?.allowedSourceRanges?.includes('10.2.64.0/24'), false);
  });

  it('hold the proxy that workers come through, as its address is what the gateway sees', () => {
    const through = (https: string, route: 'proxy' | 'direct') =>
      clusterOf({ platform: { proxy: { https }, workers: { route } }, cluster: limited([]) })?.allowedSourceRanges;
    assert.ok(through('http://10.9.0.3:3128', 'proxy')?.includes('10.9.0.3/32'));
    assert.ok(through('http://[2001:db8::3]:3128', 'proxy')?.includes('2001:db8::3/128'));
    assert.equal(through('http://10.9.0.3:3128', 'direct')?.includes('10.9.0.3/32'), false);
  });

  it('name each network once', () => {
    const ranges = clusterOf({ cluster: limited(['10.1.0.0/24', '10.2.0.0/24']) })?.allowedSourceRanges ?? [];
    assert.equal(new Set(ranges).size, ranges.length);
  });
});

describe('the version of a snapshot', () => {
  const contentOf = ({ version: _, ...content }: GatewaySnapshot): string => JSON.stringify(content);

  it('stays when documents change and the content does not', () => {
    const model = oneClusterModel();
    const relabelled = { ...sampleCluster('web'), metadata: { name: 'web', labels: { team: 'shop' } } };
    assert.equal(snapshotOf({ ...model, clusters: [relabelled] }).version, snapshotOf(model).version);
  });

  it('changes with a limit, a listener, a cluster or a name', () => {
    const versions = [
      oneClusterModel(),
      oneClusterModel({ cluster: { limits: { maxConnections: 7 } } }),
      oneClusterModel({ seed: { gateway: { address: {}, ports: { tunnel: 9088 } } } }),
      { ...oneClusterModel(), clusters: [sampleCluster('web'), sampleCluster('web-2')] },
      { ...oneClusterModel(), clusters: [sampleCluster('shop')] },
      { ...oneClusterModel(), seeds: [sampleSeed('west', { dnsName: 'w' })] },
    ].map((model) => snapshotOf(model).version);
    assert.equal(new Set(versions).size, versions.length);
  });

  it('is equal exactly where the content is', () => {
    fc.assert(
      fc.property(arbitraryModel(), arbitraryModel(), (a, b) => {
        const snapshots = [...Object.values(gatewaysOf(a)), ...Object.values(gatewaysOf(b))];
        for (const one of snapshots)
          for (const other of snapshots)
            assert.equal(one.version === other.version, contentOf(one) === contentOf(other));
      }),
      { numRuns: 50 },
    );
  });
});
