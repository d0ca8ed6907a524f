// The node agent without the rest of the command line: a worker has no packages, and Node alone reads its flags. The launcher
// starts this where none are installed.
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { CausewayError } from '../core/errors.ts';
import { type AgentFlag, agentDescription, agentFlags } from './agent-flags.ts';
import { runAgentCommand } from './commands/agent.ts';
import { reportError } from './entry.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

const optionOf = ({ short, value, kind, default: unset }: AgentFlag): Options[string] => ({
  type: value === undefined ? 'boolean' : 'string',
  multiple: kind === 'list',
  ...(short !== undefined && { short }),
  ...(unset !== undefined && { default: unset }),
});

const options: Options = {
  ...Object.fromEntries(agentFlags.map((flag) => [flag.name, optionOf(flag)])),
  help: { type: 'boolean', short: 'h' },
};

const wrong = (message: string): CausewayError =>
  new CausewayError('CW-AGENT-FLAG', message, 'see "causeway agent --help"');

/** By the names that the agent has for them. */
function readFlags(args: string[]): Record<string, unknown> {
  const flags = parsed(args);
  for (const { name, choices } of agentFlags)
    if (choices !== undefined && !choices.includes(String(flags[name])))
      throw wrong(`--${name} is one of ${choices.join(', ')}`);
  const ofAgent = (name: string): string => name.replaceAll(/-[a-z]/g, ([, letter = '']) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(flags).map(([name, value]) => [ofAgent(name), value]));
}

function parsed(args: string[]): Record<string, unknown> {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw wrong((error as Error).message);
  }
}

function helpText(): string {
  const lines = agentFlags.map(({ name, short, value, text, default: unset }) => {
    const flag = `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` <${value}>`}`;
    return `  ${flag.padEnd(32)} ${text}${unset === undefined ? '' : ` (default: "${unset}")`}`;
  });
  return [`Usage: causeway agent [options]`, '', agentDescription, '', ...lines, ''].join('\n');
}

try {
  const { help, ...flags } = readFlags(process.argv.slice(3));
  if (help) process.stdout.write(helpText());
  else process.exitCode = await runAgentCommand(flags as unknown as Parameters<typeof runAgentCommand>[0]);
} catch (error) {
  process.exit(reportError(error));
}
