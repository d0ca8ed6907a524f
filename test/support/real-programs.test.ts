import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { scratch } from './cli.ts';
import { needReal } from './real-programs.ts';

/** A machine on which nothing can be had. */
function onEmptyMachine(t: TestContext, CI: string): void {
  const before = process.env;
  const nowhere = 'http://127.0.0.1:1';
  process.env = {
    ...before,
    PATH: '/nowhere',
    CAUSEWAY_CACHE: scratch(t),
    CAUSEWAY_PROGRAMS: '',
    CAUSEWAY_GITHUB_MIRROR: nowhere,
    CI,
  };
  t.after(() => {
    process.env = before;
  });
}

function skippable(): { context: TestContext; reasons: string[] } {
  const reasons: string[] = [];
  return { context: { skip: (reason: string) => reasons.push(reason) } as unknown as TestContext, reasons };
}

test('a test whose program cannot be had is skipped with a sentence', async (t) => {
  onEmptyMachine(t, '');
  const { context, reasons } = skippable();
  assert.equal(await needReal(context, 'envoy'), undefined);
  assert.match(reasons.join(), /^envoy 1\.39\.3 cannot be had: /);
});

test('under CI it fails', async (t) => {
  onEmptyMachine(t, 'true');
  const { context, reasons } = skippable();
  await assert.rejects(needReal(context, 'envoy'), { code: 'CW-PROGRAM-TOOL' });
  assert.deepEqual(reasons, []);
});
