import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { splitDocuments } from './split-documents.ts';

const shape = (text: string): (readonly [number, string])[] =>
  splitDocuments(text).map((chunk) => [chunk.linesBefore, chunk.text] as const);

test('cuts at lines of three hyphens and keeps count of lines', () => {
  assert.deepEqual(shape('a: 1\n---\nb: 2\n--- # c\nd: 3'), [
    [0, 'a: 1\n'],
    [1, '---\nb: 2\n'],
    [3, '--- # c\nd: 3'],
  ]);
});

test('cuts after a line of three dots', () => {
  assert.deepEqual(shape('a: 1\n...\nb: 2\n'), [
    [0, 'a: 1\n...\n'],
    [2, 'b: 2\n'],
  ]);
});

test('cuts inside of a block scalar, as YAML itself does', () => {
  assert.equal(splitDocuments('a: |\n  x\n---\n  y\n').length, 2);
});

test('does not cut at hyphens that are indented, longer, or followed by text', () => {
  for (const line of [' ---', '----', '---a', 'a ---', '\u2028---']) {
    assert.equal(splitDocuments(`a: |\n${line}\n`).length, 1, JSON.stringify(line));
  }
});

test('reads CRLF and CR files with the same lines', () => {
  for (const br of ['\r\n', '\r']) assert.deepEqual(shape(`a: 1${br}---${br}b: 2`), shape('a: 1\n---\nb: 2'));
});

test('the parts of a file, joined, are the file, and each knows how many lines come before it', () => {
  const line = fc.constantFrom('---', '...', 'a: 1', '', '  - x', '--- |', '# c', '...x', '---\t');
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
      const text = lines.join('\n');
      const chunks = splitDocuments(text);
      assert.equal(chunks.map((chunk) => chunk.text).join(''), text);
      let before = '';
      for (const chunk of chunks) {
        assert.equal(chunk.linesBefore, before.split('\n').length - 1);
        before += chunk.text;
      }
    }),
  );
});
