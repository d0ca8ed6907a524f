import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { agentArguments } from './arguments.ts';
import type { AgentFlags } from './options.ts';

const text = { type: 'string' } as const;
const options = {
  ...{ cluster: text, listen: text, ca: text, name: text, 'token-file': text, authority: text, admin: text },
  gateway: { type: 'string', multiple: true },
  plaintext: { type: 'boolean' },
} as const;

/** Values of flags are no flags themselves: hosts, paths and names never begin with a hyphen. */
const value = fc.string({ minLength: 1 }).filter((one) => !one.startsWith('-'));

test('a parser of command lines reads back every flag that was given, and no other', () => {
  const flags = fc.record(
    {
      ...{ gateway: fc.array(value, { minLength: 1 }), cluster: value, listen: value, ca: value, name: value },
      ...{ tokenFile: value, authority: value, admin: value, plaintext: fc.boolean() },
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(flags, (given) => {
      const { 'token-file': tokenFile, ...rest } = parseArgs({ args: agentArguments(given), options }).values;
      const { plaintext, ...wanted } = given;
      assert.deepEqual(
        { ...rest, ...(tokenFile !== undefined && { tokenFile }) },
        { ...wanted, ...(plaintext && { plaintext }) },
      );
    }),
  );
});

test('flags come in the order that they were given in: others would restart an agent that runs', () => {
  const flags: AgentFlags = { cluster: 'web', gateway: ['a:1', 'b:2'], tokenFile: '/t', plaintext: false };
  assert.deepEqual(agentArguments(flags), [
    ...['--cluster', 'web', '--gateway', 'a:1', '--gateway', 'b:2'],
    ...['--token-file', '/t'],
  ]);
});
