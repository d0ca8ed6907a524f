// Commands inside texts for people: `wait until causeway status shows it`. Texts say "causeway"; whoever prints one
// replaces that by what the reader has to type.

/** First words of the commands. A test compares them with those of the command line. */
export const commandNames = [
  ...['agent', 'audit', 'bench', 'cluster', 'completion', 'credentials', 'diff', 'down', 'explain', 'gateway'],
  ...[
    'help',
    'init',
    'install',
    'kubeconfig',
    'kubectl',
    'logs',
    'password-hash',
    'plan',
    'programs',
    'render',
    'schema',
    'status',
    'test',
    'up',
    'validate',
    'version',
  ],
] as const;

/** Not the product's name in prose ("the user that runs causeway"), nor a part of a path or a longer word. */
const command = new RegExp(`(?<![\\w./-])causeway(?= (?:--[a-z]|(?:${commandNames.join('|')})(?![\\w-])))`, 'g');

/** The same text with its commands started by `name`. */
export const commandsAs = (text: string, name: string): string => text.replace(command, () => name);

export const beginsWithCommand = (text: string): boolean => text.search(command) === 0;
