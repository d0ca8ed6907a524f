import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noAllocations } from '../../model/index.ts';
import type { Cluster, Model, Platform, Seed } from '../../model/schema/index.ts';
import { buildContext } from '../build-context.ts';
import type { DnsRecord } from '../schema/index.ts';
import { sampleCluster, sampleDatacenter, sampleModel, samplePlatform, sampleSeed } from '../testing/sample-model.ts';
import { planDns } from './index.ts';

interface Parts {
  readonly platform?: Partial<Platform['spec']>;
  readonly seed?: Partial<Seed['spec']>;
  readonly clusters?: readonly Cluster[];
}
const modelOf = ({ platform, seed, clusters = [sampleCluster('web')] }: Parts): Model =>
  sampleModel({
    platform: samplePlatform(platform),
    seeds: [sampleSeed('seed', seed)],
    datacenters: [sampleDatacenter('dc1', { seed: 'seed' })],
    clusters,
  });
const recordsOf = (parts: Parts): DnsRecord[] => planDns(buildContext(modelOf(parts), noAllocations)).records;
const placesOf = (parts: Parts): Record<string, string> =>
  Object.fromEntries(recordsOf(parts).map((record) => [record.name, record.place]));
const recordNamed = (parts: Parts, name: string): DnsRecord | undefined =>
  recordsOf(parts).find((record) => record.name === name);

const monitored = { monitoring: { userClusters: true } };
const tunnelling = [sampleCluster('web', { exposeStrategy: 'Tunneling' })];
const balanced = [sampleCluster('web', { exposeStrategy: 'LoadBalancer' })];
const gateway = 'seed/seed/gateway';
const ingress = 'master/ingress';

describe('records of the setup checklist', () => {
  const expected = [
    ['kubermatic.example.com', ingress, 'DNS-2'],
    ['*.kubermatic.example.com', ingress, 'DNS-3'],
    ['grafana.kubermatic.example.com', ingress, 'DNS-5'],
    ['prometheus.kubermatic.example.com', ingress, 'DNS-6'],
    ['alertmanager.kubermatic.example.com', ingress, 'DNS-7'],
    ['*.seed.kubermatic.example.com', gateway, 'DNS-8'],
    ['alertmanager.seed.kubermatic.example.com', ingress, 'DNS-11'],
    ['grafana.seed.kubermatic.example.com', ingress, 'DNS-12'],
  ] as const;
  for (const [name, place, row] of expected) {
    it(`${name} points to ${place}`, () => {
      const record = recordNamed({ seed: monitored }, name);
      assert.deepEqual([record?.place, record?.requirement], [place, row]);
    });
  }

  it('are these and no others', () => {
    assert.deepEqual(
      recordsOf({ seed: monitored }).map((record) => record.name),
      expected.map(([name]) => name),
    );
  });

  it('kibana.kubermatic.example.com points to master/ingress where it is listed', () => {
    const platform = { monitoring: { services: ['grafana', 'kibana'] } } satisfies Partial<Platform['spec']>;
    assert.equal(placesOf({ platform })['kibana.kubermatic.example.com'], ingress);
    assert.equal(placesOf({})['kibana.kubermatic.example.com'], undefined);
    assert.equal(placesOf({ platform })['prometheus.kubermatic.example.com'], undefined);
  });
});

describe('the wildcard of a seed', () => {
  const wildcard = '*.seed.kubermatic.example.com';

  it('is not asked for where every cluster has its own load balancer', () => {
    assert.equal(placesOf({ clusters: balanced })[wildcard], undefined);
  });

  it('is asked for as soon as one cluster comes through the gateway, and names it', () => {
    const record = recordNamed({ clusters: [...balanced, sampleCluster('zoo')] }, wildcard);
    assert.deepEqual(record?.clusters, ['zoo']);
  });

  it('is there before the first cluster exactly if clusters are planned that will use the gateway', () => {
    assert.equal(recordNamed({ clusters: [] }, wildcard), undefined);
    assert.deepEqual(recordNamed({ clusters: [], seed: { plannedClusters: 1 } }, wildcard)?.clusters, []);
    const seed = { plannedClusters: 1, exposeStrategy: 'LoadBalancer' } as const;
    assert.equal(recordNamed({ clusters: [], seed }, wildcard), undefined);
  });

  it('has the DNS name of the seed, not the name of the document', () => {
    assert.equal(placesOf({ seed: { dnsName: 'eu' } })['*.eu.kubermatic.example.com'], gateway);
  });

  it('is all that changes with the strategy', () => {
    const [before, after] = [recordsOf({}), recordsOf({ clusters: balanced })];
    const gone = before.filter((record) => !after.some((other) => other.name === record.name));
    assert.deepEqual(
      gone.map((record) => record.name),
      [wildcard],
    );
    assert.deepEqual(
      after,
      before.filter((record) => record.name !== wildcard),
    );
  });
});

