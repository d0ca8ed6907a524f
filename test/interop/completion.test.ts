import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { launcher, targetsFor } from '../../src/cli/commands/install.ts';
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

/** A home with the completion of a shell as `install` writes it. */
function homeWith(t: TestContext, shell: 'zsh' | 'fish'): { env: NodeJS.ProcessEnv; directory: string } {
  const home = scratch(t);
  const env = { HOME: home, PATH: `${home}:${process.env.PATH}`, CAUSEWAY_NODE: process.execPath };
  symlinkSync(launcher, path.join(home, 'causeway'));
  const { file, text = '' } = targetsFor({ env, isRoot: false }).find(({ what }) => what === shell) ?? { file: '' };
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return { env, directory: path.dirname(file) };
}

test('zsh finds the completion that is installed, and completes by it', (t) => {
  const zsh = needProgram(t, 'zsh');
  if (zsh === undefined) return;
  const { env, directory } = homeWith(t, 'zsh');
  const script = `fpath=('${directory}' $fpath); autoload -Uz compinit; compinit -u -D
    print -r -- $_comps[causeway]; autoload +X _causeway; CURRENT=2; words=(causeway kubec)
    _describe() { print -rl -- \${(P)2} }; _causeway`;
  const said = execFileSync(zsh, ['-f', '-c', script], { encoding: 'utf8', env });
  assert.match(said, /^_causeway\n[\s\S]*^kubeconfig:/m);
});

test('fish finds the completion that is installed, and completes by it', (t) => {
  const fish = needProgram(t, 'fish');
  if (fish === undefined) return;
  const { env } = homeWith(t, 'fish');
  const said = execFileSync(fish, ['-c', 'complete -C "causeway kubec"'], { encoding: 'utf8', env });
  assert.match(said, /^kubeconfig\t/m);
});
