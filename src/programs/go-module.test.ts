import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moduleFile, replacementsIn } from './go-module.ts';

test('replacements are found in blocks and on single lines, with versions and comments', () => {
  const text = `module x
replace a.example/b => ./b // ours
replace (
	c.example/d v1.2.3 => e.example/f v0.1.0
	// g.example/h => ./old
)
require i.example/j v1.0.0
`;
  assert.deepEqual(replacementsIn(text), [
    { module: 'a.example/b', target: './b', version: undefined },
    { module: 'c.example/d', target: 'e.example/f', version: 'v0.1.0' },
  ]);
});

test('directories become published versions, or nothing where there are none', () => {
  const theirs = 'module x\ngo 1.24.7\nreplace a.example/b => ./b\nreplace c.example/d => e.example/f v0.1.0\n';
  const own = { module: 'x.example/x', version: 'v1.0.0' };
  assert.match(moduleFile(theirs, own, 'v0.9.0'), /^replace a\.example\/b => a\.example\/b v0\.9\.0$/m);
  assert.doesNotMatch(moduleFile(theirs, own, undefined), /a\.example/);
  assert.match(moduleFile(theirs, own, undefined), /^replace c\.example\/d => e\.example\/f v0\.1\.0$/m);
});
