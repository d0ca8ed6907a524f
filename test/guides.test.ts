import assert from 'node:assert/strict';
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { scratch } from './support/cli.ts';
import { freePort } from './support/gateway/ports.ts';
import { assertGolden } from './support/golden.ts';
import { projectRoot, readProjectFile } from './support/source-tree.ts';
import { outputOf, rewritten } from './support/transcript.ts';

for (const guide of ['README.md', 'docs/tour.md', ...globSync('docs/guides/*.md', { cwd: projectRoot })]) {
  test(`what ${guide} shows is what happens`, async (t) => {
    const dir = scratch(t);
    const cwd = path.join(dir, 'work');
    mkdirSync(cwd);
    const env = environment(dir);
    const document = readProjectFile(guide);
    const ports = await portsFor(document);
    const run = (command: string): string[] =>
      outputOf(ports.inCommand(command), cwd, env).map((line) => ports.inOutput(line));
    const now = rewritten(document, run);
    assert.doesNotMatch(now, /internal error/);
    assertGolden(path.join(projectRoot, guide), now);
  });
}

interface Ports {
  inCommand(text: string): string;
  inOutput(text: string): string;
}

/** Guides listen on ports from 15000 to 19999. Whoever tests may have them in use, so commands get free ones instead. */
async function portsFor(document: string): Promise<Ports> {
  const free = new Map<string, string>();
  const shown = new Map<string, string>();
  for (const [port] of document.matchAll(/\b1[5-9]\d{3}\b/g)) {
    if (free.has(port)) continue;
    let other = `${await freePort()}`;
    while (shown.has(other) || document.includes(other)) other = `${await freePort()}`;
    free.set(port, other);
    shown.set(other, port);
  }
  const exchange = (text: string, by: ReadonlyMap<string, string>): string =>
    text.replaceAll(/\b\d{5}\b/g, (number) => by.get(number) ?? number);
  return { inCommand: (text) => exchange(text, free), inOutput: (text) => exchange(text, shown) };
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
