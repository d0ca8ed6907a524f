import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from './finding.ts';
import type { Platform } from './schema/index.ts';
import { cluster, everything, loadTexts, platform } from './testing/manifests.ts';
import { applyWaivers, type Waiver } from './waivers.ts';

const { model } = loadTexts(...everything);
const withWaivers = (...waivers: Waiver[]): { platform: Platform } => {
  assert.ok(model !== undefined);
  return { platform: { ...model.platform, spec: { ...model.platform.spec, waivers } } };
};
const waiver: Waiver = { code: 'CW-CIDR-OVERLAP', owner: 'ann', reason: 'lab', expires: '2027-03-31' };
const finding = (resource: string, rest: Partial<Finding> = {}): Finding => ({
  code: 'CW-CIDR-OVERLAP',
  severity: 'error',
  resource,
  message: 'm',
  fix: 'f',
  ...rest,
});
const outcome = (findings: Finding[]): string[] =>
  findings.map(({ code, resource, waived }) => `${code} ${resource} ${waived?.owner ?? 'open'}`);

test('a waiver holds until the end of its last day', () => {
  const apply = (day: string) => outcome(applyWaivers([finding('Cluster/a')], withWaivers(waiver), day));
  assert.deepEqual(apply('2027-03-31'), ['CW-CIDR-OVERLAP Cluster/a ann']);
  assert.deepEqual(apply('2027-04-01'), ['CW-CIDR-OVERLAP Cluster/a open', 'CW-WAIVER-EXPIRED Platform/acme open']);
});

test('a waiver with a resource holds for that resource only, also as the other side', () => {
  const findings = [finding('Cluster/a'), finding('Cluster/b'), finding('Cluster/c', { related: 'Cluster/a' })];
  assert.deepEqual(outcome(applyWaivers(findings, withWaivers({ ...waiver, resource: 'Cluster/a' }), '2027-01-01')), [
    'CW-CIDR-OVERLAP Cluster/a ann',
    'CW-CIDR-OVERLAP Cluster/b open',
    'CW-CIDR-OVERLAP Cluster/c ann',
  ]);
});

test('a waiver that waives nothing is a warning', () => {
  const [first] = applyWaivers([], withWaivers(waiver), '2027-01-01');
  assert.deepEqual([first?.code, first?.severity], ['CW-WAIVER-UNUSED', 'warning']);
});

test('a waiver of a code that does not exist is an error, with the code that was meant', () => {
  const [first] = applyWaivers([], withWaivers({ ...waiver, code: 'CW-CIDR-OVERLAPS' }), '2027-01-01');
  assert.deepEqual(
    [first?.code, first?.severity, first?.fix],
    ['CW-WAIVER-UNKNOWN', 'error', 'Did you mean CW-CIDR-OVERLAP?'],
  );
});

test('errors of reading cannot be waived', () => {
  const read = finding('Cluster/a', { code: 'CW-FIELD-UNKNOWN' });
  assert.deepEqual(outcome(applyWaivers([read], withWaivers({ ...waiver, code: 'CW-FIELD-UNKNOWN' }), '2027-01-01')), [
    'CW-FIELD-UNKNOWN Cluster/a open',
    'CW-WAIVER-REFUSED Platform/acme open',
  ]);
});

test('what is wrong with a waiver is told at its place', () => {
  const text = `${platform}  waivers:\n    - code: CW-CIDR-OVERLAP\n      owner: ann\n      reason: lab\n      expires: "2020-01-01"\n`;
  const loaded = loadTexts(text, ...everything.slice(1), cluster('b'));
  assert.deepEqual(loaded.findings, []);
  const [expired] = applyWaivers([], loaded.model, '2027-01-01', loaded.locate);
  assert.deepEqual(expired?.position, { file: '0.yaml', line: 18, column: 16 });
});

test('without waivers or model nothing changes', () => {
  assert.deepEqual(applyWaivers([finding('Cluster/a')], undefined, '2027-01-01'), [finding('Cluster/a')]);
  assert.deepEqual(applyWaivers([finding('Cluster/a')], withWaivers(), '2027-01-01'), [finding('Cluster/a')]);
});
