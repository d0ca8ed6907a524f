import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '../finding.ts';
import { exitCodeOf, formatFindings, summarize } from './index.ts';

const waived = { owner: 'ann', reason: 'lab only', expires: '2027-03-31' };
const overlap: Finding = {
  code: 'CW-CIDR-OVERLAP',
  severity: 'error',
  resource: 'Cluster/web',
  path: ['spec', 'network', 'pods', 0],
  message: '10.0.0.0/8 overlaps the nodes',
  fix: 'Use another network.',
  position: { file: 'clusters/web.yaml', line: 12, column: 11 },
};
const unused: Finding = { code: 'CW-WAIVER-UNUSED', severity: 'warning', message: 'waives nothing', fix: 'Remove it.' };

test('text begins with the place, as compilers do, and ends with counts', () => {
  assert.equal(
    formatFindings([overlap, unused, { ...overlap, waived }]),
    `clusters/web.yaml:12:11 error CW-CIDR-OVERLAP Cluster/web spec.network.pods[0]
  10.0.0.0/8 overlaps the nodes
  fix: Use another network.

warning CW-WAIVER-UNUSED
  waives nothing
  fix: Remove it.

clusters/web.yaml:12:11 waived CW-CIDR-OVERLAP Cluster/web spec.network.pods[0]
  10.0.0.0/8 overlaps the nodes
  fix: Use another network.
  waived by ann until 2027-03-31: lab only

1 error, 1 warning, 1 waived
`,
  );
  assert.equal(formatFindings([]), 'no findings\n');
});

test('the root is put in front of files, but not of standard input', () => {
  assert.match(formatFindings([overlap], { root: 'examples/lab/' }), /^examples\/lab\/clusters\/web\.yaml:12:11 /);
  assert.match(formatFindings([overlap], { root: '.' }), /^clusters\/web\.yaml:12:11 /);
  const piped = { ...overlap, position: { file: '<stdin>', line: 1, column: 1 } };
  assert.match(formatFindings([piped], { root: 'x' }), /^<stdin>:1:1 /);
});

test('colours only when asked to, and never by the control characters of others', () => {
  const esc = '\u001b';
  const nasty: Finding = {
    ...overlap,
    message: `a${esc}[2Jb\nerror CW-FAKE`,
    position: { file: `x${esc}.yaml`, line: 1, column: 1 },
  };
  assert.ok(!formatFindings([nasty]).includes(esc));
  assert.ok(!formatFindings([nasty]).includes('\nerror CW-FAKE'));
  assert.ok(formatFindings([overlap], { color: true }).includes(`${esc}[`));
});

test('json has the findings with their field as text, and a summary', () => {
  const { findings, summary } = JSON.parse(formatFindings([overlap, unused], { format: 'json', root: 'lab' }));
  assert.deepEqual(findings[0], {
    ...overlap,
    field: 'spec.network.pods[0]',
    position: { file: 'lab/clusters/web.yaml', line: 12, column: 11 },
  });
  assert.deepEqual(findings[1], unused);
  assert.deepEqual(summary, { errors: 1, warnings: 1, waived: 0 });
});

test('github commands esc what would end them', () => {
  const nasty: Finding = {
    ...overlap,
    message: '50%\n::error::x',
    position: { file: 'a,b:c.yaml', line: 1, column: 2 },
  };
  assert.equal(
    formatFindings([nasty], { format: 'github' }),
    '::error file=a%2Cb%3Ac.yaml,line=1,col=2,title=CW-CIDR-OVERLAP Cluster/web spec.network.pods[0]::50%25%0A::error::x%0Afix: Use another network.\n',
  );
  assert.equal(formatFindings([], { format: 'github' }), '');
  assert.match(formatFindings([{ ...unused, waived }], { format: 'github' }), /^::notice title=CW-WAIVER-UNUSED::/);
});

test('sarif names each rule once, with help, and refers to it by index', () => {
  const log = JSON.parse(
    formatFindings([unused, overlap, { ...overlap, waived }], { format: 'sarif', root: 'my lab' }),
  );
  const [run] = log.runs;
  assert.equal(log.version, '2.1.0');
  assert.deepEqual(
    run.tool.driver.rules.map((rule: { id: string }) => rule.id),
    ['CW-CIDR-OVERLAP', 'CW-WAIVER-UNUSED'],
  );
  for (const result of run.results) assert.equal(run.tool.driver.rules[result.ruleIndex].id, result.ruleId);
  for (const rule of run.tool.driver.rules) assert.ok(rule.help.text.length > 20);
  assert.deepEqual(run.results[1].locations, [
    {
      physicalLocation: {
        artifactLocation: { uri: 'my%20lab/clusters/web.yaml' },
        region: { startLine: 12, startColumn: 11 },
      },
      logicalLocations: [{ fullyQualifiedName: 'Cluster/web spec.network.pods[0]' }],
    },
  ]);
  assert.equal(run.results[2].suppressions[0].kind, 'external');
});

test('the exit code says the worst that is not waived', () => {
  assert.equal(exitCodeOf([]), 0);
  assert.equal(exitCodeOf([{ ...overlap, waived }]), 0);
  assert.equal(exitCodeOf([unused, { ...overlap, waived }]), 4);
  assert.equal(exitCodeOf([unused, overlap]), 3);
  assert.deepEqual(summarize([unused, overlap, { ...overlap, waived }]), { errors: 1, warnings: 1, waived: 1 });
});
