import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleContext } from '../testing/sample-context.ts';
import { awsProvider, sampleCluster, sampleDatacenter, samplePlatform } from '../testing/sample-model.ts';
import { planEgress } from './index.ts';

const registry = {
  host: '172.20.0.2:5000',
  binaries: 'https://mirror.example.com:8443/k8s/',
  packages: 'http://packages.example.com',
};
const offlinePlatform = samplePlatform({ egress: { mode: 'offline' }, registry });

test('offline, the private registry and its mirrors are the whole list', () => {
  const { entries, modes } = planEgress(sampleContext({ platform: offlinePlatform })).egress;
  const shown = entries.map(({ host, ports, component, requirement, from }) => [
    host,
    ports,
    component,
    requirement,
    from.length,
  ]);
  assert.deepEqual(shown, [
    ['172.20.0.2', [5000], 'private registry', 'OFF-1', 4],
    ['mirror.example.com', [8443], 'binaries mirror', 'OFF-4', 4],
    ['packages.example.com', [80], 'packages mirror', 'OFF-4', 3],
  ]);
  assert.deepEqual(new Set(Object.values(modes)), new Set(['offline']));
});

test('offline, binaries keep their path behind the mirror', () => {
  const { entries } = planEgress(sampleContext({ platform: offlinePlatform })).egress;
  assert.deepEqual(entries.find((entry) => entry.component === 'binaries mirror')?.paths, [
    '/k8s/containernetworking/plugins/releases/',
    '/k8s/kubernetes-sigs/cri-tools/releases/',
    '/k8s/v1.36.3/bin/linux/amd64/kubelet',
    '/k8s/v1.36.3/bin/linux/amd64/kubelet.sha256',
  ]);
});

test('a cluster that is offline leaves the list of the others alone', () => {
  const clusters = [sampleCluster('closed', { egress: { mode: 'offline' }, registry }), sampleCluster('open')];
  const { entries } = planEgress(sampleContext({ clusters })).egress;
  assert.deepEqual(entries.find((entry) => entry.component === 'private registry')?.clusters, ['closed']);
  assert.deepEqual(entries.find((entry) => entry.component === 'pause')?.clusters, ['open']);
});

test('offline, the interface of the cloud stays, because machines are made by it', () => {
  const datacenters = [sampleDatacenter('dc1', { provider: awsProvider('eu-central-1') })];
  const { entries } = planEgress(sampleContext({ platform: offlinePlatform, datacenters })).egress;
  const apis = entries.filter((entry) => entry.component === 'AWS API').map((entry) => entry.host);
  assert.ok(apis.includes('ec2.eu-central-1.amazonaws.com'));
  const pulledFrom = entries.filter((entry) => entry.images.length > 0).map((entry) => entry.host);
  assert.deepEqual(pulledFrom, ['172.20.0.2']);
});

test('offline, the private registry holds what is pulled elsewhere, each image under its path', () => {
  const datacenters = [sampleDatacenter('dc1', { provider: awsProvider('eu-central-1') })];
  const imagesOf = (platform: typeof offlinePlatform): string[] =>
    planEgress(sampleContext({ platform, datacenters }))
      .egress.entries.filter((entry) => entry.status === 'active')
      .flatMap((entry) => entry.images);
  const paths = imagesOf(samplePlatform()).map((image) => image.slice(image.indexOf('/') + 1));
  assert.deepEqual(imagesOf(offlinePlatform), [...new Set(paths)].map((path) => `172.20.0.2:5000/${path}`).sort());
  assert.ok(imagesOf(offlinePlatform).includes('172.20.0.2:5000/provider-aws/cloud-controller-manager'));
});

test('the mode of each place is told', () => {
  const platform = samplePlatform({ proxy: { https: 'http://proxy.example.com:3128' } });
  const datacenters = [sampleDatacenter('dc1', { egress: { mode: 'offline' }, registry })];
  assert.deepEqual(planEgress(sampleContext({ platform, datacenters })).egress.modes, {
    installer: 'proxy',
    'master/nodes': 'proxy',
    'seed/west/nodes': 'proxy',
    'datacenter/dc1/workers': 'offline',
  });
});
