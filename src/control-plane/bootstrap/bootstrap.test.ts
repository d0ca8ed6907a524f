import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../kube/index.ts';
import type { Endpoint } from '../../plan/schema/index.ts';
import { sampleInput } from '../testing/input.ts';
import { bootstrapObjects } from './index.ts';
import { bootstrapTokenObject } from './joining.ts';
import { clusterDns } from './kubeadm.ts';
import { kubernetesServiceObjects } from './kubernetes-service.ts';

const input = sampleInput();
const { endpoint } = input;
const objects = bootstrapObjects(input, 'CA');
const nameOf = ({ kind, metadata }: KubeObject): string => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

describe('what a new API server must know', () => {
  it('has no object twice, because the later one would take it from the first', () => {
    assert.equal(new Set(objects.map(nameOf)).size, objects.length);
  });

  it('gives nobody the group that cannot be taken away again', () => {
    assert.doesNotMatch(JSON.stringify(objects), /system:masters/);
  });

  it('gives a viewer neither secrets nor a verb that changes anything', () => {
    const role = objects.find(({ metadata }) => metadata.name === 'causeway:viewer');
    const rules = role?.rules as { resources: string[]; verbs: string[] }[];
    assert.deepEqual([...new Set(rules.flatMap(({ verbs }) => verbs))], ['get', 'list', 'watch']);
    assert.ok(rules.every(({ resources }) => !resources.includes('secrets')));
  });

  it('tells a worker that joins where to go and whom to trust', () => {
    const info = objects.find(({ metadata }) => metadata.name === 'cluster-info');
    const { kubeconfig = '' } = (info?.data ?? {}) as { kubeconfig?: string };
    const { clusters } = JSON.parse(kubeconfig);
    assert.deepEqual(clusters[0].cluster, {
      server: 'https://web.west.example.com:6443',
      'certificate-authority-data': Buffer.from('CA').toString('base64'),
    });
  });

  it('tells kubeadm what it asks for', () => {
    const data = (name: string): Record<string, string> =>
      objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name)?.data as never;
    const cluster = JSON.parse(data('kubeadm-config').ClusterConfiguration ?? '');
    assert.deepEqual([cluster.kubernetesVersion, cluster.clusterName], ['v1.36.3', 'web']);
    assert.equal(cluster.controlPlaneEndpoint, 'web.west.example.com:6443');
    assert.deepEqual(JSON.parse(data('kubelet-config').kubelet ?? '').clusterDNS, ['10.240.16.10']);
    assert.deepEqual(clusterDns(['10.240.16.0/20', 'fd00::/108']), ['10.240.16.10', 'fd00::a']);
  });

  it('says nothing of an address that does not exist yet', () => {
    const pending = { ...endpoint, apiServer: { host: null, port: null } };
    assert.ok(
      !bootstrapObjects({ ...input, endpoint: pending }, 'CA').some(({ metadata }) => metadata.name === 'cluster-info'),
    );
  });
});

describe('a bootstrap token', () => {
  it('is of kubeadm’s kind, and ends to the second', () => {
    const expiresAt = Date.parse('2026-06-01T12:00:00.789Z');
    const secret = bootstrapTokenObject({ id: 'abcdef', secret: '0123456789abcdef', expiresAt });
    assert.deepEqual(
      [secret.type, nameOf(secret)],
      ['bootstrap.kubernetes.io/token', 'Secret kube-system/bootstrap-token-abcdef'],
    );
    assert.equal((secret.stringData as Record<string, string>).expiration, '2026-06-01T12:00:00Z');
  });
});

describe('the endpoints of default/kubernetes', () => {
  const objectsFor = (addresses: string[], port: number | null = 6443): KubeObject[] =>
    kubernetesServiceObjects({ ...endpoint, kubernetesService: { addresses, port } } as Endpoint);

  it('are one slice for each family, and one object of the old kind that nobody mirrors', () => {
    const [four, six, old] = objectsFor(['192.0.2.1', '2001:db8::1']);
    assert.deepEqual([four?.addressType, six?.addressType], ['IPv4', 'IPv6']);
    assert.equal(four?.metadata.labels?.['kubernetes.io/service-name'], 'kubernetes');
    assert.equal(old?.metadata.labels?.['endpointslice.kubernetes.io/skip-mirror'], 'true');
  });

  it('leave out what Kubernetes refuses', () => {
    assert.deepEqual(objectsFor(['127.10.0.1', '::1', '169.254.1.1']), []);
    const [slice] = objectsFor(['127.10.0.1', '192.0.2.1']);
    assert.deepEqual(slice?.endpoints, [{ addresses: ['192.0.2.1'], conditions: { ready: true } }]);
  });

  it('wait for the port', () => assert.deepEqual(objectsFor(['192.0.2.1'], null), []));
});
