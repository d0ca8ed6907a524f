// A change of one fact changes exactly the rows that depend on it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Model, Platform } from '../../model/schema/index.ts';
import { newCache, noCache } from '../cache.ts';
import type { Egress } from '../schema/index.ts';
import { sampleContext } from '../testing/sample-context.ts';
import {
  awsProvider,
  azureProvider,
  sampleCluster,
  sampleDatacenter,
  sampleModel,
  samplePlatform,
  sampleSeed,
} from '../testing/sample-model.ts';
import { planEgress } from './index.ts';

/** Everything about an entry, one line per fact, so that a difference names the fact. */
const facts = ({ entries }: Egress): Set<string> =>
  new Set(
    entries.flatMap(({ host, component, status, paths, images, from, clusters }) => {
      const entry = `${status} ${host} for ${component}`;
      const told = { path: paths, image: images, from, cluster: clusters };
      return [entry, ...Object.entries(told).flatMap(([key, values]) => values.map((v) => `${entry}: ${key} ${v}`))];
    }),
  );

function difference(before: Partial<Model>, after: Partial<Model>): { gone: string[]; come: string[] } {
  const [a, b] = [before, after].map((parts) => facts(planEgress(sampleContext(parts)).egress)) as [
    Set<string>,
    Set<string>,
  ];
  return { gone: [...a.difference(b)].sort(), come: [...b.difference(a)].sort() };
}

// Management nodes run Flatcar, which needs no repositories, so that only workers show.
const flatcar = {
  platform: samplePlatform({
    master: {
      nodes: { networks: ['10.0.0.0/24'], operatingSystem: 'flatcar' },
      api: { host: 'api.master.example.com' },
    },
  }) satisfies Platform,
  seeds: [sampleSeed('west', { nodes: { networks: ['10.1.0.0/24'], operatingSystem: 'flatcar' } })],
};
const datacenter = (spec: Parameters<typeof sampleDatacenter>[1]): Partial<Model> => ({
  ...flatcar,
  datacenters: [sampleDatacenter('dc1', spec)],
});
const system = (name: 'ubuntu' | 'flatcar' | 'rocky' | 'centos-7'): Partial<Model> =>
  datacenter({ nodes: { networks: ['10.2.0.0/24'], operatingSystems: [name] } });

const wholeEntry = (entry: string, ...more: string[]): string[] =>
  [entry, ...['cluster web', 'from datacenter/dc1/workers', ...more].map((fact) => `${entry}: ${fact}`)].sort();

test('another Kubernetes version changes exactly the paths of the kubelet', () => {
  const at = (kubernetesVersion: string): Partial<Model> => ({
    clusters: [sampleCluster('web', { kubernetesVersion })],
  });
  const path = (version: string): string => `active dl.k8s.io for kubelet: path /v${version}/bin/linux/amd64/kubelet`;
  assert.deepEqual(difference(at('1.36.3'), at('1.35.8')), {
    gone: [path('1.36.3'), `${path('1.36.3')}.sha256`],
    come: [path('1.35.8'), `${path('1.35.8')}.sha256`],
  });
});

test('an older kubelet is fetched instead of the version of the control plane', () => {
  const older = { clusters: [sampleCluster('web', { nodes: { kubeletVersion: '1.34.1' } })] };
  const kubelet = planEgress(sampleContext(older)).egress.entries.find(
    (e) => e.component === 'kubelet' && e.status === 'active',
  );
  assert.deepEqual(kubelet?.paths, ['/v1.34.1/bin/linux/amd64/kubelet', '/v1.34.1/bin/linux/amd64/kubelet.sha256']);
});

test('from Ubuntu to Flatcar exactly the repositories of Ubuntu go', () => {
  assert.deepEqual(difference(system('ubuntu'), system('flatcar')), {
    gone: [
      ...wholeEntry('active archive.ubuntu.com for Ubuntu', 'path /ubuntu/'),
      ...wholeEntry('active download.docker.com for containerd (ubuntu)', 'path /linux/ubuntu'),
      ...wholeEntry('active security.ubuntu.com for Ubuntu', 'path /ubuntu/'),
    ],
    come: [],
  });
});

test('from Flatcar to Rocky Linux exactly its repositories come', () => {
  assert.deepEqual(difference(system('flatcar'), system('rocky')), {
    gone: [],
    come: [
      ...wholeEntry('active dl.rockylinux.org for Rocky Linux'),
      ...wholeEntry('active download.docker.com for containerd (rocky)', 'path /linux/centos'),
      ...wholeEntry('active mirrors.rockylinux.org for Rocky Linux'),
    ],
  });
});

test('CentOS 7 is served from the vault, and its mirrors are flagged', () => {
  assert.deepEqual(difference(system('flatcar'), system('centos-7')).come, [
    ...wholeEntry('active download.docker.com for containerd (centos-7)', 'path /linux/centos'),
    ...wholeEntry('active vault.centos.org for CentOS 7'),
    ...wholeEntry('retired mirror.centos.org for CentOS 7'),
    ...wholeEntry('retired mirrorlist.centos.org for CentOS 7'),
  ]);
});

