import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadedWith } from '../../test/support/source-tree.ts';

test('the agent loads nothing but Node itself', () => {
  const loaded = loadedWith('src/agent/agent.ts', 'src/agent/check/check.ts', 'src/agent/options.ts');
  assert.deepEqual(
    [...loaded].filter((name) => !name.endsWith('.ts') && !name.startsWith('node:')),
    [],
  );
});
