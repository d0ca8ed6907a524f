// Whatever is fed in: no exception, no hang, always a model or findings, and every place inside of its file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatFindings, formats } from '../report/index.ts';
import { cluster, everything } from '../testing/manifests.ts';
import { decode } from './decode.ts';
import { type Loaded, loadFiles } from './load-files.ts';

const valid = everything.join('---\n');

function holds(text: string): Loaded {
  const start = performance.now();
  const loaded = loadFiles([{ path: 'x.yaml', text }]);
  assert.ok(performance.now() - start < 20_000, 'took too long');
  assert.ok(loaded.model !== undefined || loaded.findings.length > 0, 'neither model nor finding');
  const lines = text.split(/\r\n|\r|\n/);
  for (const { position, message, fix } of loaded.findings) {
    assert.ok(message !== '' && fix !== '');
    if (position === undefined) continue;
    const line = lines[position.line - 1];
    assert.ok(line !== undefined, `line ${position.line} of ${lines.length}`);
    assert.ok(
      position.column >= 1 && position.column <= line.length + 1,
      `column ${position.column} of ${line.length}`,
    );
  }
  for (const format of formats) formatFindings(loaded.findings, { format });
  return loaded;
}

test('random bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const decoded = decode('x.yaml', bytes);
      if ('text' in decoded) holds(decoded.text);
      else assert.ok((decoded.finding.position?.column ?? 0) >= 1);
    }),
    { numRuns: 500 },
  );
});

test('random text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => void holds(text)),
    { numRuns: 500 },
  );
});

test('manifests that are cut off anywhere', () => {
  for (let end = 0; end < valid.length; end += 7) holds(valid.slice(0, end));
});

test('manifests with a few characters changed, removed or doubled', () => {
  const junk = fc.constantFrom(
    '',
    '\t',
    ':',
    '"',
    "'",
    '[',
    '{',
    '}',
    '- ',
    '&a ',
    '*a',
    '!x ',
    '%',
    '\n',
    '\r',
    '---\n',
    '|',
    '\0',
    '\u2028',
    '\ud800',
    '#',
    '<<: ',
  );
  const change = fc.record({ at: fc.nat(valid.length - 1), remove: fc.nat(5), insert: junk });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      holds(
        changes.reduce((text, { at, remove, insert }) => text.slice(0, at) + insert + text.slice(at + remove), valid),
      );
    }),
    { numRuns: 1000 },
  );
});

test('manifests with any value in any field', () => {
  const document = { apiVersion: 'causeway.dev/v1alpha1', kind: 'Cluster', metadata: { name: 'x' } };
  const fields = [
    'datacenter',
    'kubernetesVersion',
    'tenant',
    'network',
    'proxy',
    'nodes',
    'workers',
    'pods',
    'credentials',
    'constructor',
  ];
  const spec = fc.dictionary(fc.constantFrom(...fields), fc.jsonValue({ maxDepth: 4 }), { noNullPrototype: true });
  fc.assert(
    fc.property(spec, fc.jsonValue(), (value, metadata) => {
      holds(JSON.stringify({ ...document, spec: value }));
      holds(JSON.stringify({ ...document, metadata, spec: value }));
    }),
    { numRuns: 500 },
  );
});

test('documents made to be expensive', () => {
  const spec = (text: string): string => cluster('x', `  datacenter: rack\n  kubernetesVersion: 1.36.3\n  ${text}\n`);
  const mega = 1000 * 1000;
  for (const text of [
    spec(`network: {pods: [${'1,'.repeat(mega / 2)}]}`),
    spec(`password: [${'1,'.repeat(mega / 2)}]`),
    spec(`tenant: ${'eyJ-'.repeat(mega / 4)}`),
    spec(`tenant: ${'password'.repeat(mega / 8)}`),
    spec(`tenant: ${'a:'.repeat(mega / 2)}@`),
    spec(`? ${'k'.repeat(mega)}\n  : 1`),
    '['.repeat(mega),
    '- '.repeat(mega / 2),
    '? '.repeat(mega / 2),
    '&a '.repeat(mega / 3),
    `"${'\n'.repeat(mega)}`,
    '---\n'.repeat(mega / 10),
    '#\n'.repeat(mega / 2),
  ]) {
    holds(text);
  }
});

test('ten thousand small documents, with the time it takes', (t) => {
  const files = Array.from({ length: 10_000 }, (_, i) => ({ path: `c/${i}.yaml`, text: cluster(`c${i}`) }));
  const start = performance.now();
  const { findings, model } = loadFiles([{ path: 'base.yaml', text: everything.slice(0, 4).join('---\n') }, ...files]);
  t.diagnostic(`10 000 documents in ${Math.round(performance.now() - start)} ms`);
  assert.deepEqual(findings, []);
  assert.equal(model?.clusters.length, 10_000);
});
