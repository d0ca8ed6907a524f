import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { writeAtomically } from './write-atomically.ts';

function scratch(t: { after(undo: () => void): void }): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-write-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

test('writes although a process of the same id left its temporary file behind, as after a crash in a container', (t) => {
  const directory = scratch(t);
  const file = path.join(directory, 'plan.json');
  writeFileSync(`${file}.${process.pid}.tmp`, 'half');
  writeAtomically(file, 'whole', 0o600);
  assert.equal(readFileSync(file, 'utf8'), 'whole');
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test('a file that cannot be replaced stays, nothing is left beside it, and the error says what to do', (t) => {
  const directory = scratch(t);
  const file = path.join(directory, 'plan.json');
  mkdirSync(path.join(file, 'full'), { recursive: true });
  assert.throws(() => writeAtomically(file, 'text'), { code: 'CW-WRITE', message: /cannot write .*plan\.json/ });
  assert.deepEqual(readdirSync(directory), ['plan.json']);
});
