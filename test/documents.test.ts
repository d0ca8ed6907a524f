// What documents promise about themselves: length, words that are explained, dates, an index.
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { catalogue } from '../src/plan/catalogue/index.ts';
import { assertGolden } from './support/golden.ts';
import { identifiersOf, wordsIn } from './support/identifiers.ts';
import { codeOf, defines, missingCode, namedCode } from './support/named-code.ts';
import { roomOf, roomsBelow } from './support/rooms.ts';
import { projectRoot, readProjectFile, sourceFiles } from './support/source-tree.ts';

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

// Documents about the code.

const architecture = readProjectFile('docs/architecture.md');

test('every path that a document about the code names exists, and its file defines the names beside it', () => {
  assert.ok(namedCode(architecture).flatMap(({ names }) => names).length > 100);
  for (const file of ['docs/architecture.md', 'CONTRIBUTING.md'])
    assert.deepEqual(missingCode(readProjectFile(file)), [], file);
});

test('a name counts as defined by a declaration or a member, and not by a use, a comment or a longer name', () => {
  const code = codeOf(`
    // function inComment() {}
    export class Table { // class trailing
      readonly rows: string[];
      async read(
        at: number,
      ): Promise<void> {
        used(at);
        this.rows.push();
      }
    }
    export const makeTable = () => 'http://kept';`);
  assert.deepEqual(
    ['Table', 'rows', 'read', 'makeTable', 'inComment', 'trailing', 'used', 'push', 'make', 'kept'].filter((name) =>
      defines(code, name),
    ),
    ['Table', 'rows', 'read', 'makeTable'],
  );
  assert.ok(code.includes('http://kept'));
});

test('the table of rooms has every room once, and each imports only from rooms above it', () => {
  const rows = [...architecture.matchAll(/^\| `src\/([\w-]+)` \| \S/gm)].map(([, room = '']) => room);
  const rooms = new Set(sourceFiles('src/**/*.ts').flatMap((file) => roomOf(file) ?? []));
  assert.deepEqual([...rows].sort(), [...rooms].sort());
  const wrong = rows.flatMap((room, at) =>
    (roomsBelow[room] ?? [])
      .filter((below) => rows.indexOf(below) > at)
      .map((below) => `${room} stands above ${below}`),
  );
  assert.deepEqual(wrong, []);
});

test('the picture of the architecture shows every room', () => {
  const picture = readProjectFile('docs/architecture.svg');
  const shown = new Set([...picture.matchAll(/>src\/([\w-]+)/g)].map(([, room = '']) => room));
  const rooms = new Set(sourceFiles('src/**/*.ts').flatMap((file) => roomOf(file) ?? []));
  assert.deepEqual([...shown].sort(), [...rooms].sort());
});

/** Whoever looks for a mechanism types the word that the field has for it. */
const words = [
  ['reconcile', 'desired', 'observed', 'condition', 'reflector', 'mutex', 'backoff', 'orphan', 'event log'],
  ['listener', 'route', 'upstream', 'connection manager', 'round robin', 'outlier', 'token bucket', 'drain'],
  ['unauthenticated', 'sidecar', 'rbac', 'workload', 'snapshot', 'vantage', 'finding'],
].flat();

test('each word of the field is in the glossary, in a name that the file of its mechanism defines, and found there by git grep -i', () => {
  const glossary = new Map(
    [...architecture.matchAll(/^\| ([a-z ]+) \| (`src\/.*?) \| \S/gm)].map(([, word = '', where = '']) => [
      word,
      where,
    ]),
  );
  const unfound = words.flatMap((word) => {
    const found = namedCode(glossary.get(word) ?? '');
    if (found.length === 0) return [`${word} is not in the glossary`];
    const named = found.filter(({ names }) => names.some((name) => name.toLowerCase().includes(word.replace(' ', ''))));
    if (named.length === 0) return [`${word}: no name beside ${found[0]?.path} has it`];
    // Names have no space; whoever types two words as they are spoken finds the file, too.
    const isFound = named.some(({ path: file }) => readProjectFile(file).toLowerCase().includes(word));
    return isFound ? [] : [`${word}: "git grep -i '${word}'" does not find ${named[0]?.path}`];
  });
  assert.deepEqual(unfound, []);
});

/** Metaphors that once named mechanisms; each has a word of the field, which is in the glossary or in the code of its room. */
const metaphors = new Set(
  [
    ['arrival', 'bring', 'diary', 'door', 'gatekeeper', 'holdings', 'keeper', 'knock', 'lane', 'leftover', 'patience'],
    ['people', 'reception', 'seat', 'shelf', 'siege', 'standing', 'stranger', 'surroundings', 'switchboard', 'tending'],
    ['wish', 'in turn', 'own workers'],
  ].flat(),
);

/** Door, doors, knocked, knocking; a pair only as it is written above. */
function metaphorsIn(name: string): string[] {
  const words = wordsIn(name);
  const pairs = words.slice(1).map((word, i) => `${words[i]} ${word}`);
  const stems = words.flatMap((word) =>
    ['', 's', 'es', 'ed', 'ing'].map((end) => word.replace(new RegExp(`${end}$`), '')),
  );
  return [...stems, ...pairs].filter((word) => metaphors.has(word));
}

test('no file and no identifier is named by a metaphor', () => {
  const found = sourceFiles().flatMap((file) =>
    [...new Set([...file.split('/'), ...identifiersOf(readProjectFile(file))])]
      // Icons are named by their library.
      .filter((name) => metaphorsIn(name).length > 0 && !/^Icon[A-Z]/.test(name))
      .map((name) => `${file}: ${name}`),
  );
  assert.deepEqual(found, []);
});

test('metaphors are found in parts of identifiers, and not in comments, texts and longer words', () => {
  const names = identifiersOf(`
    // The keeper of a door. /* const patience = 1; */
    export class FrontDoor extends Table { #wishes = 'a seat'; }
    const [outdoors, lanesOf] = \`a door \${knock(\`a \${inTurn} door\`)} "stranger"\`;
    const quote = /'|seat/.test('it') ? { at: 'a \\'seat' } : \`it's \${{ a: doorOf('b') }.a} '\`;
    function ownWorkersOf(state: "people"): void {}`);
  assert.deepEqual(
    names.filter((name) => metaphorsIn(name).length > 0),
    ['FrontDoor', 'wishes', 'lanesOf', 'knock', 'inTurn', 'doorOf', 'ownWorkersOf'],
  );
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
