// Commands, arguments and options, from the same description that --help is made of.
import { type Argument, Command, type Option } from 'commander';
import { exitCodes } from '../../core/errors.ts';
import { code, codeList, markdownTable, markdownText } from '../../render/text/tables.ts';
import { describeCommands } from '../program.ts';
import { page } from './page.ts';

const exitWords: Record<keyof typeof exitCodes, string> = {
  ok: 'all is well',
  internal: 'a bug in Causeway',
  usage: 'wrong usage, or input that cannot be read',
  findings: 'findings that fail, or drift that `render --check` found',
  warnings: 'warnings only',
};

export function cliPage(): string {
  const program = describeCommands(new Command());
  return page('Commands', [
    markdownText(program.description()),
    markdownTable(['option', 'meaning'], program.options.map(optionRow)),
    ...program.commands.flatMap((command) => [
      commandSection(command, command.name()),
      ...command.commands.map((below) => commandSection(below, `${command.name()} ${below.name()}`)),
    ]),
    '## Exit codes',
    markdownTable(
      ['code', 'meaning'],
      Object.entries(exitCodes).map(([name, value]) => [String(value), exitWords[name as keyof typeof exitCodes]]),
    ),
  ]);
}

function commandSection(command: Command, name: string): string {
  const rows = [...command.registeredArguments.map(argumentRow), ...command.options.map(optionRow)];
  const usage = `causeway ${name} ${command.usage()}`;
  return [
    `## ${name}`,
    markdownText(sentence(command.description())),
    `\`\`\`\n${usage}\n\`\`\``,
    rows.length === 0 ? '' : markdownTable(['argument or option', 'meaning'], rows),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const argumentRow = (argument: Argument): string[] => [
  code(argument.name()),
  withDefault(argument.description, argument.argChoices, argument.defaultValue),
];
const optionRow = (option: Option): string[] => [
  code(option.flags),
  withDefault(option.description, option.argChoices, option.negate ? undefined : option.defaultValue),
];

const withDefault = (text: string, choices: readonly string[] | undefined, value: unknown): string =>
  [
    markdownText(text),
    choices === undefined ? '' : `: ${codeList(choices)}`,
    value === undefined ? '' : `; default ${code(String(value))}`,
  ].join('');

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
