import assert from 'node:assert/strict';
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { scratch } from './support/cli.ts';
import { assertGolden } from './support/golden.ts';
import { projectRoot, readProjectFile } from './support/source-tree.ts';
import { outputOf, rewritten } from './support/transcript.ts';

for (const guide of ['README.md', ...globSync('docs/guides/*.md', { cwd: projectRoot })]) {
  test(`what ${guide} shows is what happens`, (t) => {
    const dir = scratch(t);
    const cwd = path.join(dir, 'work');
    mkdirSync(cwd);
    const env = environment(dir);
    const now = rewritten(readProjectFile(guide), (command) => outputOf(command, cwd, env));
    assert.doesNotMatch(now, /internal error/);
    assertGolden(path.join(projectRoot, guide), now);
  });
}

/** `causeway` on the path, and a git that knows who commits. */
function environment(dir: string): NodeJS.ProcessEnv {
  const bin = path.join(dir, 'bin');
  mkdirSync(bin);
  const main = path.join(projectRoot, 'src/cli/main.ts');
  writeFileSync(path.join(bin, 'causeway'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`, { mode: 0o755 });
  const who = { NAME: 'A Reader', EMAIL: 'reader@example.com' };
  return {
    ...process.env,
    PATH: `${bin}:${process.env.PATH}`,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: who.NAME,
    GIT_AUTHOR_EMAIL: who.EMAIL,
    GIT_COMMITTER_NAME: who.NAME,
    GIT_COMMITTER_EMAIL: who.EMAIL,
  };
}
