import { Command } from 'commander';
import { CausewayError } from '../../core/errors.ts';
import { describeCommands } from '../program.ts';

interface Described {
  readonly name: string;
  readonly about: string;
  readonly flags: readonly string[];
}

const shells: Record<string, (commands: readonly Described[]) => string> = { bash, zsh, fish };

export async function runCompletion(shell: string): Promise<number> {
  const script = shells[shell];
  if (script === undefined)
    throw new CausewayError('CW-CLI-SHELL', `there is no completion for "${shell}"`, 'use bash, zsh or fish');
  process.stdout.write(script(described()));
  return 0;
}

/** From the same description that help is made of, so that the two cannot differ. */
function described(): Described[] {
  return describeCommands(new Command()).commands.map((command) => ({
    name: command.name(),
    about: command.description().replaceAll("'", '’'),
    flags: command.options.map((option) => option.long ?? option.short ?? '').filter((flag) => flag !== ''),
  }));
}

function bash(commands: readonly Described[]): string {
  const cases = commands.map((c) => `    ${c.name}) words='${c.flags.join(' ')}' ;;`).join('\n');
  return `# causeway completion for bash: source <(causeway completion bash)
_causeway() {
  local current=\${COMP_WORDS[COMP_CWORD]} words=''
  if [ "$COMP_CWORD" -eq 1 ]; then
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
  const cases = commands.map((c) => `    ${c.name}) compadd -- ${c.flags.join(' ')}; _files ;;`).join('\n');
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

function fish(commands: readonly Described[]): string {
  const unused = 'not __fish_seen_subcommand_from';
  const names = commands.map((c) => c.name).join(' ');
  return commands
    .flatMap((c) => [
      `complete -c causeway -n '${unused} ${names}' -a ${c.name} -d '${c.about}'`,
      ...c.flags.map(
        (flag) => `complete -c causeway -n '__fish_seen_subcommand_from ${c.name}' -l ${flag.replace(/^-+/, '')}`,
      ),
    ])
    .join('\n')
    .concat('\n');
}
