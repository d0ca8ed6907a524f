import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { causeway, scratch } from '../support/cli.ts';
import { needProgram } from '../support/programs.ts';

/** From a file, because fish does not read a script from every kind of standard input. */
function assertParses(t: TestContext, program: string | undefined, shell: string, flag: string): void {
  if (program === undefined) return;
  const script = path.join(scratch(t), shell);
  writeFileSync(script, causeway(['completion', shell]).stdout);
  const { status, stderr } = spawnSync(program, [flag, script], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}

test('bash understands its completion script', (t) => assertParses(t, 'bash', 'bash', '-n'));
test('zsh understands its completion script', (t) => assertParses(t, needProgram(t, 'zsh'), 'zsh', '-n'));
test('fish understands its completion script', (t) => assertParses(t, needProgram(t, 'fish'), 'fish', '--no-execute'));
