// Makes the launcher a command, with completion; and takes that back.

import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CausewayError } from '../../core/errors.ts';
import { writeAtomically } from '../../sys/write-atomically.ts';
import { firstOnPath, isLauncher } from '../started-as.ts';

interface Options {
  readonly dir?: string;
  readonly undo?: boolean;
}

export async function runInstall({ dir, undo }: Options): Promise<number> {
  const { env } = process;
  if (!path.isAbsolute(env.HOME ?? '')) throw homeless();
  const record = recordOf(launcher, env);
  if (undo) removeAll(record);
  else {
    const targets = targetsFor({ env, isRoot: process.getuid?.() === 0, ...(dir === undefined ? {} : { dir }) });
    makeAll(targets, record);
    say(advice(targets, env));
  }
  return 0;
}

function makeAll(targets: readonly Target[], record: InstallRecord): void {
  const before = record.list();
  for (const { file, text } of targets) removeIfEarlier(before, file, text);
  // All of them before anything is made: half an installation helps nobody.
  const foreign = targets.filter((target) => stateOf(target) === 'foreign');
  if (foreign.length > 0) throw taken(foreign.map(({ file }) => file));
  const made: Made[] = [];
  try {
    for (const target of targets) if (stateOf(target) === 'missing') made.push(make(target, before));
  } finally {
    record.keep([...before.filter((one) => !has(made, one)), ...made]);
  }
  say(targets.map((target) => `${has(made, target) ? 'made' : 'there already'}: ${shown(target)}`));
}

function removeAll(record: InstallRecord): void {
  const made = record.list().toReversed();
  if (made.length === 0) say(['nothing was installed from here']);
  for (const target of made) {
    const state = stateOf(target);
    if (state === 'ours') rmSync(target.file);
    say([state === 'foreign' ? `left alone, because it has changed: ${target.file}` : `removed: ${target.file}`]);
  }
  record.keep([]);
  // When all files are gone: several may have been in one of them.
  removeDirectories(made.flatMap(({ directories }) => directories));
}

const has = (made: readonly Made[], { file }: Target): boolean => made.some((one) => one.file === file);
const say = (lines: readonly string[]): void => void process.stdout.write(lines.map((line) => `${line}\n`).join(''));
const shown = ({ file, what, text }: Target): string =>
  text === undefined ? `${file} -> ${launcher}` : `${file} (completion for ${what})`;

function stateOf({ file, text }: Target): 'missing' | 'ours' | 'foreign' {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return 'missing';
  if (text === undefined) return stat.isSymbolicLink() && leadsHere(file) ? 'ours' : 'foreign';
  return stat.isFile() && readFileSync(file, 'utf8') === text ? 'ours' : 'foreign';
}

/** What an earlier version wrote, and nobody has changed since. */
function removeIfEarlier(before: readonly Made[], file: string, text: string | undefined): void {
  const earlier = before.find((one) => one.file === file && one.text !== text);
  if (earlier !== undefined && stateOf(earlier) === 'ours') rmSync(file);
}

const leadsHere = (link: string): boolean => isLauncher(path.resolve(path.dirname(link), readlinkSync(link)));

function make(target: Target, before: readonly Made[]): Made {
  const { file, text } = target;
  const earlier = before.find((one) => one.file === file)?.directories ?? [];
  try {
    const directories = makeDirectories(path.dirname(file));
    if (text === undefined) symlinkSync(launcher, file);
    else writeFileSync(file, text, { flag: 'wx', mode: 0o644 });
    return { ...target, directories: [...earlier, ...directories] };
  } catch (error) {
    throw notMade(file, error as NodeJS.ErrnoException);
  }
}

/** Whether it can be typed now, and what is left to do where it cannot. */
function advice(targets: readonly Target[], env: NodeJS.ProcessEnv): string[] {
  const [link] = targets;
  const bin = path.dirname(link?.file ?? '');
  const first = firstOnPath('causeway', env);
  const zsh = path.dirname(targets.find(({ what }) => what === 'zsh')?.file ?? '');
  const completes = [
    'a new shell completes its commands',
    ...(zsh.startsWith('/usr/local/') ? [] : [`zsh does where ~/.zshrc has, before compinit: fpath=(${zsh} $fpath)`]),
  ];
  if (first === undefined)
    return [
      `${bin} is not on PATH: add this to ~/.profile, and open a new shell: export PATH="${bin}:$PATH"`,
      ...completes,
    ];
  if (!isLauncher(first))
    return [`"causeway" is another program, ${first}: put ${bin} before it on PATH`, ...completes];
  return ['"causeway" is a command now', ...completes];
}

const homeless = (): CausewayError =>
  new CausewayError('CW-INSTALL-HOME', 'HOME does not name a directory', 'set it, or start as a user who has one');

const taken = (files: readonly string[]): CausewayError =>
  new CausewayError(
    'CW-INSTALL-TAKEN',
    `nothing was installed, because something else is there already: ${files.join(', ')}`,
    'remove it if nobody needs it, or name another directory for the link with --dir',
  );

const notMade = (file: string, { message, code }: NodeJS.ErrnoException): CausewayError =>
  new CausewayError(
    'CW-INSTALL-WRITE',
    `cannot make ${file}: ${message}`,
    code === 'EACCES' || code === 'EROFS' ? 'name a directory of your own with --dir' : 'mend that, and install again',
  );

// What `install` has made, so that `--undo` removes that and nothing else.

export interface Made extends Target {
  /** Directories that were not there before, the outermost first. */
  readonly directories: readonly string[];
}

export interface InstallRecord {
  list(): readonly Made[];
  keep(made: readonly Made[]): void;
}

interface Kept {
  /** Made for the record itself. */
  readonly directories: readonly string[];
  /** By launcher: each checkout has its own. */
  readonly made: Readonly<Record<string, readonly Made[]>>;
}

export function recordOf(launcher: string, env: NodeJS.ProcessEnv): InstallRecord {
  const given = env.XDG_STATE_HOME;
  const state = given !== undefined && path.isAbsolute(given) ? given : path.join(env.HOME ?? '', '.local/state');
  const file = path.join(state, 'causeway/installed.json');
  const read = (): Kept => {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as Kept;
    } catch {
      // None yet, or none that could be of use.
      return { directories: [], made: {} };
    }
  };
  return {
    list: () => read().made[launcher] ?? [],
    keep(list) {
      const { directories, made } = read();
      const { [launcher]: _, ...others } = made;
      const all = list.length === 0 ? others : { ...others, [launcher]: list };
      if (Object.keys(all).length > 0) {
        const own = [...directories, ...makeDirectories(path.dirname(file))];
        writeAtomically(file, `${JSON.stringify({ directories: own, made: all } satisfies Kept, null, 2)}\n`, 0o600);
      } else {
        rmSync(file, { force: true });
        removeDirectories(directories);
      }
    },
  };
}

/** Answers those that were missing. */
export function makeDirectories(directory: string): string[] {
  const first = mkdirSync(directory, { recursive: true });
  if (first === undefined) return [];
  const below = path.relative(first, directory).split(path.sep).filter(Boolean);
  return [first, ...below.map((_, at) => path.join(first, ...below.slice(0, at + 1)))];
}

/** The innermost first, and only those where nobody has put something else. */
export function removeDirectories(directories: readonly string[]): void {
  for (const directory of directories.toSorted((a, b) => b.length - a.length)) {
    try {
      rmdirSync(directory);
    } catch {
      // It is in use.
    }
  }
}

// What `install` makes: a link to the launcher on PATH, and for each shell a file that it reads when somebody completes.

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
