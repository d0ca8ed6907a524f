import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realProgramsIn } from './get-programs.ts';

// In pieces, so that this file itself asks for nothing.
const call = `need${'Real'}`;

test('what a test names is found, on one line or on several', () => {
  const text = `const real = await ${call}(t, 'etcd');\nawait ${call}(\n  context,\n  'kubectl@1.36.1',\n  'envoy',\n);`;
  assert.deepEqual(realProgramsIn(text), ['etcd', 'kubectl@1.36.1', 'envoy']);
});

test('what a test names in lists is found, each with its version', () => {
  const text = `${call}(t, ...(['etcd', 'kwok'] as const), ...(['kubectl@1.36.1'] as const)); other('envoy')`;
  assert.deepEqual(realProgramsIn(text), ['etcd', 'kwok', 'kubectl@1.36.1']);
});

test('a comment asks for nothing', () => {
  assert.deepEqual(realProgramsIn(`/** @example ${call}(t, 'etcd') */\n  // ${call}(t, 'envoy')\n`), []);
});
