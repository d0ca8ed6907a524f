import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CausewayError } from '../../../../core/errors.ts';
import { type Machine, needTools } from './machine.ts';

const able: Machine = { system: 'linux', user: 0, find: (tool) => `/usr/sbin/${tool}` };

test('a machine with everything tells where its tools are', () => {
  assert.equal(needTools(able).runc, '/usr/sbin/runc');
});

const unable: Record<string, { machine: Partial<Machine>; code: string; says: RegExp }> = {
  'another system': { machine: { system: 'darwin' }, code: 'CW-REAL-SYSTEM', says: /needs Linux, and this is darwin/ },
  'not being root': { machine: { user: 1000 }, code: 'CW-REAL-ROOT', says: /need root/ },
  'a missing tool': {
    machine: { find: (tool) => (tool === 'nft' ? undefined : `/usr/sbin/${tool}`) },
    code: 'CW-REAL-PROGRAM',
    says: /no program "nft"/,
  },
};

for (const [name, { machine, code, says }] of Object.entries(unable))
  test(`${name} is said, with what to do instead`, () => {
    assert.throws(
      () => needTools({ ...able, ...machine }),
      (error: CausewayError) => {
        assert.equal(error.code, code);
        assert.match(error.message, says);
        assert.match(error.fix, /demo workers/);
        return true;
      },
    );
  });
