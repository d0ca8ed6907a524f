// Every command of the command line, with arguments that load its module and do no harm; and what becomes of many of them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { type Argument, Command, type Option } from 'commander';
import { describeCommands } from '../../src/cli/program.ts';
import { projectRoot } from './source-tree.ts';

export interface KnownCommand {
  /** As in cluster join. */
  readonly words: readonly string[];
  /** The same as it is typed. */
  readonly name: string;
  readonly command: Command;
  /** Commands below it; then it may have no work of its own. */
  readonly isGroup: boolean;
  readonly args: readonly string[];
}

export const nobody = 'nothing-of-this-name';

/** For commands that would do more than a test wants, or nothing, with made-up arguments. */
const ownArguments: Readonly<Record<string, readonly string[]>> = {
  up: [nobody],
  test: ['--only', nobody],
  // As root it would install for everybody.
  install: ['--dir', 'bin'],
};

export const allCommands = (): KnownCommand[] => below(describeCommands(new Command()), []);

const below = ({ commands }: Command, above: readonly string[]): KnownCommand[] =>
  commands.flatMap((command) => {
    const words = [...above, command.name()];
    const args = ownArguments[words.join(' ')] ?? required(command);
    const name = words.join(' ');
    return [{ words, name, command, args, isGroup: command.commands.length > 0 }, ...below(command, words)];
  });

/** What is required, so that its module is loaded and not only its description. */
const required = ({ registeredArguments, options }: Command): string[] => [
  ...registeredArguments.filter((one) => one.required).map(madeUp),
  ...options.filter((one) => one.mandatory).flatMap((one) => [one.long ?? '', madeUp(one)]),
];

const madeUp = ({ argChoices }: Argument | Option): string => argChoices?.[0] ?? nobody;

export interface Run {
  readonly cwd: string;
  readonly args: readonly string[];
}

export interface Outcome {
  /** What was written, on either stream. */
  readonly said: string;
  /** Of the process, or of the error. */
  readonly code: string | number;
  readonly message?: string;
  readonly fix?: string;
}

/** All of them in one process of their own. */
export function outcomesOf(runs: readonly Run[]): Outcome[] {
  const batch = path.join(projectRoot, 'test/support/command-batch.ts');
  const { stdout, stderr } = spawnSync(process.execPath, [batch], { input: JSON.stringify(runs), encoding: 'utf8' });
  assert.equal(stderr, '');
  return JSON.parse(stdout) as Outcome[];
}
