// The command line. Only commander is loaded to show help; each command brings its own module when it is asked for.

import { Command, CommanderError } from 'commander';
import { exitCodes } from '../core/errors.ts';
import { defaultTerminalSize, nameOwnHelp, reportError, separateArguments } from './entry.ts';
import { describeCommands } from './program.ts';
import { startedAs } from './started-as.ts';

defaultTerminalSize(process.stdout, process.stderr);

const program = describeCommands(new Command(), startedAs());
nameOwnHelp(program, program.name());

// Reading on after `| head` closed the pipe is not an error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? 0 : exitCodes.internal),
);

try {
  await program.parseAsync(separateArguments(program, process.argv.slice(2)), { from: 'user' });
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  // At once: what is still under way, as a compiler for minutes, is of no use any more.
  else process.exit(reportError(error));
}
