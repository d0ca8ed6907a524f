import { Command } from 'commander';
import { getOrAdd } from '../../core/collections.ts';
import { CausewayError } from '../../core/errors.ts';
import { suggestion } from '../../core/suggest.ts';
import { templateNames } from '../init/templates.ts';
import { describeCommands } from '../program.ts';

interface Described {
  readonly name: string;
  readonly about: string;
  /** Commands below it. */
  readonly below: readonly string[];
  /** Its own, and those of the commands below it. */
  readonly flags: readonly string[];
}
/** Option → what it takes. The same option takes the same everywhere it matters. */
type Values = ReadonlyMap<string, readonly string[]>;

const shells: Record<string, (commands: readonly Described[], values: Values) => string> = { bash, zsh, fish };

export async function runCompletion(shell: string): Promise<number> {
  const script = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
  if (script === undefined) {
    const message = `there is no completion for "${shell.slice(0, 80)}"`;
    throw new CausewayError('CW-CLI-SHELL', message, suggestion(shell, Object.keys(shells)));
  }
  process.stdout.write(script(described(), takenValues()));
  return 0;
}

/** From the same description that help is made of, so that the two cannot differ. */
function described(): Described[] {
  return describeCommands(new Command()).commands.map((command) => ({
    name: command.name(),
    about: command.description().replaceAll("'", '’'),
    below: command.commands.map((below) => below.name()),
    flags: [...new Set([command, ...command.commands].flatMap(flagsOf))],
  }));
}

const flagsOf = (command: Command): string[] =>
  command.options.map((option) => option.long ?? option.short ?? '').filter((flag) => flag !== '');

function takenValues(): Values {
  const values = new Map<string, Set<string>>([['--template', new Set(templateNames())]]);
  const options = describeCommands(new Command()).commands.flatMap((command) => command.options);
  for (const { long, argChoices = [] } of options) {
    if (long === undefined || long === null) continue;
    for (const choice of argChoices) getOrAdd(values, long, () => new Set<string>()).add(choice);
  }
  return new Map([...values].map(([flag, choices]) => [flag, [...choices]]));
}

function bash(commands: readonly Described[], values: Values): string {
  const taken = [...values].map(([flag, words]) => `    ${flag}) words='${words.join(' ')}' ;;`).join('\n');
  const cases = commands.map((c) => `    ${c.name}) words='${[...c.below, ...c.flags].join(' ')}' ;;`).join('\n');
  return `# causeway completion for bash: source <(causeway completion bash)
_causeway() {
  local current=\${COMP_WORDS[COMP_CWORD]} words=''
  case \${COMP_WORDS[COMP_CWORD-1]} in
${taken}
  esac
  if [ -n "$words" ]; then
    :
  elif [ "$COMP_CWORD" -eq 1 ]; then
    words='${commands.map((c) => c.name).join(' ')}'
  else
    case \${COMP_WORDS[1]} in
${cases}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _causeway causeway
`;
}

function zsh(commands: readonly Described[]): string {
  const names = commands.map((c) => `    '${c.name}:${c.about.replaceAll(':', '\\:')}'`).join('\n');
  const cases = commands
    .map((c) => `    ${c.name}) compadd -- ${[...c.below, ...c.flags].join(' ')}; _files ;;`)
    .join('\n');
  return `#compdef causeway
_causeway() {
  local -a commands
  commands=(
${names}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  case $words[2] in
${cases}
  esac
}
compdef _causeway causeway
`;
}

function fish(commands: readonly Described[], values: Values): string {
  const unused = 'not __fish_seen_subcommand_from';
  const names = commands.map((c) => c.name).join(' ');
  return commands
    .flatMap((c) => [
      `complete -c causeway -n '${unused} ${names}' -a ${c.name} -d '${c.about}'`,
      ...c.below.map((name) => `complete -c causeway -n '__fish_seen_subcommand_from ${c.name}' -a ${name}`),
      ...c.flags.map(
        (flag) =>
          `complete -c causeway -n '__fish_seen_subcommand_from ${c.name}' -l ${flag.replace(/^-+/, '')}${fishValues(values, flag)}`,
      ),
    ])
    .join('\n')
    .concat('\n');
}

const fishValues = (values: Values, flag: string): string => {
  const words = values.get(flag);
  return words === undefined ? '' : ` -x -a '${words.join(' ')}'`;
};
