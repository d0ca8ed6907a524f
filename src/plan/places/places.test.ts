import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseRange } from '../../core/ip.ts';
import type { Model } from '../../model/schema/index.ts';
import type { Place } from '../schema/index.ts';
import { arbitraryModel } from '../testing/arbitrary-model.ts';
import { placesOf } from '../testing/flows-of.ts';
import {
  awsProvider,
  sampleCluster,
  sampleDatacenter,
  sampleModel,
  samplePlatform,
  samplePool,
  sampleSeed,
  vsphereProvider,
} from '../testing/sample-model.ts';

const known = (model: Model, id: string): Omit<Place, 'id' | 'title'> => {
  const place = placesOf(model)[id];
  ok(place !== undefined, `${id} is no place`);
  const { networks, hosts, pending } = place;
  return { networks, hosts, pending };
};

test('a place keeps both address families', () => {
  const platform = samplePlatform({ users: { networks: ['10.100.0.0/16', '2001:db8::/48'] } });
  deepEqual(known(sampleModel({ platform }), 'users').networks, ['10.100.0.0/16', '2001:db8::/48']);
  const seeds = [sampleSeed('west', { gateway: { address: { ips: ['192.0.2.20', '2001:db8::20'] } } })];
  deepEqual(known(sampleModel({ seeds }), 'seed/west/gateway').networks, ['192.0.2.20', '2001:db8::20']);
});

test('an API given by address is a network, one given by name is a host', () => {
  const at = (host: string) => known(sampleModel({ seeds: [sampleSeed('west', { api: { host } })] }), 'seed/west/api');
  deepEqual(at('10.1.0.10'), { networks: ['10.1.0.10'], hosts: [], pending: false });
  deepEqual(at('api.example.com'), { networks: [], hosts: ['api.example.com'], pending: false });
});

test('an API without a load balancer is also found on its control-plane nodes', () => {
  const nodes = { networks: ['10.1.0.0/24'], controlPlane: ['10.1.0.11', '10.1.0.12', '10.1.0.13'] };
  const api = { host: 'api.example.com', loadBalancer: false };
  const place = known(sampleModel({ seeds: [sampleSeed('west', { nodes, api })] }), 'seed/west/api');
  deepEqual(place.networks, ['10.1.0.11', '10.1.0.12', '10.1.0.13']);
});

test('a gateway is pending until it has an address, and then it is not', () => {
  const gateway = (address: object) =>
    known(sampleModel({ seeds: [sampleSeed('west', { gateway: { address } })] }), 'seed/west/gateway');
  deepEqual(gateway({ dynamic: true }), { networks: [], hosts: [], pending: true });
  deepEqual(gateway({ hostname: 'lb.cloud.example.net' }), {
    networks: [],
    hosts: ['lb.cloud.example.net'],
    pending: false,
  });
});

test('a gateway that draws from a pool is where the pool put it', () => {
  const seeds = [sampleSeed('west', { gateway: { address: { pool: 'vips' } } })];
  const pools = [samplePool('vips', { seed: 'west', ranges: ['10.9.0.16/28'] })];
  deepEqual(known(sampleModel({ seeds, pools }), 'seed/west/gateway').networks.length, 1);
});

test('load balancers of single clusters are the whole pool, plus addresses fixed outside of it', () => {
  const pools = [samplePool('vips', { seed: 'west', ranges: ['10.9.0.0/24'] })];
  const clusters = [
    sampleCluster('a', { loadBalancerIPs: ['10.9.0.7'] }),
    sampleCluster('b', { loadBalancerIPs: ['10.77.0.1'] }),
    sampleCluster('c'),
  ];
  const platform = samplePlatform({ exposeStrategy: 'LoadBalancer' });
  deepEqual(known(sampleModel({ platform, pools, clusters }), 'seed/west/load-balancers'), {
    networks: ['10.9.0.0/24', '10.77.0.1'],
    hosts: [],
    pending: false,
  });
});

