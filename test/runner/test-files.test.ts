import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { root } from './test-files.ts';

const files = {
  'leaks.test.mjs': `import { test } from 'node:test';
    process.on('SIGTERM', () => {});
    test('is never over', () => new Promise(() => setInterval(() => {}, 1000)));`,
  'spins.test.mjs': `import { test } from 'node:test';
    test('spins', () => { for (;;); });`,
  'works.test.mjs': `import { test } from 'node:test';
    test('works', () => {});`,
};

test('files that never end fail, and do not hold up the others', async (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'causeway-runner-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(directory, name), text);
  const said = await runApart(directory);
  assert.match(said, /Still open: .*Timeout/);
  assert.match(said, /FAILED: .*spins\.test\.mjs/);
  assert.match(said, /✔ .*works\.test\.mjs: 1 test/);
  assert.match(said, /"passed":1/);
});

/** In a process of its own: a runner does not run inside a test. */
function runApart(directory: string): Promise<string> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const names = Object.keys(files).map((name) => path.relative(root, path.join(directory, name)));
  const script = path.join(directory, 'run.mjs');
  writeFileSync(
    script,
    `import { runTestFiles } from ${JSON.stringify(new URL('test-files.ts', import.meta.url).href)};
    const run = ${JSON.stringify({ name: 'unit', files: names, minutes: 0.05 })};
    console.log(JSON.stringify(await runTestFiles(run, {}, console.log)));`,
  );
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [script], { env }, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
  });
}
