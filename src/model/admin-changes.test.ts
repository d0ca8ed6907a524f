import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminChanges, adminFields } from './admin-changes.ts';
import { fieldOf } from './finding.ts';
import { kinds } from './schema/index.ts';
import { fieldsOf, otherValue, textOf, withValue } from './testing/field-values.ts';

const changed = (kind: Parameters<typeof adminChanges>[0], before: unknown, after: unknown): string[] => [
  ...new Set(adminChanges(kind, before, after).map(fieldOf)),
];

/**
 * All texts that operators may change. A text is closed unless somebody opens it; whoever does, says here why nothing
 * that is named by it receives a credential, vouches for somebody, or is read.
 */
const openTexts: Readonly<Record<string, string>> = {
  'metadata.labels.*': 'nothing acts on labels',
  'metadata.annotations.*': 'nothing acts on annotations',
  'spec.network.pods[]': 'network inside the cluster',
  'spec.network.services[]': 'network inside the cluster',
  'spec.network.dnsDomain': 'name inside the cluster',
  'spec.network.agentIP': 'nodes give it to themselves',
  'spec.limits.allowedSourceRanges[]': 'whoever connects still has to log in',
  'spec.limits.halfClosedTimeout': 'a number',
  'spec.limits.idleTimeout': 'a number',
  'spec.konnectivity.keepalive': 'a number',
  'spec.proxy.noProxy[]': 'what is reached directly gets no credentials of the proxy',
  'spec.nodes.networks[]': 'where nodes are; nothing is sent to a network',
  'spec.nodes.pods[]': 'network inside the seed',
  'spec.nodes.services[]': 'network inside the seed',
  'spec.nodes.zones[]': 'labels of places',
  'spec.nodes.dhcp.ranges[]': 'where nodes are',
  'spec.nodes.staticRanges[]': 'where nodes are',
  'spec.nodes.kubeletVersion': 'numbers',
  'spec.gateway.address.pool': 'refers to a pool, whose ranges are for admins',
  'spec.gateway.nodePortRange': 'numbers',
  'spec.loadBalancer.pool': 'refers to a pool, whose ranges are for admins',
  'spec.loadBalancer.segment': 'a network',
  'spec.loadBalancer.idleTimeout': 'a number',
  'spec.seed': 'refers to a Seed, whose endpoints and secrets are for admins',
  'spec.datacenter': 'refers to a Datacenter, whose endpoints and secrets are for admins',
  'spec.tenant': 'refers to a tenant, whose user and credentials are for admins',
  'spec.kubernetesVersion': 'numbers',
  'spec.provider.azure.subnetCIDR': 'a network',
  'spec.provider.openstack.management.network.cidr': 'a network',
  'spec.provider.openstack.management.network.dhcpRange': 'where nodes are',
  'spec.tenants[].name': 'the credentials of a tenant belong to its name: another name is another tenant',
  'spec.tenants[].networks[]': 'a network',
  'spec.tenants[].openstack.network.cidr': 'a network',
  'spec.tenants[].openstack.network.dhcpRange': 'where nodes are',
  'spec.exclude[]': 'addresses that are not used',
};

test('every text of every kind is for admins, or on the list of those that operators may change', () => {
  const isText = (type: string): boolean => !['number', 'boolean', 'enum'].includes(type);
  const open = kinds.flatMap((kind) =>
    fieldsOf(kind).filter(({ access, schema }) => access === 'operator' && isText(schema.def.type)),
  );
  assert.deepEqual([...new Set(open.map(textOf))].sort(), Object.keys(openTexts).sort());
});

test('numbers, switches and choices that change whom we trust or what is kept are for admins', () => {
  const closed = kinds
    .filter((kind) => kind !== 'Platform')
    .flatMap((kind) =>
      fieldsOf(kind).filter(
        ({ access, schema }) => access === 'admin' && ['number', 'boolean', 'enum'].includes(schema.def.type),
      ),
    );
  assert.deepEqual([...new Set(closed.map(textOf))].sort(), [
    'spec.api.loadBalancer',
    'spec.api.port',
    'spec.backup.minio.capacityGiB',
    'spec.backup.s3.keep',
    'spec.gateway.tunnelAuthentication',
    'spec.loadBalancer.bgp.asn',
    'spec.loadBalancer.bgp.peers[].asn',
    'spec.loadBalancer.bgp.peers[].multihop',
    'spec.loadBalancer.kubelb.certificates',
    'spec.loadBalancer.kubelb.dns',
    'spec.loadBalancer.kubelb.ingress',
    'spec.loadBalancer.kubelb.port',
    'spec.podSecurity',
    'spec.provider.aws.partition',
    'spec.proxy.enabled',
    'spec.registry.insecure',
  ]);
});

test('everything of the Platform is for admins', () => {
  assert.deepEqual(
    fieldsOf('Platform')
      .filter(({ access }) => access !== 'admin')
      .map(textOf),
    [],
  );
});

