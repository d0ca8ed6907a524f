import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { parse } from 'yaml';
import { commentLines, cutBytes, oneLine } from './one-line.ts';
import { code, columns, csv, markdownTable, markdownText } from './tables.ts';
import { yamlFile } from './yaml.ts';

const anyText = fc.string({ unit: 'binary' });

test('a text on one line has no line end of any kind', () => {
  fc.assert(fc.property(anyText, (text) => !/[\n\r\v\f\u0085\u2028\u2029]/.test(oneLine(text))));
});

test('every comment line starts with its mark, whatever the text is', () => {
  fc.assert(fc.property(fc.array(anyText), (lines) => commentLines('#', lines).every((line) => line.startsWith('#'))));
});

test('a text is cut to its bytes without breaking a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 4, max: 40 }), (text, bytes) => {
      const cut = cutBytes(text, bytes);
      return Buffer.byteLength(cut) <= bytes && cut.isWellFormed() && text.startsWith(cut.replace(/…$/, ''));
    }),
  );
});

test('a CSV cell never begins as a formula', () => {
  for (const start of ['=', '+', '-', '@', '\t', '\r']) {
    const [, line] = csv(['a'], [[`${start}cmd()`]]).split('\r\n');
    assert.match(line ?? '', /^"?'/, start);
  }
});

test('a CSV cell may hold commas, quotes and line ends', () => {
  assert.equal(csv(['a', 'b'], [['x,y', 'say "hi"\nnow']]), 'a,b\r\n"x,y","say ""hi""\nnow"\r\n');
});

test('Markdown text becomes no cell, tag, link or emphasis', () => {
  assert.equal(markdownText('a|b <i>*x*</i> [l](u)\n# h'), 'a\\|b \\<i\\>\\*x\\*\\</i\\> \\[l\\](u) # h');
  assert.equal(code('a`b|c'), "`a'b\\|c`");
});

test('a Markdown table has as many cells in every line', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyText, anyText)), (rows) => {
      const lines = markdownTable(
        ['a', 'b'],
        rows.map(([a, b]) => [markdownText(a), code(b)]),
      )
        .trimEnd()
        .split('\n');
      return lines.every((line) => line.replace(/\\./g, '').split('|').length === 4);
    }),
  );
});

test('columns are as wide as their widest cell, and an empty cell is a dash', () => {
  assert.equal(
    columns(
      ['A', 'B'],
      [
        ['long', ''],
        ['x', 'y'],
      ],
    ),
    'A      B\nlong   -\nx      y\n',
  );
});

test('strings that YAML 1.1 takes for something else are quoted', () => {
  const values = ['Yes', 'no', 'on', '1:30', '0x10', '1e3', 'null', '~', '*.example.com', '012'];
  const text = yamlFile(['banner'], [{ object: { values } }]);
  assert.deepEqual(parse(text, { version: '1.1' }), { values });
  assert.deepEqual(parse(text, { version: '1.2' }), { values });
});

test('comments in YAML cannot become content', () => {
  const text = yamlFile(['one\nkind: Evil'], [{ comment: ['two\r\nspec: evil'], object: { kind: 'Good' } }]);
  assert.deepEqual(parse(text.split('---')[1] ?? ''), { kind: 'Good' });
  assert.doesNotMatch(text, /^(kind: Evil|spec)/m);
});
