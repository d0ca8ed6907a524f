import assert from 'node:assert/strict';
import { test } from 'node:test';
import { egress as egressSchema } from '../schema/parts.ts';
import { sampleContext } from '../testing/sample-context.ts';
import {
  awsProvider,
  azureProvider,
  sampleCluster,
  sampleDatacenter,
  samplePlatform,
  sampleSeed,
  vsphereProvider,
} from '../testing/sample-model.ts';
import { planEgress } from './index.ts';
import { redirects, tables } from './tables/index.ts';

const everything = planEgress(
  sampleContext({
    platform: samplePlatform({
      edition: 'EE',
      telemetry: true,
      certificates: { acmeDNS01: { provider: 'route53' } },
      authentication: { dex: { connectors: [{ type: 'github', name: 'GitHub' }] } },
      dns: { provider: 'cloudflare', externalDNS: true },
    }),
    seeds: [
      sampleSeed('west', { plannedClusters: 9, monitoring: { userClusters: true }, loadBalancer: { type: 'metallb' } }),
    ],
    datacenters: [
      sampleDatacenter('aws', { provider: awsProvider('eu-central-1') }),
      sampleDatacenter('azure', { provider: azureProvider() }),
      sampleDatacenter('empty'),
      sampleDatacenter('vsphere', { provider: vsphereProvider(), loadBalancer: { type: 'kubelb' } }),
    ],
    clusters: [
      sampleCluster('a', { datacenter: 'aws', exposeStrategy: 'Tunneling', workers: { agent: 'envoy' } }),
      sampleCluster('b', { datacenter: 'azure', network: { cni: 'canal' } }),
      sampleCluster('c', { datacenter: 'vsphere' }),
    ],
  }),
).egress;
const { entries } = everything;

test('is what the published schema promises', () => {
  assert.doesNotThrow(() => egressSchema.parse(everything));
});

test('has one entry for each host, component and status, in order', () => {
  const keys = entries.map(({ host, component, status }) => `${host} ${component} ${status}`);
  assert.deepEqual(keys, [...new Set(keys)].sort());
});

test('is closed under redirects: whoever reaches a host reaches what it redirects to', () => {
  for (const { host, from, status } of entries) {
    if (status === 'retired') continue;
    for (const behind of redirects.get(host)?.hosts ?? []) {
      const entry = entries.find((e) => e.host === behind && e.redirectOf === host);
      assert.deepEqual(
        from.filter((place) => !entry?.from.includes(place)),
        [],
        `${host} → ${behind}`,
      );
    }
  }
});

test('every redirect says which host sends its clients there', () => {
  const fronts = new Set(entries.filter((entry) => entry.status === 'active').map((entry) => entry.host));
  const redirected = entries.filter((entry) => entry.redirectOf !== undefined);
  assert.ok(redirected.length > 20);
  for (const entry of redirected) assert.ok(fronts.has(entry.redirectOf ?? ''), entry.host);
});

test('a successor of a retired host is a host that exists in the tables or is a known update server', () => {
  const hosts = new Set(
    tables.online.all.flatMap((download) => (typeof download.host === 'function' ? [] : download.host)),
  );
  const known = new Set([...hosts, 'public.update.flatcar-linux.net']);
  for (const download of tables.online.all)
    for (const successor of download.retired ?? []) assert.ok(known.has(successor), successor);
});

test('every entry is needed from somewhere and says why', () => {
  for (const entry of entries) {
    assert.ok(entry.from.length > 0, entry.host);
    assert.ok(entry.reason.endsWith('.'), entry.reason);
    assert.match(entry.requirement, /^[A-Z0-9]{2,3}-\d{1,2}$/);
  }
});

test('images belong to the registry that they are listed under', () => {
  for (const entry of entries)
    for (const image of entry.images) assert.ok(image.startsWith(`${entry.host}/`), `${image} under ${entry.host}`);
});

test('a datacenter without clusters is asked for already, where clusters are planned', () => {
  const pause = entries.find((entry) => entry.component === 'pause' && entry.status === 'active');
  assert.ok(pause?.from.includes('datacenter/empty/workers'));
  assert.deepEqual(pause?.clusters, ['a', 'b', 'c']);
});

test('the Enterprise edition pulls its own images', () => {
  const platform = entries.find((entry) => entry.component === 'KKP');
  assert.ok(platform?.images.includes('quay.io/kubermatic/kubermatic-ee'));
  assert.equal(platform?.images.includes('quay.io/kubermatic/kubermatic'), false);
});

test('DNS and identity services that are configured are reachable from master', () => {
  const reachable = ['route53.amazonaws.com', 'api.cloudflare.com', 'api.github.com'];
  for (const host of reachable) assert.ok(entries.find((e) => e.host === host)?.from.includes('master/nodes'), host);
});
