import assert from 'node:assert/strict';
import { test } from 'node:test';
import { review } from './cases/case.ts';
import { entryProblem } from './no-proxy.ts';

const accepted = [
  'example.org',
  '.example.org',
  '*.example.org',
  'svc',
  '10.0.0.1',
  '10.0.0.0/8',
  'fd00::/8',
  '::1',
  'host:80',
];
for (const entry of accepted)
  test(`takes ${entry} as an exemption`, () => {
    assert.equal(entryProblem(entry), undefined);
  });

const refused: readonly (readonly [string, RegExp])[] = [
  ['http://example.org', /example\.org/],
  ['a b', /one list item/],
  ['a,b', /one list item/],
  ['*', /enabled to false/],
  ['a.*.example.org', /\.example\.org/],
  ['10.0.0.9/8', /10\.0\.0\.0\/8/],
  ['10.0.0.0/99', /address\/length/],
  ['-bad-', /a name/],
];
for (const [entry, fix] of refused)
  test(`refuses ${entry} as an exemption and says what to write`, () => {
    assert.match(entryProblem(entry)?.fix ?? '', fix);
  });

test('never repeats credentials that somebody pasted into an exemption', () => {
  const findings = review((d) => {
    d.platform.spec.proxy = { noProxy: ['http://user:geheim@proxy.example.org', 'user:ge/geheim@proxy.example.org'] };
  });
  assert.equal(findings.length, 2);
  assert.doesNotMatch(JSON.stringify(findings), /geheim/);
});
