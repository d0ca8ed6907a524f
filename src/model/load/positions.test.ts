import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isMap, isScalar, isSeq, parseDocument, stringify } from 'yaml';
import type { Path } from '../finding.ts';
import { positionAt } from './document.ts';
import { offsetOf, type Part } from './positions.ts';

const text = `a:
  b: &x "q"
  c: |
    text
  d: [1, {x: y}]
  e:
  f:
    - k: v
    -
      m: n
    - *x
  'g': &y
    h: 1
q: *y
`;
const at = (path: Path, part: Part = 'value'): string => text.slice(offsetOf(text, path, part)).slice(0, 4);

const places: readonly (readonly [Path, string])[] = [
  [['a', 'b'], '"q"\n'],
  [['a', 'd', 0], '1, {'],
  [['a', 'd', 1, 'x'], 'y}]\n'],
  [['a', 'f', 0, 'k'], 'v\n  '],
  [['a', 'f', 1], 'm: n'],
  [['a', 'f', 2], '*x\n '],
];
for (const [path, expected] of places) {
  test(`points at the value of ${path.join('.')}`, () => assert.equal(at(path), expected));
}

test('points at the key of a block, of a text block and of an empty field', () => {
  assert.equal(at(['a', 'f']), 'f:\n ');
  assert.equal(at(['a', 'c']), 'c: |');
  assert.equal(at(['a', 'e']), 'e:\n ');
});

test('points at a key when asked for it', () => assert.equal(at(['a', 'b'], 'key'), 'b: &'));

test('follows an alias to the field that it stands for', () => {
  assert.equal(at(['q']), '*y\n');
  assert.equal(at(['q', 'h']), '1\nq:');
});

test('falls back to the nearest field above that exists', () => {
  assert.equal(at(['a', 'f', 0, 'missing', 'deeper']), 'k: v');
  assert.equal(at(['a', 'missing']), 'a:\n ');
  assert.equal(at(['missing']), 'a:\n ');
  assert.equal(at(['a', 'b', 'x']), '"q"\n');
});

test('answers for a text that is no YAML', () => assert.equal(offsetOf('a: [', ['a'], 'value'), 0));

test('finds every value where another YAML library finds it', () => {
  const leaf = fc.oneof(fc.integer(), fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[ -~]{1,12}$/));
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
      fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), tie('tree'), { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(tree, fc.constantFrom('block', 'flow'), (value, collectionStyle) => {
      const source = stringify({ value }, { collectionStyle, lineWidth: 0 } as object);
      for (const { path, offset } of scalarsOf(parseDocument(source).contents, [])) {
        assert.equal(offsetOf(source, path, 'value'), offset, `${path.join('.')} in\n${source}`);
      }
    }),
    { numRuns: 200 },
  );
});

function scalarsOf(node: unknown, path: Path): { path: Path; offset: number }[] {
  if (isScalar(node)) return node.type?.startsWith('BLOCK') ? [] : [{ path, offset: node.range?.[0] ?? -1 }];
  if (isSeq(node)) return node.items.flatMap((item, index) => scalarsOf(item, [...path, index]));
  if (!isMap(node)) return [];
  return node.items.flatMap(({ key, value }) => scalarsOf(value, [...path, String(isScalar(key) ? key.value : key)]));
}

test('the start of a document that begins with an empty line is its first column', () => {
  const place = { file: 'x.yaml', text: '\na: 1\n', linesBefore: 4 };
  assert.deepEqual(positionAt(place, 0), { file: 'x.yaml', line: 5, column: 1 });
  assert.deepEqual(positionAt(place, 1), { file: 'x.yaml', line: 6, column: 1 });
  assert.deepEqual(positionAt(place, 4), { file: 'x.yaml', line: 6, column: 4 });
});