test('another region changes exactly the regional hosts', () => {
  const at = (region: string): Partial<Model> => datacenter({ provider: awsProvider(region) });
  const hosts = (lines: readonly string[]): string[] =>
    lines.filter((line) => !line.includes(': ')).map((line) => line.split(' ')[1] as string);
  const { gone, come } = difference(at('sa-east-1'), at('eu-north-1'));
  const regional = (region: string): string[] => [
    `ec2.${region}.amazonaws.com`,
    `ec2.${region}.amazonaws.com`,
    `elasticloadbalancing.${region}.amazonaws.com`,
    `prod-registry-k8s-io-${region}.s3.dualstack.${region}.amazonaws.com`,
    `s3.${region}.amazonaws.com`,
    `sts.${region}.amazonaws.com`,
  ];
  assert.deepEqual(hosts(gone), regional('sa-east-1'));
  assert.deepEqual(hosts(come), regional('eu-north-1'));
  assert.ok([...gone, ...come].every((line) => line.includes('sa-east-1') || line.includes('eu-north-1')));
});

test('partitions of AWS have their own domains', () => {
  const hosts = (partition: string, region: string): string[] =>
    planEgress(sampleContext(datacenter({ provider: awsProvider(region, { partition }) })))
      .egress.entries.filter((entry) => entry.component === 'AWS API')
      .map((entry) => entry.host);
  assert.ok(hosts('aws-cn', 'cn-north-1').includes('ec2.cn-north-1.amazonaws.com.cn'));
  assert.ok(hosts('aws-cn', 'cn-north-1').includes('iam.cn-north-1.amazonaws.com.cn'));
  assert.ok(hosts('aws-us-gov', 'us-gov-west-1').includes('iam.us-gov.amazonaws.com'));
});

test('workers in Azure reach its interface too', () => {
  const { entries } = planEgress(sampleContext(datacenter({ provider: azureProvider() }))).egress;
  for (const host of ['management.azure.com', 'login.microsoftonline.com']) {
    const entry = entries.find((e) => e.host === host && e.component === 'Azure API');
    assert.deepEqual(entry?.from, ['datacenter/dc1/workers', 'installer', 'seed/west/nodes'], host);
    assert.equal(entry?.requirement, 'AZ-6');
  }
});

test('another network plugin changes exactly its images', () => {
  const plugin = (cni: 'cilium' | 'calico'): Partial<Model> => ({
    clusters: [sampleCluster('web', { network: { cni } })],
  });
  const { gone, come } = difference(plugin('cilium'), plugin('calico'));
  assert.ok(gone.every((line) => line.startsWith('active quay.io for Cilium')));
  assert.deepEqual(
    come,
    wholeEntry(
      'active quay.io for Calico',
      'image quay.io/calico/cni',
      'image quay.io/calico/kube-controllers',
      'image quay.io/calico/node',
    ),
  );
});

test('telemetry is a row only where it is sent', () => {
  const { come, gone } = difference({}, { platform: samplePlatform({ telemetry: true }) });
  assert.deepEqual(gone, []);
  assert.deepEqual(come, [
    'active telemetry.k8c.io for telemetry',
    'active telemetry.k8c.io for telemetry: from master/nodes',
  ]);
});

test('a removed cluster takes only its own name and version along', () => {
  const clusters = [sampleCluster('api', { kubernetesVersion: '1.35.8' }), sampleCluster('web')];
  const { gone, come } = difference({ clusters }, { clusters: clusters.slice(1) });
  assert.deepEqual(come, []);
  assert.ok(gone.length > 0 && gone.every((line) => line.endsWith(': cluster api') || line.includes('/v1.35.8/')));
});

test('what was computed before does not show: a plan after changes equals a fresh one', () => {
  const versions = ['1.34.1', '1.35.8', '1.36.3'] as const;
  const model = fc.array(
    fc.record({
      kubernetesVersion: fc.constantFrom(...versions),
      cni: fc.constantFrom('cilium', 'canal', 'none'),
      mode: fc.constantFrom('direct', 'offline'),
      datacenter: fc.constantFrom('dc1', 'dc2'),
    }),
    { maxLength: 6 },
  );
  const base = sampleModel({
    datacenters: [sampleDatacenter('dc1'), sampleDatacenter('dc2', { provider: awsProvider('eu-west-1') })],
  });
  fc.assert(
    fc.property(fc.array(model, { minLength: 2, maxLength: 4 }), (models) => {
      const cache = newCache();
      for (const specs of models) {
        const clusters = specs.map(({ cni, mode, ...spec }, i) =>
          sampleCluster(`c${i}`, { ...spec, network: { cni }, egress: { mode } } as Parameters<
            typeof sampleCluster
          >[1]),
        );
        const shared = planEgress(sampleContext({ ...base, clusters }, cache)).egress;
        const fresh = planEgress(sampleContext({ ...base, clusters }, noCache)).egress;
        assert.deepEqual(shared, fresh);
      }
    }),
    { numRuns: 40 },
  );
});
