import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { parseYaml } from './parse-yaml.ts';

const problem = (text: string): string => {
  const parsed = parseYaml(text);
  return parsed.problem === undefined ? 'accepted' : `${parsed.problem.code} ${parsed.problem.offset}`;
};

const bad: readonly (readonly [name: string, text: string, expected: string])[] = [
  ['a tab as indentation', 'a:\n\tb: 1', 'CW-YAML-SYNTAX 3'],
  ['a quote that does not end', 'a: "b', 'CW-YAML-SYNTAX 5'],
  ['a bracket that does not end', 'a: [1, 2', 'CW-YAML-SYNTAX 8'],
  ['a value with a colon', 'a: b: c', 'CW-YAML-SYNTAX 4'],
  ['a missing space after the colon', 'a:1\nb: 2', 'CW-YAML-SYNTAX 5'],
  ['crooked indentation', 'a:\n  b: 1\n c: 2', 'CW-YAML-SYNTAX 11'],
  ['a NUL byte', 'a: \0', 'CW-YAML-SYNTAX 3'],
  ['an escape sequence for terminals', 'a: "\u001b[31m"', 'CW-YAML-SYNTAX 4'],
  ['a key that is written twice', 'a: 1\nb: 2\na: 3', 'CW-YAML-DUPLICATE-KEY 10'],
  ['a number as key', '8080: x', 'CW-YAML-KEY 0'],
  ['true as key', 'true: x', 'CW-YAML-KEY 0'],
  ['a list as key', '[a]: x', 'CW-YAML-KEY 0'],
  ['a key that reaches for the prototype', '__proto__: {x: 1}', 'CW-YAML-KEY 0'],
  ['a tag', 'a: !foo x', 'CW-YAML-TAG 3'],
  ['a standard tag', 'a: !!binary aGk=', 'CW-YAML-TAG 3'],
  ['a directive', '%YAML 1.2\n---\na: 1', 'CW-YAML-TAG 0'],
  ['a directive without document', '%YAML 1.2\n', 'CW-YAML-TAG 10'],
  ['an alias to nothing', 'a: *b', 'CW-YAML-ALIASES 4'],
  ['an alias to what it is part of', 'a: &a [*a]', 'CW-YAML-ALIASES 8'],
  ['an alias to what took over the name', 'a: &a x\nb: &a [*a]', 'CW-YAML-ALIASES 16'],
  ['ten thousand brackets', '['.repeat(10_000), 'CW-YAML-DEPTH 63'],
  ['ten thousand hyphens', '- '.repeat(10_000), 'CW-YAML-DEPTH 128'],
];
for (const [name, text, expected] of bad) test(`refuses ${name}`, () => assert.equal(problem(text), expected));

test('says nothing of the text, because what looks like a tag or alias may be a password', () => {
  for (const text of ['password: !hunter2', 'password: *hunter2', 'password: %hunter2', 'a: "\\hunter2"']) {
    assert.doesNotMatch(JSON.stringify(parseYaml(text)), /hunter2/);
  }
});

test('allows aliases, and keeps merge keys as the ordinary key that they are in YAML 1.2', () => {
  assert.deepEqual(parseYaml('a: &x {b: 1}\nc: *x'), { value: { a: { b: 1 }, c: { b: 1 } } });
  assert.deepEqual(parseYaml('a: &x {b: 1}\nc: {<<: *x}'), { value: { a: { b: 1 }, c: { '<<': { b: 1 } } } });
});

/** `a0: x`, then every level ten times the one before. */
const bomb = (levels: number): string =>
  Array.from(
    { length: levels },
    (_, i) =>
      `a${i}: &a${i} [${Array(10)
        .fill(i === 0 ? 'x' : `*a${i - 1}`)
        .join(',')}]`,
  ).join('\n');

test('refuses an alias bomb before it goes off', () => {
  assert.equal(problem(bomb(3)), 'accepted');
  const start = performance.now();
  assert.match(problem(bomb(60)), /^CW-YAML-ALIASES/);
  assert.ok(performance.now() - start < 1000, 'it would have taken the age of the universe');
});

test('refuses aliases that stack their depth beyond every stack', () => {
  const chain = Array.from({ length: 2000 }, (_, i) => `a${i}: &a${i} [${i === 0 ? 'x' : `*a${i - 1}`}]`).join('\n');
  assert.match(problem(chain), /^CW-YAML-ALIASES/);
});

test('takes a text without document as nothing', () => {
  for (const text of ['', '\n', '# only a comment\n', '---\n', '---\n# c\n', '\uFEFF', '...\n']) {
    assert.deepEqual(parseYaml(text), { value: undefined }, JSON.stringify(text));
  }
});

const scalar = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    'yes',
    'no',
    '1.36',
    '0o17',
    '0x1f',
    '1e3',
    '~',
    'null',
    '',
    ' x',
    '- a',
    'a: b',
    '#',
    '"',
    "'",
    '|',
    '&a',
    '*a',
    '!a',
    '---',
    '2027-03-31',
    '1_000',
    '.inf',
    '+1',
    '-0',
    '<<',
  ),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const key = fc
  .oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('a', 'b', 'x y', '1', 'null'))
  .filter((k) => k !== '__proto__');
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    scalar,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(key, tie('tree'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

test('reads what another YAML library writes, in every style', () => {
  const styles = fc.record({
    defaultStringType: fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'),
    defaultKeyType: fc.constantFrom('PLAIN', 'QUOTE_DOUBLE'),
    collectionStyle: fc.constantFrom('block', 'flow'),
  });
  fc.assert(
    fc.property(tree, styles, (value, style) => {
      const parsed = parseYaml(stringify({ value }, style as object));
      if (parsed.problem === undefined) assert.deepEqual(parsed.value, { value });
      // Control characters that one writes raw and the other refuses are the only dispute.
      else assert.match(parsed.problem.message, /control character|not text/);
    }),
    { numRuns: 300 },
  );
});

test('agrees with another YAML library on every text that it accepts', () => {
  const piece = fc.constantFrom(
    'a',
    'b',
    ': ',
    ':',
    '\n',
    '\n  ',
    '\n    ',
    '- ',
    '? ',
    '[',
    ']',
    '{',
    '}',
    ', ',
    '"',
    "'",
    '|\n  ',
    '>-\n  ',
    '&x ',
    '*x',
    '#',
    ' # c',
    '1',
    '0x1f',
    '1.5',
    'true',
    'null',
    '~',
    '<<',
    ' ',
    '\\n',
    '\\u00e9',
    'é',
  );
  let accepted = 0;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const text = `k: ${pieces.join('')}`; // Manifests are mappings.
      const ours = parseYaml(text);
      if (ours.problem !== undefined) return;
      const theirs = parseOrNothing(text);
      if (theirs === undefined) return;
      accepted++;
      assert.deepEqual(ours.value ?? null, theirs.value, JSON.stringify(text));
    }),
    { numRuns: 3000 },
  );
  assert.ok(accepted > 300, `only ${accepted} texts were compared`);
});

function parseOrNothing(text: string): { value: unknown } | undefined {
  try {
    return { value: parse(text, { version: '1.2', logLevel: 'error' }) ?? null };
  } catch {
    return undefined;
  }
}
