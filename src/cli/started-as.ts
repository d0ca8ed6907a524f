// What a person types to start this program, for everything that is printed for them to type.
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandsAs } from '../core/command-text.ts';
import { isExecutable } from '../sys/is-executable.ts';
import { createLog, type Log } from '../sys/log.ts';

const launcher = fileURLToPath(new URL('../../causeway', import.meta.url));

/**
 * The launcher says how it was called. Its bare name where PATH leads to it by that name, otherwise as it was typed; with
 * `anywhere` as a path that is good in any directory. Without the launcher it is "causeway".
 */
export function startedAs(env = process.env, { cwd = process.cwd(), anywhere = false } = {}): string {
  const typed = env.CAUSEWAY_COMMAND;
  if (typed === undefined) return 'causeway';
  const name = path.basename(typed);
  const first = firstOnPath(name, env, cwd);
  if (first !== undefined && isLauncher(first)) return shellWord(name);
  // A shell that was given the file, as in "sh causeway", takes no path for it.
  const direct = typed.includes('/') ? typed : `./${typed}`;
  if (!isLauncher(path.resolve(cwd, direct))) return shellWord(launcher);
  return shellWord(anywhere ? path.resolve(cwd, direct) : direct);
}

/** What a shell starts by this name; an empty entry of PATH is the current directory, an empty PATH is none. */
export const firstOnPath = (name: string, env = process.env, cwd = process.cwd()): string | undefined =>
  (env.PATH ? env.PATH.split(path.delimiter) : [])
    .map((directory) => path.resolve(cwd, directory, name))
    .find(isExecutable);

/** A text for people with its commands as they would type them. */
export const asTyped = (text: string): string => (text.includes('causeway ') ? commandsAs(text, startedAs()) : text);

/** For people, on standard output; what programs read is written as it is. */
export const say = (text: string): boolean => process.stdout.write(asTyped(text));

interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** A stream whose texts are for people. */
export const withTypedCommands = (stream: Output): Output => ({
  get isTTY() {
    return stream.isTTY === true;
  },
  get columns() {
    return stream.columns ?? 0;
  },
  write: (text) => stream.write(asTyped(text)),
});

/** The log of a program in the foreground: for people on a terminal, for programs elsewhere. */
export const foregroundLog = (): Log =>
  createLog(process.stderr.isTTY ? { stream: withTypedCommands(process.stderr) } : {});

export function isLauncher(file: string): boolean {
  try {
    return realpathSync(file) === realpathSync(launcher);
  } catch {
    return false;
  }
}

/** As one word of a shell. */
export const shellWord = (word: string): string =>
  /^[\w./+@%:,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
