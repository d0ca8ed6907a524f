// Every command of the command line, with arguments that load its module and do no harm.
import { type Argument, Command, type Option } from 'commander';
import { describeCommands } from '../../src/cli/program.ts';

export interface KnownCommand {
  /** As in cluster join. */
  readonly words: readonly string[];
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
    return [{ words, args, isGroup: command.commands.length > 0 }, ...below(command, words)];
  });

/** What is required, so that its module is loaded and not only its description. */
const required = ({ registeredArguments, options }: Command): string[] => [
  ...registeredArguments.filter((one) => one.required).map(madeUp),
  ...options.filter((one) => one.mandatory).flatMap((one) => [one.long ?? '', madeUp(one)]),
];

const madeUp = ({ argChoices }: Argument | Option): string => argChoices?.[0] ?? nobody;
