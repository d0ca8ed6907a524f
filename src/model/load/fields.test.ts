import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster, everything, findingsIn, loadTexts, platform } from '../testing/manifests.ts';

const base = '  datacenter: rack\n  kubernetesVersion: 1.36.3\n';
/** Message and fix of the only finding in a cluster with these further lines in its spec. */
function told(spec: string, start = base): string {
  const { findings } = loadTexts(...everything.slice(0, 4), cluster('x', start + spec));
  assert.equal(findings.length, 1, JSON.stringify(findings));
  return `${findings[0]?.message} | ${findings[0]?.fix}`;
}

test('accepts valid manifests without a word', () => {
  const { findings, model } = loadTexts(...everything);
  assert.deepEqual(findings, []);
  assert.equal(model?.clusters[0]?.metadata.name, 'web');
});

test('an unknown field is told at its key, with the field that was meant', () => {
  assert.deepEqual(findingsIn(cluster('x', `${base}  exposeStratgy: Tunneling\n`)), [
    'CW-FIELD-UNKNOWN 8:3 spec.exposeStratgy',
  ]);
  assert.equal(
    told('  exposeStratgy: Tunneling\n'),
    'spec.exposeStratgy does not exist | Did you mean exposeStrategy?',
  );
});

test('a misspelled required field is not missing too', () => {
  assert.equal(
    told('  kubernetesVersion: 1.36.3\n', '  datacentre: rack\n'),
    'spec.datacentre does not exist | Did you mean datacenter?',
  );
});

test('a field in the wrong block is told where it belongs', () => {
  assert.match(told('  pods: [10.0.0.0/16]\n'), /Check the indentation: there is spec\.network\.pods\.$/);
});

test('a field nobody could have meant is told with the fields that exist', () => {
  assert.match(told('  egress: {xyz: 1}\n'), /Fields here are (\w+, )*mode(, \w+)*\.$/);
});

test('merge keys are refused with a way out', () => {
  assert.match(told('  egress: {<<: {mode: direct}}\n'), /Merge keys are not supported/);
});

const types: readonly (readonly [spec: string, expected: string])[] = [
  ['  tenant: 5\n', 'spec.tenant must be text, found a number | Put it in quotes.'],
  ['  tenant: true\n', 'spec.tenant must be text, found true | Put it in quotes.'],
  ['  tenant:\n', 'spec.tenant must be text, found nothing | Write a value after the colon, or remove the field.'],
  ['  tenant: [a]\n', 'spec.tenant must be text, found a list | Write a single value, without brackets and hyphens.'],
  ['  nodes: {count: "5"}\n', 'spec.nodes.count must be a number, found text | Remove the quotes.'],
  [
    '  nodes: 5\n',
    'spec.nodes must be a block of fields, found a number | Write its fields on the next lines, indented by two spaces.',
  ],
  [
    '  proxy: {enabled: "yes"}\n',
    'spec.proxy.enabled must be true or false, found text | Write true or false, without quotes.',
  ],
  [
    '  network: {pods: 10.0.0.0/16}\n',
    'spec.network.pods must be a list, found text | Write it as a list: [value], or one line with "- value" each.',
  ],
  ['  network: {pods: []}\n', 'spec.network.pods must have at least 1 entry | Add what is missing.'],
  ['  konnectivity: {agents: 99}\n', 'spec.konnectivity.agents must be at most 50 | Make it smaller.'],
  [
    '  network: {ipFamily: ipv4}\n',
    'spec.network.ipFamily must be one of IPv4, IPv4+IPv6, found "ipv4" | Did you mean IPv4?',
  ],
  [
    '  network: {pods: [10.1.0.0/8]}\n',
    'spec.network.pods[0] is not valid: 10.1.0.0/8 has host bits set | Write 10.0.0.0/8.',
  ],
  [
    '  network: {agentIP: "::ffff:10.0.0.1"}\n',
    'spec.network.agentIP is not valid: ::ffff:10.0.0.1 is an IPv4 address in IPv6 notation | Write 10.0.0.1.',
  ],
  [
    '  loadBalancerHostname: münchen.example\n',
    'spec.loadBalancerHostname is not valid: "münchen.example" has letters outside ASCII | Write its punycode form (xn--…).',
  ],
  [
    '  controlPlane: {}\n',
    'spec.controlPlane is not decided | Set exactly one of managed, external for the control plane.',
  ],
];
for (const [spec, expected] of types)
  test(`says of ${spec.trim()}: ${expected}`, () => assert.equal(told(spec), expected));

