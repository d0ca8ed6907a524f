import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schemas } from '../../../../src/model/schema/index.ts';
import type { ApiFinding } from '../../api/types.ts';
import { changesOf, draftOf, emptyDraft, isComplete, resourceOf, sortFindings } from './draft.ts';

const draft = { ...emptyDraft, name: 'shop', datacenter: 'local', version: '1.36.3' };

test('what is not typed is not written, so that it is inherited', () => {
  assert.deepEqual(resourceOf(draft).spec, { datacenter: 'local', kubernetesVersion: '1.36.3' });
});

test('a form that is filled in wholly is a valid Cluster', () => {
  const full = {
    ...draft,
    strategy: 'Tunneling' as const,
    nodes: 3,
    pods: '172.25.0.0/16',
    services: '10.240.16.0/20, fd00::/108',
    agentIP: '100.64.30.10',
    allowedSourceRanges: '10.0.0.0/8 192.0.2.0/24',
  };
  const parsed = schemas.Cluster.parse(resourceOf(full));
  assert.deepEqual(parsed.spec.network?.services, ['10.240.16.0/20', 'fd00::/108']);
  assert.deepEqual(parsed.spec.limits?.allowedSourceRanges, ['10.0.0.0/8', '192.0.2.0/24']);
});

test('a document is shown as it is, and what the form does not know stays in it', () => {
  const document = {
    apiVersion: 'causeway.dev/v1alpha1',
    kind: 'Cluster',
    metadata: { name: 'shop', labels: { team: 'a' } },
    spec: {
      datacenter: 'local',
      kubernetesVersion: '1.36.1',
      exposeStrategy: 'NodePort',
      tenant: 'a',
      nodes: { count: 3, kubeletVersion: '1.35.2' },
      network: { pods: ['172.25.0.0/16', 'fd00::/48'], dnsDomain: 'shop.local' },
      limits: { allowedSourceRanges: ['10.0.0.0/8'] },
    },
  };
  const shown = draftOf(document);
  assert.deepEqual(resourceOf(shown, document), document);
  const wanted = { ...shown, version: '1.36.3', nodes: '' as const, pods: '', allowedSourceRanges: '' };
  const { spec, metadata } = resourceOf(wanted, document);
  assert.deepEqual(metadata, document.metadata);
  const { limits: _, ...kept } = document.spec;
  assert.deepEqual(spec, {
    ...kept,
    kubernetesVersion: '1.36.3',
    nodes: { kubeletVersion: '1.35.2' },
    network: { dnsDomain: 'shop.local' },
  });
  assert.deepEqual(
    changesOf(shown, wanted).map(({ field, from, to }) => `${field}: ${from} > ${to}`),
    [
      'version: 1.36.1 > 1.36.3',
      'nodes: 3 > ',
      'pods: 172.25.0.0/16, fd00::/48 > ',
      'allowedSourceRanges: 10.0.0.0/8 > ',
    ],
  );
});

test('nothing is asked before there is a name that a cluster can have', () => {
  assert.ok(isComplete(draft));
  for (const name of ['', 'Shop', '-shop', 'shop-', 'a'.repeat(64)]) assert.ok(!isComplete({ ...draft, name }), name);
});

test('a finding is shown at its field, or at the nearest one above', () => {
  const finding = (path: ApiFinding['path'], resource = 'Cluster/shop'): ApiFinding => ({
    code: 'CW-X',
    severity: 'error',
    resource,
    path,
    message: 'Wrong.',
    fix: 'Right.',
  });
  const findings = [
    finding(['spec', 'network', 'pods', 0]),
    finding(['spec', 'nodes', 'count']),
    finding(['spec', 'proxy', 'http']),
    finding(['spec', 'network', 'pods', 0], 'Cluster/other'),
    { ...finding(['spec', 'kubernetesVersion']), severity: 'warning' as const },
  ];
  const { wrong, advice, other } = sortFindings({ findings, errors: [] }, 'shop');
  assert.deepEqual([...wrong.keys()], ['pods', 'nodes']);
  assert.equal(wrong.get('pods'), 'Wrong. Right.');
  assert.deepEqual([...advice.keys()], ['version'], 'what warns is not shown as what is wrong');
  assert.deepEqual(
    other.map(({ path }) => path?.at(-1)),
    ['http'],
  );
  const elsewhere = finding(['spec', 'gateway'], 'Seed/west');
  assert.deepEqual(sortFindings({ findings: [elsewhere], errors: [elsewhere] }, 'shop').other, [elsewhere]);
});

test('a finding of another document that names the new cluster is not lost', () => {
  const about = {
    code: 'CW-X',
    severity: 'error',
    resource: 'Cluster/a',
    related: 'Cluster/shop',
    message: '',
    fix: '',
  } as const;
  assert.deepEqual(sortFindings({ findings: [about], errors: [] }, 'shop').other, [about]);
});
