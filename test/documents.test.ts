// What documents promise about themselves: length, words that are explained, dates, an index.
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { catalogue } from '../src/plan/catalogue/index.ts';
import { projectRoot, readProjectFile } from './support/source-tree.ts';

test('README has at most 100 lines', () => {
  const { length } = readProjectFile('README.md').trimEnd().split('\n');
  assert.ok(length <= 100, `${length} lines`);
});

test('a document links the requirements catalogue before it names the first row of it', () => {
  const ids = catalogue.map(({ id }) => id).join('|');
  const row = new RegExp(`\\b(?:${ids})\\b`);
  const documents = ['README.md', 'docs/tour.md', ...globSync('docs/guides/*.md', { cwd: projectRoot })];
  const unexplained = documents.filter((file) => {
    const text = readProjectFile(file);
    const first = text.search(row);
    return first >= 0 && !text.slice(0, first).includes('reference/requirements.md');
  });
  assert.deepEqual(unexplained, []);
});
