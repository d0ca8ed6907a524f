// The single port, and the way through a corporate proxy.
import { deepEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { Model } from '../../model/schema/index.ts';
import { flowsOf, line, linesFor } from '../testing/flows-of.ts';
import {
  azureProvider,
  sampleCluster,
  sampleDatacenter,
  sampleModel,
  samplePlatform,
  sampleSeed,
} from '../testing/sample-model.ts';

const tunneling = samplePlatform({ exposeStrategy: 'Tunneling' });
const offering = (offers: ('split' | 'single')[], clusters = [sampleCluster()]): Model =>
  sampleModel({
    platform: tunneling,
    seeds: [sampleSeed('west', { gateway: { address: { ips: ['192.0.2.20'] }, offers } })],
    clusters,
  });

test('a gateway with only the single port needs one destination port from everybody', () => {
  const flows = flowsOf(offering(['single']));
  deepEqual(linesFor(flows, 'PRT-8'), ['datacenter/dc1/workers → seed/west/gateway tcp 443']);
  deepEqual(linesFor(flows, 'PRT-11'), ['users → seed/west/gateway tcp 443']);
  deepEqual(linesFor(flows, 'PRT-4'), ['master/nodes → seed/west/gateway tcp 443']);
});

test('workers on the single port of a gateway that offers both leave users on the split one', () => {
  const clusters = [sampleCluster('a', { workers: { entry: 'single' } }), sampleCluster('b')];
  const flows = flowsOf(offering(['split', 'single'], clusters));
  deepEqual(linesFor(flows, 'PRT-8'), [
    'datacenter/dc1/workers → seed/west/gateway tcp 443',
    'datacenter/dc1/workers → seed/west/gateway tcp 6443,8088',
  ]);
  deepEqual(linesFor(flows, 'PRT-11'), ['users → seed/west/gateway tcp 6443']);
});

const proxied = (more: Partial<Model> = {}, proxy = { https: 'http://proxy.example.com:3128' as string }): Model =>
  sampleModel({
    platform: samplePlatform({ exposeStrategy: 'Tunneling', egress: { mode: 'direct' }, proxy }),
    datacenters: [sampleDatacenter('dc1', { workers: { route: 'proxy' } })],
    ...more,
  });

test('workers that reach the gateway only through the proxy have no flow to the gateway themselves', () => {
  const flows = flowsOf(proxied());
  deepEqual(linesFor(flows, 'PRT-8'), ['proxy/proxy.example.com:3128 → seed/west/gateway tcp 6443,8088']);
  ok(flows.some((flow) => line(flow) === 'datacenter/dc1/workers → proxy/proxy.example.com:3128 tcp 3128'));
  ok(!flows.some((flow) => flow.from === 'datacenter/dc1/workers' && flow.to === 'seed/west/gateway'));
});

test('users and the platform still reach the gateway directly when workers use the proxy', () => {
  const flows = flowsOf(proxied());
  deepEqual(linesFor(flows, 'PRT-11'), ['users → seed/west/gateway tcp 6443']);
  deepEqual(linesFor(flows, 'PRT-4'), ['master/nodes → seed/west/gateway tcp 6443']);
});

test('a proxy without a port in its URL listens on the port of its scheme', () => {
  const flows = flowsOf(proxied({}, { https: 'https://proxy.example.com' }));
  deepEqual(linesFor(flows, 'PRT-8'), ['proxy/proxy.example.com:443 → seed/west/gateway tcp 6443,8088']);
});

test('with egress through a proxy nobody but the proxy reaches the internet', () => {
  const platform = samplePlatform({ egress: { mode: 'proxy' }, proxy: { https: 'http://10.1.0.31:3128' } });
  const flows = flowsOf(sampleModel({ platform }));
  const outbound = flows.filter((flow) => flow.to === 'internet');
  ok(outbound.length > 0);
  ok(outbound.every((flow) => flow.from === 'proxy/10.1.0.31:3128' && flow.requirement === 'PRX-3'));
  const toProxy = flows.filter((flow) => flow.to === 'proxy/10.1.0.31:3128').map((flow) => flow.from);
  deepEqual(new Set(toProxy), new Set(['master/nodes', 'seed/west/nodes', 'datacenter/dc1/workers']));
});

test('two proxies share the work: port 80 for one, everything else for the other', () => {
  const proxy = { http: 'http://plain.example.com:8080', https: 'http://secure.example.com:8443' };
  const flows = flowsOf(sampleModel({ platform: samplePlatform({ egress: { mode: 'proxy' }, proxy }) }));
  deepEqual(
    new Set(linesFor(flows, 'PRX-3')),
    new Set(['proxy/plain.example.com:8080 → internet tcp 80', 'proxy/secure.example.com:8443 → internet tcp 443']),
  );
});

test('a public provider API is called through the proxy, by the seed and by the workers', () => {
  const platform = samplePlatform({ egress: { mode: 'proxy' }, proxy: { https: 'http://10.1.0.31:3128' } });
  const datacenters = [sampleDatacenter('dc1', { provider: azureProvider() })];
  const flows = flowsOf(sampleModel({ platform, datacenters }));
  deepEqual(linesFor(flows, 'PRT-7'), ['proxy/10.1.0.31:3128 → datacenter/dc1/provider-api tcp 443']);
  deepEqual(linesFor(flows, 'AZ-6'), ['proxy/10.1.0.31:3128 → datacenter/dc1/provider-api tcp 443']);
});

test('clusters of one datacenter may differ in their way to the internet', () => {
  const clusters = [
    sampleCluster('a', { egress: { mode: 'proxy' }, proxy: { https: 'http://10.1.0.31:3128' } }),
    sampleCluster('b'),
  ];
  const flows = flowsOf(sampleModel({ clusters }));
  const workersTo = (to: string) => flows.filter((flow) => flow.from === 'datacenter/dc1/workers' && flow.to === to);
  deepEqual(
    workersTo('proxy/10.1.0.31:3128').map((flow) => flow.clusters),
    [['a']],
  );
  ok(workersTo('internet').length > 0);
  ok(workersTo('internet').every((flow) => flow.clusters.join() === 'b'));
});

test('offline, places fetch from the private registry and nothing is downloaded from the internet', () => {
  const platform = samplePlatform({
    egress: { mode: 'offline' },
    registry: { host: '172.20.0.2:5000', binaries: 'https://mirror.example.com:8443' },
  });
  const flows = flowsOf(sampleModel({ platform }));
  deepEqual(
    new Set(linesFor(flows, 'OFF-1')),
    new Set([
      'master/nodes → registry tcp 5000',
      'seed/west/nodes → registry tcp 5000',
      'datacenter/dc1/workers → registry tcp 5000',
    ]),
  );
  ok(linesFor(flows, 'OFF-4').includes('datacenter/dc1/workers → registry tcp 8443'));
  deepEqual(
    flows.filter((flow) => flow.to === 'internet' && flow.requirement.startsWith('EGR')),
    [],
  );
});
