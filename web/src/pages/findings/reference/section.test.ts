import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sectionOf } from './section.ts';

const reference = (name: string): string =>
  readFileSync(new URL(`../../../../../docs/reference/${name}.md`, import.meta.url), 'utf8');

test('a section ends where the next one begins, and its marks become pieces', () => {
  const markdown =
    '# All\n\n### CW-A\n\n**Title** (error)\n\nUse `x`, see [`NET-5`](requirements.md#net-5).\n\n### CW-B\n\nno';
  assert.deepEqual(sectionOf(markdown, 'CW-A')?.paragraphs, [
    [
      { kind: 'strong', text: 'Title' },
      { kind: 'text', text: ' (error)' },
    ],
    [
      { kind: 'text', text: 'Use ' },
      { kind: 'code', text: 'x' },
      { kind: 'text', text: ', see ' },
      { kind: 'link', text: 'NET-5', to: 'requirements.md#net-5' },
      { kind: 'text', text: '.' },
    ],
  ]);
  assert.equal(sectionOf(markdown, 'CW-C'), undefined);
});

test('every finding and every requirement of the generated reference is found', () => {
  for (const [file, name] of [
    ['findings', /^### (CW-\S+)$/gm],
    ['requirements', /^## ([A-Z0-9]+-\d+)$/gm],
  ] as const) {
    const text = reference(file);
    const names = [...text.matchAll(name)].map(([, found = '']) => found);
    assert.ok(names.length > 50);
    for (const found of names) assert.ok((sectionOf(text, found)?.paragraphs.length ?? 0) > 0, found);
  }
});
