import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isIgnored, parseIgnoreFile } from './ignore-rules.ts';

const cases: readonly (readonly [pattern: string, path: string, ignored: boolean])[] = [
  ['a.yaml', 'a.yaml', true],
  ['a.yaml', 'sub/a.yaml', true],
  ['/a.yaml', 'a.yaml', true],
  ['/a.yaml', 'sub/a.yaml', false],
  ['sub/a.yaml', 'sub/a.yaml', true],
  ['sub/a.yaml', 'x/sub/a.yaml', false],
  ['*.yaml', 'sub/a.yaml', true],
  ['sub/*.yaml', 'sub/deep/a.yaml', false],
  ['**/a.yaml', 'sub/deep/a.yaml', true],
  ['sub/**', 'sub/deep/a.yaml', true],
  ['sub/**', 'sub', false],
  ['a/**/b', 'a/b', true],
  ['a/**/b', 'a/x/y/b', true],
  ['?.yaml', 'a.yaml', true],
  ['?.yaml', 'ab.yaml', false],
  ['[ab].yaml', 'b.yaml', true],
  ['[!ab].yaml', 'b.yaml', false],
  ['[z-a].yaml', '[z-a].yaml', true],
  ['sub/', 'sub', false],
  ['# a', '# a', false],
  ['\\#a', '#a', true],
  ['a.yaml  ', 'a.yaml', true],
  ['a+b(c)', 'a+b(c)', true],
];
for (const [pattern, path, ignored] of cases) {
  test(`${JSON.stringify(pattern)} ${ignored ? 'ignores' : 'leaves'} ${path}`, () => {
    assert.equal(isIgnored(parseIgnoreFile(pattern, ''), path, false), ignored);
  });
}

test('a trailing slash means directories', () => assert.ok(isIgnored(parseIgnoreFile('sub/', ''), 'x/sub', true)));

test('the last rule that matches decides', () => {
  const rules = parseIgnoreFile('*.yaml\n!keep.yaml\n', '');
  assert.ok(isIgnored(rules, 'a.yaml', false));
  assert.ok(!isIgnored(rules, 'keep.yaml', false));
});

test('rules of a directory hold below it only', () => {
  const rules = parseIgnoreFile('/a.yaml\nb.yaml', 'sub/');
  assert.ok(isIgnored(rules, 'sub/a.yaml', false));
  assert.ok(isIgnored(rules, 'sub/deep/b.yaml', false));
  assert.ok(!isIgnored(rules, 'b.yaml', false));
});

test('no text is refused as a pattern', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, path) => void isIgnored(parseIgnoreFile(text, ''), path, true)),
  );
});
