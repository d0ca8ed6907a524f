// docs/security.md: no promise without a test that is there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingTests, namedTests, testsIn } from './support/named-tests.ts';
import { readProjectFile } from './support/source-tree.ts';

const page = readProjectFile('docs/security.md');

test('every test that the page of security names is there', () => {
  assert.ok(namedTests(page).flatMap(({ names }) => names).length > 60);
  assert.deepEqual(missingTests(page), []);
});

test('every promise of the page of security names a test that holds it', () => {
  const sections = page.split(/^## /m).filter((section) => section.startsWith('Promises'));
  const rows = sections.flatMap((section) => [...section.matchAll(/^\| (?!promise \|)(\S.*) \| (.*) \|$/gm)]);
  assert.ok(rows.length > 30);
  const empty = rows.filter(([, , heldBy = '']) => namedTests(heldBy).length === 0);
  assert.deepEqual(
    empty.map(([, promise]) => promise),
    [],
  );
});

test('the page of security says of everybody in the threat model what they are trusted with', () => {
  const [, model = ''] = page.split(/^## /m);
  const parties = [
    ...['user', 'operator of the installation', 'agent', 'pod on a node', 'neighbour tenant', 'proxy'],
    ...['unauthenticated peer', 'local user'],
  ];
  for (const party of parties) assert.match(model, new RegExp(`^\\| ${party}[ :]`, 'm'), party);
});

test('a name counts as a test by its declaration, not by a comment, a text or a part of it', () => {
  const declared = testsIn(`
    // test('in a comment', () => {});
    describe('a group', () => { it("is quoted", () => {}); });
    test(
      \`closes \${name} after \${1 + 1} s\`, () => latest('not this'));
    export const promises = {
      async 'keeps it'({ t }) {},
    };
    await t.test('inner', () => {});`);
  assert.deepEqual([...declared].sort(), ['a group', 'closes … after … s', 'inner', 'is quoted', 'keeps it']);
  const text = '`test/security-document.test.ts`: “no such test”; `test/none.test.ts`: “x”';
  assert.deepEqual(missingTests(text), [
    'test/security-document.test.ts has no test “no such test”',
    'test/none.test.ts is not there',
  ]);
});
