// Makes the launcher a command, with completion; and takes that back.
import { lstatSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CausewayError } from '../../core/errors.ts';
import { type InstallRecord, type Made, makeDirectories, recordOf, removeDirectories } from '../install/record.ts';
import { launcher, type Target, targetsFor } from '../install/targets.ts';
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