test('load balancers that a cloud will hand out are pending as long as one is missing', () => {
  const platform = samplePlatform({ exposeStrategy: 'LoadBalancer' });
  const clusters = [sampleCluster('a', { loadBalancerHostname: 'a.elb.example.net' }), sampleCluster('b')];
  const place = known(sampleModel({ platform, clusters }), 'seed/west/load-balancers');
  deepEqual(place, { networks: [], hosts: ['a.elb.example.net'], pending: true });
});

test('a seed without LoadBalancer clusters has no such place', () => {
  ok(!('seed/west/load-balancers' in placesOf(sampleModel())));
});

test('workers of a tenant are in its networks, and all others in those of the datacenter', () => {
  const tenants = [{ name: 'a', networks: ['10.20.0.0/24', '2001:db8:20::/64'] }];
  const datacenters = [sampleDatacenter('dc1', { tenants })];
  const model = sampleModel({ datacenters });
  deepEqual(known(model, 'datacenter/dc1/workers').networks, ['10.2.0.0/24']);
  const place = placesOf(model)['datacenter/dc1/tenants/a/workers'];
  equal(place?.title, 'Workers of tenant a in datacenter dc1');
  deepEqual(place?.networks, ['10.20.0.0/24', '2001:db8:20::/64']);
});

test('a master that is its own seed shares its networks and keeps both names', () => {
  const master = { nodes: { networks: ['10.1.0.0/24'] }, api: { host: 'api.west.example.com' }, seed: 'west' };
  const places = placesOf(sampleModel({ platform: samplePlatform({ master }) }));
  deepEqual(places['master/nodes']?.networks, places['seed/west/nodes']?.networks);
});

test('provider APIs are known by host: vCenter from its endpoint, AWS by region', () => {
  const hosts = (provider: ReturnType<typeof vsphereProvider>) =>
    known(sampleModel({ datacenters: [sampleDatacenter('dc1', { provider })] }), 'datacenter/dc1/provider-api').hosts;
  deepEqual(hosts(vsphereProvider()), ['vcenter.example.com']);
  ok(hosts(awsProvider('eu-central-1')).includes('ec2.eu-central-1.amazonaws.com'));
  ok(!('datacenter/dc1/provider-api' in placesOf(sampleModel())), 'bare machines have none');
});

test('every proxy of every level is a place of its own', () => {
  const platform = samplePlatform({ proxy: { https: 'http://proxy.example.com:3128' } });
  const clusters = [sampleCluster('a', { proxy: { https: 'http://[2001:db8::31]:3128' } })];
  const places = placesOf(sampleModel({ platform, clusters }));
  deepEqual(places['proxy/proxy.example.com:3128']?.hosts, ['proxy.example.com']);
  deepEqual(places['proxy/[2001:db8::31]:3128']?.networks, ['2001:db8::31']);
});

test('DNS servers of a datacenter are a place of their own', () => {
  const nodes = { networks: ['10.2.0.0/24'], dnsServers: ['10.2.0.53'] };
  const platform = samplePlatform({ dns: { servers: ['10.0.0.53'] } });
  const model = sampleModel({ platform, datacenters: [sampleDatacenter('dc1', { nodes })] });
  deepEqual(known(model, 'dns/resolvers').networks, ['10.0.0.53']);
  deepEqual(known(model, 'datacenter/dc1/resolvers').networks, ['10.2.0.53']);
});

test('every place is listed under its own id, with networks that parse, and is pending exactly if nothing is known', () => {
  fc.assert(
    fc.property(arbitraryModel(), (model) => {
      for (const [id, place] of Object.entries(placesOf(model))) {
        equal(place.id, id);
        for (const network of place.networks) parseRange(network);
        if (!id.endsWith('/load-balancers')) equal(place.pending, place.networks.length + place.hosts.length === 0, id);
      }
    }),
    { numRuns: 100 },
  );
});
