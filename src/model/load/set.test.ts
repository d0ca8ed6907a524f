import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cluster, datacenter, everything, loadTexts, platform, pool, seed } from '../testing/manifests.ts';
import { loadFiles } from './load-files.ts';

const short = (...texts: string[]): string[] =>
  loadTexts(...texts).findings.map(({ code, message, fix }) => `${code}: ${message} | ${fix}`);

test('two documents with one name are told with both places', () => {
  assert.deepEqual(short(...everything, cluster()), [
    'CW-DUPLICATE: Cluster/web is defined twice; the first is at 4.yaml:4:9 | Rename or remove one of the two.',
  ]);
});

test('the same name for two kinds is fine', () => assert.deepEqual(short(...everything, cluster('eu')), []));

test('a directory without Platform, or with two, is told', () => {
  assert.match(short(...everything.slice(1)).join(), /CW-PLATFORM-MISSING/);
  assert.match(
    short(...everything, platform.replace('acme\n', 'other\n')).join(),
    /CW-PLATFORM-SEVERAL.*the first is at 0\.yaml:2:7/,
  );
});

const references: readonly (readonly [string, string[], string])[] = [
  [
    'the seed of a datacenter',
    [datacenter('b', 'euu')],
    'spec.seed refers to "euu", but there is no Seed named so | Did you mean eu?',
  ],
  [
    'the datacenter of a cluster',
    [cluster('b', '  datacenter: rock\n  kubernetesVersion: 1.36.3\n')],
    'spec.datacenter refers to "rock", but there is no Datacenter named so | Did you mean rack?',
  ],
  [
    'the tenant of a cluster',
    [cluster('b', '  datacenter: rack\n  tenant: shup\n  kubernetesVersion: 1.36.3\n')],
    'spec.tenant refers to "shup", but there is no tenant in Datacenter/rack named so | Did you mean shop?',
  ],
  [
    'the seed of a pool',
    [pool('b', 'us')],
    'spec.seed refers to "us", but there is no Seed named so | Add it, or use one of eu.',
  ],
  [
    'the pool of a gateway',
    [seed('b').replace('vips', 'vip')],
    'spec.gateway.address.pool refers to "vip", but there is no AddressPool named so | Did you mean vips?',
  ],
];
for (const [name, texts, expected] of references) {
  test(`${name} must exist`, () => assert.deepEqual(short(...everything, ...texts), [`CW-REFERENCE: ${expected}`]));
}

test('the seed and the pool that the platform names must exist', () => {
  const text = platform
    .replace('api: {host: api.acme.example}', 'api: {host: api.acme.example}\n    seed: nope')
    .replace('{ips: [192.0.2.10]}', '{pool: nope}');
  const found = loadTexts(text, ...everything.slice(1)).findings.map(({ path }) => path?.join('.'));
  assert.deepEqual(found, ['spec.master.seed', 'spec.ingress.address.pool']);
});

test('a document that exists but is invalid, broken or misspelled is not missing', () => {
  const broken = [
    seed().replace('nodes:', 'nodez:'),
    `${seed()}  x: "\n`,
    seed().replace('kind: Seed', 'kind: Sead'),
    `# ${'x'.repeat(1024)}\n${seed()}  x: ${'y'.repeat(1024 * 1024)}\n`,
  ];
  for (const text of broken) {
    const { findings } = loadTexts(platform, text, ...everything.slice(2));
    assert.ok(findings.length > 0);
    assert.deepEqual(
      findings.filter(({ code }) => code === 'CW-REFERENCE' || code === 'CW-PLATFORM-MISSING'),
      [],
    );
  }
});

test('nothing is called missing while a document cannot be told at all', () => {
  const codes = loadTexts(cluster(), 'a: [').findings.map(({ code }) => code);
  assert.deepEqual(codes, ['CW-YAML-SYNTAX']);
});

test('two seeds with the same DNS name collide', () => {
  const other = seed('b').replace('spec:', 'spec:\n  dnsName: eu');
  assert.match(
    short(...everything, other).join(),
    /^CW-SEED-DNS-NAME: Seed\/b and Seed\/eu both have the DNS name "eu"/,
  );
});

test('nothing to read is a finding', () => {
  assert.match(short().join(), /^CW-EMPTY/);
  assert.match(short('# only a comment\n', '---\n').join(), /^CW-EMPTY/);
});

test('the order of files does not matter for the model', () => {
  const texts = [...everything, cluster('a'), cluster('b'), seed('us'), pool('more')];
  const expected = loadTexts(...texts).model;
  fc.assert(
    fc.property(fc.shuffledSubarray(texts, { minLength: texts.length }), (shuffled) => {
      assert.deepEqual(loadTexts(...shuffled).model, expected);
      assert.deepEqual(loadTexts(shuffled.join('---\n')).model, expected);
    }),
    { numRuns: 20 },
  );
});

test('with a cache, documents of unchanged files keep their identity', () => {
  const cache = new Map();
  const load = (web: string) =>
    loadFiles(
      [
        { path: 'base.yaml', text: everything.slice(0, 4).join('---\n') },
        { path: 'web.yaml', text: web },
      ],
      { cache },
    ).model;
  const [before, after] = [load(cluster()), load(cluster('web', '  datacenter: rack\n  kubernetesVersion: 1.36.4\n'))];
  assert.equal(before?.seeds[0], after?.seeds[0]);
  assert.notEqual(before?.clusters[0], after?.clusters[0]);
  assert.equal(after?.clusters[0]?.spec.kubernetesVersion, '1.36.4');
});

test('locate finds a field of a resource, and the nearest above one that is not written down', () => {
  const { locate } = loadTexts(...everything);
  assert.deepEqual(locate('Cluster/web', ['spec', 'datacenter']), { file: '4.yaml', line: 6, column: 15 });
  assert.deepEqual(locate('Cluster/web', ['spec', 'network', 'pods', 0]), { file: '4.yaml', line: 5, column: 1 });
  assert.equal(locate('Cluster/nope', []), undefined);
});