test('a version that YAML reads as a number is told in plain words', () => {
  assert.equal(
    told('', '  datacenter: rack\n  kubernetesVersion: 1.36\n'),
    'spec.kubernetesVersion must be text, found a number | Put it in quotes.',
  );
});

test('an over-long name is told with its length', () => {
  assert.match(
    told(`  loadBalancerHostname: ${'a'.repeat(64)}.example\n`),
    /label of 64 characters, and DNS allows 63/,
  );
});

test('several mistakes of one document are told in one run, in the order of lines', () => {
  const text = cluster(
    'x',
    '  datacentre: rack\n  kubernetesVersion: 1.36\n  network:\n    pods:\n      - 10.0.0.1/8\n',
  );
  assert.deepEqual(findingsIn(text), [
    'CW-FIELD-UNKNOWN 6:3 spec.datacentre',
    'CW-FIELD-TYPE 7:22 spec.kubernetesVersion',
    'CW-FIELD-VALUE 10:9 spec.network.pods.0',
  ]);
});

test('thousands of mistakes of one document are counted, not listed', () => {
  const many = Array.from({ length: 3000 }, (_, i) => `  k${i}: 1\n`).join('');
  const found = findingsIn(cluster('x', base + many));
  assert.equal(found.length, 51);
  assert.ok(found.some((line) => line.startsWith('CW-FINDINGS-LIMIT')));
});

test('a wrong apiVersion of another system is told once, and its kind is not ours', () => {
  assert.deepEqual(findingsIn('apiVersion: cluster.x-k8s.io/v1beta1\nkind: Cluster\nmetadata: {name: web}\n'), [
    'CW-API-VERSION 1:13 apiVersion',
  ]);
});

test('a misspelled kind is told, and its fields are still checked', () => {
  const text = cluster('x', `${base}  tenant: 5\n`).replace('kind: Cluster', 'kind: Clustr');
  assert.deepEqual(findingsIn(text), ['CW-KIND-UNKNOWN 2:7 kind', 'CW-FIELD-TYPE 8:11 spec.tenant']);
});

test('a document without kind, apiVersion or name says so', () => {
  assert.deepEqual(findingsIn('metadata: {name: x}\n'), [
    'CW-FIELD-MISSING 1:1 apiVersion',
    'CW-FIELD-MISSING 1:1 kind',
  ]);
  assert.deepEqual(findingsIn(cluster('x').replace('  name: x', '  labels: {}')), [
    'CW-FIELD-MISSING 3:1 metadata.name',
  ]);
});

test('a document that is no mapping says so', () => {
  for (const text of ['- a\n', 'text\n', '5\n']) assert.deepEqual(findingsIn(text), ['CW-FIELD-TYPE 1:1'], text);
});

test('one broken document does not hide the others, and lines stay right', () => {
  const text = `${cluster('a')}---\nb: [\n---\n${cluster('c', `${base}  tenant: 5\n`)}`;
  assert.deepEqual(findingsIn(text), ['CW-YAML-SYNTAX 10:1', 'CW-FIELD-TYPE 18:11 spec.tenant']);
});

test('a document beyond 1 MiB is refused at its place', () => {
  const text = `${cluster('a')}---\n${cluster('b')}  x: ${'y'.repeat(1024 * 1024)}\n`;
  assert.deepEqual(findingsIn(text), ['CW-FILE-TOO-LARGE 8:1']);
});

test('a file of 10 MB with many documents is read', () => {
  const comment = `# ${'x'.repeat(100_000)}\n`;
  const text = Array.from({ length: 100 }, (_, i) => comment + cluster(`c${i}`)).join('---\n');
  assert.deepEqual(findingsIn(text), []);
});

test('there is no model without a valid platform, and all that is valid is in it otherwise', () => {
  assert.equal(loadTexts(platform.replace('domain: ', 'domain: .')).model, undefined);
  const { model } = loadTexts(platform, cluster('good'), cluster('bad', '  datacenter: 5\n'));
  assert.deepEqual(
    model?.clusters.map(({ metadata }) => metadata.name),
    ['good'],
  );
});
