// Every host, path and image of the proxy whitelist of 2019, by name: still in use, or flagged with its successor.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EgressEntry } from '../schema/index.ts';
import { sampleContext } from '../testing/sample-context.ts';
import { awsProvider, sampleDatacenter, samplePlatform } from '../testing/sample-model.ts';
import { planEgress } from './index.ts';

const workers = 'datacenter/dc1/workers';
const { entries } = planEgress(
  sampleContext({
    platform: samplePlatform({ certificates: { acmeHTTP01: {} } }),
    datacenters: [sampleDatacenter('dc1', { provider: awsProvider('eu-central-1') })],
  }),
).egress;

const find = (wanted: Partial<EgressEntry>): EgressEntry[] =>
  entries.filter((entry) => Object.entries(wanted).every(([key, value]) => entry[key as keyof EgressEntry] === value));

const withImage = (image: string): EgressEntry | undefined => entries.find((entry) => entry.images.includes(image));
const withPath = (host: string, path: string): EgressEntry | undefined =>
  entries.find((entry) => entry.host === host && entry.paths.includes(path) && entry.from.includes(workers));

const images: readonly [image: string, status: EgressEntry['status'], replacedBy: readonly string[]][] = [
  ['gcr.io/google_containers/hyperkube-amd64', 'retired', ['dl.k8s.io']],
  ['gcr.io/google_containers/k8s-dns-node-cache', 'retired', ['registry.k8s.io']],
  ['k8s.gcr.io/pause', 'retired', ['registry.k8s.io']],
  ['docker.io/calico/node', 'retired', ['quay.io']],
  ['docker.io/coredns/coredns', 'retired', ['registry.k8s.io']],
  ['docker.io/fluent/fluent-bit', 'active', []],
  ['quay.io/kubermatic/util', 'active', []],
  ['quay.io/prometheus/node-exporter', 'active', []],
  ['quay.io/coreos/flannel', 'retired', ['docker.io']],
  ['quay.io/coreos/kube-rbac-proxy', 'retired', ['quay.io']],
  ['quay.io/coreos/container-linux-update-operator', 'retired', []],
];
for (const [image, status, replacedBy] of images) {
  test(`names ${image} as ${status}`, () => {
    const entry = withImage(image);
    assert.equal(entry?.status, status);
    assert.deepEqual(entry?.replacedBy, replacedBy);
    assert.equal(entry?.host, image.split('/')[0]);
  });
}

const paths: readonly [host: string, path: string, status: EgressEntry['status'], replacedBy: readonly string[]][] = [
  ['storage.googleapis.com', '/kubernetes-release/release/', 'retired', ['dl.k8s.io']],
  ['github.com', '/containernetworking/plugins/releases/', 'active', []],
  ['raw.githubusercontent.com', '/kubermatic/machine-controller/', 'retired', []],
  ['download.docker.com', '/linux/ubuntu', 'active', []],
];
for (const [host, path, status, replacedBy] of paths) {
  test(`names ${host}${path} as ${status}`, () => {
    const entry = withPath(host, path);
    assert.equal(entry?.status, status);
    assert.deepEqual(entry?.replacedBy, replacedBy);
  });
}

const kubeOne: readonly [host: string, status: EgressEntry['status']][] = [
  ['packages.cloud.google.com', 'retired'],
  ['download.docker.com', 'active'],
  ['apt.kubernetes.io', 'retired'],
  ['storage.googleapis.com', 'retired'],
  ['raw.githubusercontent.com', 'retired'],
  ['github.com', 'active'],
];
for (const [host, status] of kubeOne) {
  test(`names ${host} for KubeOne as ${status}`, () => {
    const [entry, ...others] = find({ host, component: 'KubeOne' });
    assert.equal(entry?.status, status);
    assert.ok(entry?.from.includes('seed/west/nodes'));
    assert.equal(others.length, 0);
  });
}

test('names the default repositories of Ubuntu, over http and https', () => {
  for (const host of ['archive.ubuntu.com', 'security.ubuntu.com'])
    assert.deepEqual(find({ host })[0]?.ports, [80, 443], host);
});

test('names the endpoints of AWS for the region in use', () => {
  const rows = ['iam.amazonaws.com', 's3.eu-central-1.amazonaws.com', 'ec2.eu-central-1.amazonaws.com'].map((host) => {
    const [entry] = find({ host, component: 'AWS API' });
    assert.ok(entry?.from.includes('seed/west/nodes'), host);
    assert.deepEqual(entry?.clusters, ['web'], host);
    return entry?.requirement;
  });
  assert.deepEqual(rows, ['AWS-1', 'AWS-2', 'AWS-3']);
});

test('names the ACME directory', () => {
  const [entry] = find({ host: 'acme-v02.api.letsencrypt.org' });
  assert.deepEqual(entry?.paths, ['/directory']);
  assert.deepEqual(entry?.from, ['master/nodes', 'seed/west/nodes']);
});

test('names the successors of what is retired', () => {
  const active = new Set(entries.filter((entry) => entry.status === 'active').map((entry) => entry.host));
  const successors = [
    'dl.k8s.io',
    'cdn.dl.k8s.io',
    'registry.k8s.io',
    '*.pkg.dev',
    'prod-registry-k8s-io-eu-central-1.s3.dualstack.eu-central-1.amazonaws.com',
    'pkgs.k8s.io',
    'prod-cdn.packages.k8s.io',
    'release-assets.githubusercontent.com',
    'auth.docker.io',
    'production.cloudflare.docker.com',
    'cdn01.quay.io',
    'ghcr.io',
    'pkg-containers.githubusercontent.com',
    'public.ecr.aws',
    'registry.terraform.io',
    'charts.jetstack.io',
  ];
  assert.deepEqual(
    successors.filter((host) => !active.has(host)),
    [],
  );
  assert.ok(withPath('github.com', '/kubernetes-sigs/cri-tools/releases/'));
});

test('names what the management components call: git, alerts, dashboards, OCI artefacts, machines', () => {
  const hosts = (component: string): string[] => find({ component }).map((entry) => entry.host);
  assert.deepEqual(hosts('Flux'), ['github.com']);
  assert.deepEqual(hosts('alerting'), ['api.eu.opsgenie.com', 'api.opsgenie.com']);
  assert.deepEqual(hosts('monitoring'), ['*.grafana.net', 'grafana.com']);
  assert.deepEqual(hosts('app platform'), ['*.azurecr.io', 'ghcr.io', 'github.com']);
  assert.deepEqual(hosts('CAPA (Cluster API for AWS)'), ['ec2.eu-central-1.amazonaws.com', 'iam.amazonaws.com']);
});
