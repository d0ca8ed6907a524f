import type { Command } from 'commander';

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

/** `--dir X`, but not `--dir=X`. */
const takesNext = (command: Command, flag: string): boolean =>
  command.options.some(({ long, short, required }) => [long, short].includes(flag) && required);