describe('without wildcards', () => {
  const platform = { dns: { wildcards: false } };

  it('every name of a cluster behind the tunnel is asked for', () => {
    assert.deepEqual(placesOf({ platform, clusters: tunnelling }), {
      'kubermatic.example.com': ingress,
      'grafana.kubermatic.example.com': ingress,
      'prometheus.kubermatic.example.com': ingress,
      'alertmanager.kubermatic.example.com': ingress,
      'tunnel.seed.kubermatic.example.com': gateway,
      'web.seed.kubermatic.example.com': gateway,
      'konnectivity-server.web.seed.kubermatic.example.com': gateway,
    });
  });

  it('one name is enough where konnectivity has a port of its own', () => {
    const names = Object.keys(placesOf({ platform })).filter((name) => name.includes('.seed.'));
    assert.deepEqual(names, ['web.seed.kubermatic.example.com']);
  });

  it('a cluster with its own load balancer needs none', () => {
    const names = Object.keys(placesOf({ platform, clusters: balanced })).filter((name) => name.includes('.seed.'));
    assert.deepEqual(names, []);
  });

  it('the tunnel needs no name where agents come in clear', () => {
    const seed = { gateway: { address: {}, tunnelAuthentication: 'none' } } satisfies Partial<Seed['spec']>;
    const names = Object.keys(placesOf({ platform, seed, clusters: tunnelling }));
    assert.ok(!names.includes('tunnel.seed.kubermatic.example.com'));
  });
});

describe('names of others in the zone', () => {
  const hiddenBy = (existing: string): string[] =>
    recordsOf({ platform: { dns: { existing: [existing] } }, clusters: tunnelling })
      .map((record) => record.name)
      .filter((name) => name.includes('.seed.') && !name.startsWith('*'));
  const both = ['web.seed.kubermatic.example.com', 'konnectivity-server.web.seed.kubermatic.example.com'];

  it('that hide a cluster from the wildcard give it records of its own', () => {
    assert.deepEqual(hiddenBy('web.seed.kubermatic.example.com'), both);
    assert.deepEqual(hiddenBy('Web.Seed.'), both, 'relative, and as people write it');
    assert.deepEqual(hiddenBy('old.web.seed'), both, 'a name below makes the cluster’s name exist');
  });

  it('that hide the tunnel from the wildcard give it a record of its own', () => {
    assert.deepEqual(hiddenBy('tunnel.seed'), ['tunnel.seed.kubermatic.example.com']);
  });

  it('elsewhere change nothing', () => {
    assert.deepEqual(hiddenBy('wiki'), []);
    assert.deepEqual(hiddenBy('other.seed'), []);
  });
});

describe('targets', () => {
  const base = (address: Platform['spec']['ingress']['address'], dns: Platform['spec']['dns'] = {}) =>
    recordNamed({ platform: { ingress: { address }, dns } }, 'kubermatic.example.com');

  it('are known once the load balancer has addresses', () => {
    const record = base({ ips: ['192.0.2.1', '2001:db8::1'] });
    assert.deepEqual([record?.phase, record?.addresses, record?.ttl], ['target', ['192.0.2.1', '2001:db8::1'], 300]);
  });

  it('are only names before', () => {
    const record = base({});
    assert.deepEqual([record?.phase, record?.addresses, record?.hostname], ['name', [], undefined]);
  });

  it('are the name that a cloud gave, rather than its addresses', () => {
    const record = base({ ips: ['192.0.2.1'], hostname: 'lb.cloud.example.net' });
    assert.deepEqual([record?.phase, record?.addresses, record?.hostname], ['target', [], 'lb.cloud.example.net']);
  });

  it('say that they may change', () => {
    assert.equal(base({ ips: ['192.0.2.1'], dynamic: true })?.dynamic, true);
    assert.equal(base({ ips: ['192.0.2.1'] })?.dynamic, undefined);
  });

  it('live as long as the manifests say', () => {
    assert.equal(base({}, { ttl: 60 })?.ttl, 60);
  });
});
