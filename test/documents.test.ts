// What documents promise about themselves: length, words that are explained, dates, an index.
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { catalogue } from '../src/plan/catalogue/index.ts';
import { assertGolden } from './support/golden.ts';
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

interface Decision {
  readonly file: string;
  readonly number: number;
  readonly title: string;
  readonly date: string;
  readonly status: string;
}

const decisionFiles = globSync('docs/decisions/[0-9]*.md', { cwd: projectRoot }).sort();

/** The head of a decision: its title, an empty line, and date and status in one line. */
const decisionHead =
  /^# (\d+)\. (\S.*)\n\nDate: (\d{4}-\d\d-\d\d)\. Status: (Accepted(?:; \S.* superseded by \[.*)?|Superseded by \[.*)\.\n\n/;

function readDecision(file: string): Decision | undefined {
  const [, number, title = '', date = '', status = ''] = decisionHead.exec(readProjectFile(file)) ?? [];
  return number === undefined ? undefined : { file: path.basename(file), number: Number(number), title, date, status };
}

test('every decision has the number of its file, a date and a status under its title', () => {
  assert.ok(decisionFiles.length > 30);
  const example =
    '"# 7. Title", an empty line, "Date: 2026-11-16. Status: Accepted." (or "Superseded by [decision 9](…).")';
  const wrong = decisionFiles.flatMap((file) => {
    const decision = readDecision(file);
    if (decision === undefined) return [`${file} does not begin with ${example}`];
    if (Number.isNaN(Date.parse(decision.date))) return [`${file}: ${decision.date} is no date`];
    return decision.number === Number(path.basename(file).slice(0, 4)) ? [] : [`${file} has number ${decision.number}`];
  });
  assert.deepEqual(wrong, []);
});

test('no two decisions have the same number', () => {
  const numbers = decisionFiles.map((file) => path.basename(file).slice(0, 4));
  assert.deepEqual(
    numbers.filter((number, i) => numbers.indexOf(number) !== i),
    [],
  );
});

test('the index of decisions lists every one with its title, date and status', () => {
  const rows = decisionFiles
    .flatMap((file) => readDecision(file) ?? [])
    .map(({ file, number, title, date, status }) => `| ${number} | [${title}](${file}) | ${date} | ${status} |\n`);
  const head = '| | decision | date | status |\n|---|---|---|---|\n';
  const text = `# Decisions

<!-- Written by ./causeway test --update from the heads of the pages; edits here are lost. -->

Why things are as they are, one page for each choice that somebody will ask about. A page is not rewritten when the choice changes: a newer one
supersedes it, and its status says so.

${head}${rows.join('')}`;
  assertGolden(path.join(projectRoot, 'docs/decisions/README.md'), text);
});
