import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { EgressEntry, Plan } from '../../plan/schema/index.ts';
import { samplePlan } from '../testing/sample-plan.ts';
import { allowList } from './allow-list.ts';
import { destinationGroups } from './destinations.ts';
import { retiredEntries } from './retired.ts';
import { squid, squidHosts } from './squid.ts';

const files = (plan: Plan): Map<string, string> => new Map(allowList.files(plan).map(({ path, text }) => [path, text]));
const squidText = (plan: Plan): string => squid.files(plan)[0]?.text ?? '';
const withEntry = (entry: Partial<EgressEntry>): Plan => ({
  ...samplePlan,
  egress: { ...samplePlan.egress, entries: [{ ...(samplePlan.egress.entries[0] as EgressEntry), ...entry }] },
});

test('the list of hosts holds active hosts and redirects once each, and no retired one', () => {
  const hosts =
    files(samplePlan)
      .get('egress/allow-list.txt')
      ?.split('\n')
      .filter((line) => /^[^#]/.test(line)) ?? [];
  assert.deepEqual(hosts, [
    '*.quay.io',
    'archive.ubuntu.com',
    'cdn01.quay.io',
    'dl.k8s.io',
    'quay.io',
    'updates.example.com',
  ]);
});

test('Markdown keeps redirects apart and says what may be closed', () => {
  const text = files(samplePlan).get('egress/allow-list.md') ?? '';
  const [open = '', redirects = '', closed = ''] = text.split('\n## ').slice(1);
  assert.ok(open.includes('`quay.io`') && !open.includes('cdn01'));
  assert.ok(redirects.startsWith('Redirects') && redirects.includes('redirect of `quay.io`'));
  assert.ok(
    closed.startsWith('May be closed') && closed.includes('`k8s.gcr.io`') && closed.includes('`registry.k8s.io`'),
  );
});

test('an entry cannot become a formula or another column', () => {
  const text = files(withEntry({ component: '=HYPERLINK("x")', reason: 'a|b' }));
  assert.match(text.get('egress/allow-list.csv') ?? '', /"'=HYPERLINK\(""x""\)"/);
  assert.match(text.get('egress/allow-list.md') ?? '', /a\\\|b/);
});

test('no name in a Squid list is covered by another one', () => {
  const label = fc.constantFrom('a', 'b', 'c');
  const host = fc
    .tuple(fc.boolean(), fc.array(label, { minLength: 1, maxLength: 4 }))
    .map(([wild, labels]) => (wild ? '*.' : '') + labels.join('.'));
  fc.assert(
    fc.property(fc.array(host), (hosts) => {
      const { names } = squidHosts(hosts);
      const covers = (suffix: string, name: string): boolean =>
        suffix.startsWith('.') && suffix !== name && `.${name.replace(/^\./, '')}`.endsWith(suffix);
      return names.every((name) => !names.some((other) => covers(other, name)));
    }),
  );
});

test('every host stays reachable after the covered ones are dropped', () => {
  const { names } = squidHosts(['quay.io', '*.quay.io', 'cdn.quay.io', 'dl.k8s.io', '10.0.0.1']);
  assert.deepEqual(names, ['.quay.io', 'dl.k8s.io']);
});

test('only places that go through the proxy get rules', () => {
  const from = new Set(destinationGroups(samplePlan).flatMap((group) => group.from));
  assert.deepEqual([...from].sort(), ['datacenter/dc1/workers', 'seed/east/gateway']);
});

test('where nobody uses a proxy, rules are for everybody who goes out', () => {
  const plan = { ...samplePlan, egress: { ...samplePlan.egress, modes: { 'master/nodes': 'offline' as const } } };
  const from = new Set(destinationGroups(plan).flatMap((group) => group.from));
  assert.deepEqual([...from].sort(), ['datacenter/dc1/workers', 'seed/east/gateway']);
});

test('workers that reach their control plane through the proxy may CONNECT to it', () => {
  const gateway = { host: '*.west.kubermatic.example.com', ports: [8088], component: 'gateway' };
  const text = squidText(withEntry(gateway));
  assert.match(text, /dstdomain -n \.west\.kubermatic\.example\.com/);
  assert.match(text, /^acl SSL_ports port 8088$/m);
});

test('where nothing is fetched through a proxy, Squid is told nothing', () => {
  const offline = { ...samplePlan, egress: { modes: {}, entries: [] }, proxy: { places: {}, workers: {} } };
  assert.doesNotMatch(squid.files(offline)[0]?.text ?? '', /^acl/m);
});

test('plain HTTP is fetched, everything else tunnelled', () => {
  const text = squidText(withEntry({ ports: [80, 443] }));
  assert.match(text, /http_access allow \S+ causeway_connect causeway_tls_1 causeway_names_1/);
  assert.match(text, /http_access allow \S+ !causeway_connect causeway_http_1 causeway_names_1/);
});

test('rules of a place without addresses are comments', () => {
  const lines = squidText(samplePlan)
    .split('\n')
    .filter((line) => line.includes('causeway_from_2'));
  assert.ok(lines.length >= 2 && lines.every((line) => line.startsWith('#')));
});

test('a host that is no host never reaches the configuration', () => {
  assert.ok(!squidText(withEntry({ host: 'a\nhttp_access allow all' })).includes('allow all'));
});

test('a host that something still needs is never called closable', () => {
  const [quay, gcr] = ['quay.io', 'k8s.gcr.io'].map((host) => samplePlan.egress.entries.find((e) => e.host === host));
  const old = [{ ...quay, status: 'retired' }, { ...gcr, host: 'old.quay.io' }, { ...gcr }] as EgressEntry[];
  const entries = [...samplePlan.egress.entries.filter((e) => e.status === 'active'), ...old];
  const { closable, stillOpen } = retiredEntries({ ...samplePlan, egress: { ...samplePlan.egress, entries } });
  assert.deepEqual(
    closable.map((e) => e.host),
    ['k8s.gcr.io'],
  );
  assert.deepEqual(
    stillOpen.map((e) => e.host),
    ['quay.io', 'old.quay.io'],
  );
});

test('a host that two components fetch from stands in one rule for the places of both', () => {
  const [entry] = samplePlan.egress.entries as [EgressEntry];
  const entries = [entry, { ...entry, from: ['seed/east/gateway'] }];
  const groups = destinationGroups({
    ...samplePlan,
    egress: { ...samplePlan.egress, entries },
    proxy: { places: {}, workers: {} },
  });
  assert.deepEqual(groups, [
    { from: ['datacenter/dc1/workers', 'seed/east/gateway'], ports: [443], hosts: ['dl.k8s.io'] },
  ]);
});
