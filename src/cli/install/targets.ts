// What `install` makes: a link to the launcher on PATH, and for each shell a file that it reads when somebody completes.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const launcher = fileURLToPath(new URL('../../../causeway', import.meta.url));

export interface Target {
  readonly file: string;
  readonly what: string;
  /** Of a file; a link leads to the launcher. */
  readonly text?: string;
}

export interface Wanted {
  /** Where the link goes instead of the usual place. */
  readonly dir?: string;
  readonly env: NodeJS.ProcessEnv;
  readonly isRoot: boolean;
}

/** For all users when root asks and names no directory, otherwise for the one who asks. */
export function targetsFor({ dir, env, isRoot }: Wanted): Target[] {
  const forAll = isRoot && dir === undefined;
  const home = env.HOME ?? '';
  const data = forAll ? '/usr/local/share' : absolute(env.XDG_DATA_HOME, path.join(home, '.local/share'));
  const config = absolute(env.XDG_CONFIG_HOME, path.join(home, '.config'));
  const fish = forAll ? path.join(data, 'fish/vendor_completions.d') : path.join(config, 'fish/completions');
  const bin =
    dir === undefined ? path.join(forAll ? '/usr/local' : path.join(home, '.local'), 'bin') : path.resolve(dir);
  return [
    { file: path.join(bin, 'causeway'), what: 'link' },
    { file: path.join(data, 'bash-completion/completions/causeway'), what: 'bash', text: completion.bash },
    { file: path.join(data, 'zsh/site-functions/_causeway'), what: 'zsh', text: completion.zsh },
    { file: path.join(fish, 'causeway.fish'), what: 'fish', text: completion.fish },
  ];
}

/** Relative ones are to be ignored, says who defines these variables. */
const absolute = (given: string | undefined, usual: string): string =>
  given !== undefined && path.isAbsolute(given) ? given : usual;

const word = `'${launcher.replaceAll("'", `'\\''`)}'`;
const fishWord = `'${launcher.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const note = '# Written by "causeway install"; "causeway install --undo" removes it.\n';

/** They ask the launcher, so that they know the commands of the version that is there. */
const completion = {
  bash: `${note}[ ! -x ${word} ] || source <(${word} completion bash)\n`,
  zsh: `#compdef causeway\n${note}[[ -x ${word} ]] && source <(${word} completion zsh) && _causeway "$@"\n`,
  fish: `${note}test -x ${fishWord}; and ${fishWord} completion fish | source\n`,
};
