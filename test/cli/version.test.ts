import assert from 'node:assert/strict';
import { test } from 'node:test';
import { causeway } from '../support/cli.ts';

test('--version says what the command version says', () => {
  const { code, stdout, stderr } = causeway(['--version']);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^causeway \d+\.\d+\.\d+ \(node \d/);
  assert.equal(stdout, causeway(['version']).stdout);
});
