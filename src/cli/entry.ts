import type { Command } from 'commander';
import { exitCodes, isCausewayError } from '../core/errors.ts';
import { asTyped } from './started-as.ts';

/** Prints what a person can act on; the stack only for whoever asks. */
export function reportError(error: unknown): number {
  if (isCausewayError(error)) {
    process.stderr.write(asTyped(`error: ${error.message} [${error.code}]\n  fix: ${error.fix}\n`));
    return error.exitCode;
  }
  const shown = error instanceof Error ? error.message : String(error);
  process.stderr.write(`internal error: ${shown}\n  this is a bug in Causeway; CAUSEWAY_DEBUG=1 shows where\n`);
  if (process.env.CAUSEWAY_DEBUG !== undefined && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return exitCodes.internal;
}

interface Terminal {
  readonly isTTY?: boolean;
  columns?: number;
  rows?: number;
}

/** A terminal that does not know its size says 0, on a serial line or inside some tools; prompts would wrap every letter. */
export function defaultTerminalSize(...terminals: Terminal[]): void {
  for (const terminal of terminals.filter(({ isTTY }) => isTTY)) {
    if (terminal.columns === 0) terminal.columns = 80;
    if (terminal.rows === 0) terminal.rows = 24;
  }
}

/**
 * `kubectl CLUSTER -n shop get pods --help`: all that follows the cluster is kubectl's, also what looks like an option of
 * ours. Commander takes it as it is after `--`.
 */
export function separateArguments(program: Command, argv: readonly string[]): readonly string[] {
  const at = argv.findIndex((argument) => !argument.startsWith('-'));
  const command = program.commands.find((one) => one.name() === 'kubectl');
  if (command === undefined || argv[at] !== 'kubectl') return argv;
  let next = at + 1;
  while (argv[next]?.startsWith('-')) next += takesNext(command, argv[next] ?? '') ? 2 : 1;
  return next < argv.length ? [...argv.slice(0, next + 1), '--', ...argv.slice(next + 1)] : argv;
}

/** Whoever gets the arguments of a command wrong is told of the help of that command, not of the list of all. */
export function nameOwnHelp(command: Command, typed: string): void {
  for (const one of command.commands) {
    const own = `${typed} ${one.name()}`;
    one.showHelpAfterError(
      `(${own} --help shows ${one.commands.length > 0 ? 'its commands' : 'its arguments and options'})`,
    );
    nameOwnHelp(one, own);
  }
}

/** `--dir X`, but not `--dir=X`. */
const takesNext = (command: Command, flag: string): boolean =>
  command.options.some(({ long, short, required }) => [long, short].includes(flag) && required);
