import assert from 'node:assert/strict';
import { test } from 'node:test';
import { howMet, rowText } from '../src/cli/explain/row-text.ts';
import { requirementsPage } from '../src/cli/reference/requirements-page.ts';
import { artefactNames, catalogue, checkedRows, groups } from '../src/plan/catalogue/index.ts';
import { artefacts } from '../src/render/index.ts';
import { committedFiles, readProjectFile, sourceFiles } from './support/source-tree.ts';

test('the catalogue promises exactly artefacts that exist', () => {
  assert.deepEqual([...artefactNames].sort(), artefacts.map((artefact) => artefact.name).sort());
});

test('every artefact keeps a promise of the catalogue', () => {
  const promised = new Set(catalogue.flatMap((row) => row.promise?.artefact ?? []));
  assert.deepEqual(
    artefactNames.filter((name) => !promised.has(name)),
    [],
  );
});

/** Lines that claim a check without naming a row that has one. */
const unfounded = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => /(?<!to be )checked (live|at the provider)|Ready to create/.test(line))
    .filter((line) => ![...checkedRows].some((id) => line.includes(id)));

test('nothing says of a row that it is checked before there is a check for it', () => {
  const claiming = catalogue.filter((row) => unfounded(`${row.id} ${howMet(row)}\n${rowText(row)}`).length > 0);
  assert.deepEqual(
    claiming.map(({ id }) => id),
    [],
  );
  assert.deepEqual(unfounded(requirementsPage()), []);
});

test('neither the page nor a document claims a check that does not exist', () => {
  const shown = /^(README\.md|docs\/(guides|reference)\/.*\.(md|json)|web\/src\/.*\.tsx?)$/;
  const files = committedFiles().filter((file) => shown.test(file));
  assert.ok(files.length > 50);
  assert.deepEqual(
    files.flatMap((file) => unfounded(readProjectFile(file)).map((line) => `${file}: ${line}`)),
    [],
  );
});

test('a row that has a check says so, and names a check that exists', () => {
  const row = catalogue.find(({ kinds }) => kinds.includes('live'));
  assert.ok(row);
  assert.match(howMet(row, new Set([row.id])), /checked live/);
  const checks = sourceFiles('src/checks/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
  const texts = checks.map(readProjectFile).join('\n');
  assert.deepEqual(
    [...checkedRows].filter((id) => !texts.includes(`'${id}'`)),
    [],
  );
});

test('the reference says what the letters of every row id stand for', () => {
  const page = requirementsPage();
  assert.deepEqual(
    catalogue.filter(({ group }) => !page.includes(`\`${group.letters}\` ${group.title}`)).map(({ id }) => id),
    [],
  );
});

test('nothing is decided by how the id of a row is spelled: what rows have in common is data of the row or its group', () => {
  const letters = Object.values(groups)
    .map((group) => group.letters)
    .join('|');
  const spelled = [
    // startsWith('OFF-'), and patterns such as /^(AWS|AZ)-/ or /^CRT-[1-5]$/.
    new RegExp(`['"\`](?:${letters})-['"\`]`),
    new RegExp(`/\\^?\\(?(?:\\?:)?(?:${letters})(?:\\|(?:${letters}))*\\)?-`),
    /\b(?:requirement|row)(?:\.id)?\??\.(?:startsWith|endsWith|slice|split|match|replace|(?:lastI|i)ndexOf)\(/,
  ];
  const product = sourceFiles('{src,web/src}/**/*.{ts,tsx}').filter(
    (file) => !/\.test\.tsx?$|\/(?:testing|cases)\//.test(file),
  );
  assert.ok(product.length > 500);
  assert.deepEqual(
    product.flatMap((file) =>
      readProjectFile(file)
        .split('\n')
        .filter((line) => spelled.some((pattern) => pattern.test(line)))
        .map((line) => `${file}: ${line.trim()}`),
    ),
    [],
  );
});