test('the parts of a document that are for admins cover each field that is for admins, and no other', () => {
  const isBelow = (path: readonly unknown[], part: readonly unknown[]): boolean =>
    part.every((step, index) => path[index] === step);
  for (const kind of kinds) {
    const parts = adminFields(kind);
    for (const field of fieldsOf(kind))
      assert.equal(
        parts.filter((part) => isBelow(field.path, part)).length,
        field.access === 'admin' ? 1 : 0,
        `${kind} ${textOf(field)}`,
      );
  }
  assert.deepEqual(adminFields('Platform'), [[]]);
});

test('each field that is for admins is told by its path, however it comes, changes or goes', () => {
  for (const kind of kinds)
    for (const field of fieldsOf(kind).filter(({ access }) => access === 'admin')) {
      const document = { metadata: { name: 'a' }, spec: {} };
      const [set, other] = [otherValue(field, undefined), otherValue(field, otherValue(field, undefined))];
      const [one, two] = [withValue(document, field.path, set), withValue(document, field.path, other)];
      // Of a list that is one value the list is told.
      const told = (found: string[]): boolean =>
        found.length === 1 &&
        textOf(field).startsWith((found[0] ?? '').replaceAll('[0]', '[]').replace('.attacker', ''));
      for (const [before, after] of [
        [document, one],
        [one, two],
        [one, document],
      ] as const)
        assert.ok(told(changed(kind, before, after)), `${kind} ${textOf(field)}: ${changed(kind, before, after)}`);
    }
});

test('no field that operators may change is told', () => {
  for (const kind of kinds)
    for (const field of fieldsOf(kind).filter(({ access }) => access === 'operator')) {
      const document = { metadata: { name: 'a' }, spec: {} };
      const after = withValue(document, field.path, otherValue(field, undefined));
      assert.deepEqual(changed(kind, document, after), [], `${kind} ${textOf(field)}`);
    }
});

const credentials = (file: string) => ({ file });
const tenant = (name: string, file: string, network = '10.0.0.0/24') => ({
  name,
  networks: [network],
  credentials: credentials(file),
});
const withTenants = (...tenants: object[]) => ({ spec: { tenants } });

test('tenants may be put into another order, and none gets the credentials of another', () => {
  const before = withTenants(tenant('a', 'secrets/a'), tenant('b', 'secrets/b'));
  assert.deepEqual(changed('Datacenter', before, withTenants(tenant('b', 'secrets/b'), tenant('a', 'secrets/a'))), []);
  assert.deepEqual(
    changed('Datacenter', before, withTenants(tenant('b', 'secrets/a'), tenant('a', 'secrets/b'))).sort(),
    ['spec.tenants[0].credentials.file', 'spec.tenants[1].credentials.file'],
  );
  assert.deepEqual(
    changed('Datacenter', before, withTenants(tenant('a', 'secrets/a', '10.9.0.0/24'), tenant('b', 'secrets/b'))),
    [],
    'its networks are no secret',
  );
});

test('a tenant that is renamed, taken away or written twice is a change of its credentials', () => {
  const before = withTenants(tenant('a', 'secrets/a'));
  for (const after of [
    withTenants(tenant('c', 'secrets/a')),
    withTenants(),
    withTenants({ name: 'a', networks: [] }, tenant('a', 'secrets/a')),
    { spec: {} },
  ])
    assert.ok(changed('Datacenter', before, after).length > 0, JSON.stringify(after));
});

test('the order of endpoints and servers is a change: the first is asked first', () => {
  const servers = (...dnsServers: string[]) => ({ spec: { nodes: { dnsServers } } });
  assert.deepEqual(changed('Datacenter', servers('10.0.0.1', '10.0.0.2'), servers('10.0.0.2', '10.0.0.1')), [
    'spec.nodes.dnsServers',
  ]);
});

test('an empty block that hides what is inherited is a change', () => {
  assert.deepEqual(changed('Cluster', { spec: {} }, { spec: { registry: {} } }), ['spec.registry']);
  assert.deepEqual(changed('Cluster', { spec: { registry: {} } }, { spec: {} }), ['spec.registry']);
});

test('the order of keys is no change', () => {
  const before = { spec: { api: { host: 'a.example.com', port: 1 }, kubeconfig: { env: 'A' } } };
  const after = { spec: { kubeconfig: { env: 'A' }, api: { port: 1, host: 'a.example.com' } } };
  assert.deepEqual(changed('Seed', before, after), []);
});

test('a field that no schema knows, and a value of another shape, are for admins', () => {
  assert.deepEqual(changed('Cluster', { spec: {} }, { spec: { 'password: hunter2': 1 } }), ['spec']);
  assert.deepEqual(changed('Cluster', { spec: {} }, JSON.parse('{"spec":{"__proto__":{"file":"x"}}}')), ['spec']);
  assert.deepEqual(changed('Seed', { spec: {} }, { spec: { backup: 'x' } }), ['spec.backup']);
  assert.deepEqual(changed('Seed', { spec: {} }, { spec: { backup: null } }), ['spec.backup']);
  assert.deepEqual(changed('Seed', { spec: {} }, { spec: [] }), ['spec']);
  assert.deepEqual(changed('Seed', undefined, 7), ['']);
});
