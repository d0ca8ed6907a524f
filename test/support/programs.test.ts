import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { findProgram, needProgram, type ProgramName, programs } from './programs.ts';

/** Changes the environment for one test. */
function withEnvironment(t: TestContext, values: Record<string, string>): void {
  const before = process.env;
  process.env = { ...before, ...values };
  t.after(() => {
    process.env = before;
  });
}

/** A stand-in for the context of a test, which remembers why it was skipped. */
function skippable(): { t: TestContext; reasons: string[] } {
  const reasons: string[] = [];
  return { t: { skip: (reason: string) => reasons.push(reason) } as unknown as TestContext, reasons };
}

// Java is on no machine in these directories, and nothing else is asked for.
const absent: ProgramName = 'java';

test('a program on PATH is found, and its test is not skipped', (t) => {
  withEnvironment(t, { PATH: '/nowhere:/usr/bin:/bin', CI: '' });
  const { t: context, reasons } = skippable();
  assert.match(needProgram(context, 'git') ?? '', /\/git$/);
  assert.deepEqual(reasons, []);
});

test('a missing program skips its test with a sentence that says how to install it', (t) => {
  withEnvironment(t, { PATH: '/nowhere', CI: '' });
  const { t: context, reasons } = skippable();
  assert.equal(needProgram(context, absent), undefined);
  assert.deepEqual(reasons, ['java is not installed: apt-get install openjdk-17-jre-headless.']);
});

test('under CI a missing program fails its test', (t) => {
  withEnvironment(t, { PATH: '/nowhere', CI: 'true' });
  const { t: context, reasons } = skippable();
  assert.throws(() => needProgram(context, absent), /apt-get install/);
  assert.deepEqual(reasons, []);
});

test('a directory of the same name is no program', (t) => {
  withEnvironment(t, { PATH: '/usr/local', CI: '' });
  assert.notEqual(findProgram('go'), '/usr/local/go');
});

test('every program says how to get it', () => {
  const silent = Object.entries(programs).filter(([, source]) => !('debian' in source) && !('otherwise' in source));
  assert.deepEqual(silent, []);
});
