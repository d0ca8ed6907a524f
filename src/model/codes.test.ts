import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { codes, isWaivable, planningCodes, readingCodes } from './codes.ts';

test('every code is a slug that says what it means, why and what to do', () => {
  for (const [code, info] of Object.entries(codes)) {
    assert.match(code, /^CW(-[A-Z0-9]+)+$/);
    assert.ok(info.title.length > 10 && info.explanation.length > 20 && info.fix.endsWith('.'), code);
  }
});

test('no code belongs to both reading and planning', () => {
  assert.deepEqual(
    Object.keys(readingCodes).filter((code) => code in planningCodes),
    [],
  );
});

test('every code of reading is given by some source file', () => {
  const sources = globSync('{load/*.ts,waivers.ts}', { cwd: import.meta.dirname })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
    .join();
  assert.deepEqual(
    Object.keys(readingCodes).filter((code) => !sources.includes(`'${code}'`)),
    [],
  );
});

test('only planning rules can be waived', () => {
  assert.ok(isWaivable('CW-CIDR-OVERLAP'));
  for (const code of Object.keys(readingCodes)) assert.ok(!isWaivable(code), code);
});
