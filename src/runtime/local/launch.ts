// From a description to a process: what it reads is written first, and it inherits nothing of ours by accident.

import { hash } from 'node:crypto';
import { closeSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type ComponentId, type ComponentSpec, type SpecFile, versionOf } from '../../control-plane/index.ts';
import { makeDirectory } from '../../sys/make-directory.ts';
import { writePrivate } from '../../sys/private-files.ts';
import type { LogFile } from './log-file.ts';
import { markOf } from './orphans.ts';
import { type Child, startChild } from './process.ts';

/** Beside the manifests of a cluster or of its worker side, so that deleting those deletes this. */
export function logPathOf(directory: string, { scope, name }: ComponentId): string {
  const [kind, ...rest] = scope.split('/');
  const home = rest.length === 0 ? scope : path.join(`${kind}s`, ...rest);
  return path.join(directory, home, 'logs', `${name}.log`);
}

interface Program {
  readonly directory: string;
  readonly spec: ComponentSpec;
  /** Of its program. */
  readonly file: string;
}

interface Launch extends Program {
  readonly logFile: LogFile;
}

/** A program with all that it is given. */
interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

function commandOf({ directory, spec, file }: Program): Command {
  const env = { ...inherited(), ...spec.env, ...markOf(directory, spec, specHash(spec)) };
  return { file, args: spec.args, env };
}

/** For a process that starts the next one by itself. */
export function writeSuccessor(program: Program): void {
  const { handover } = program.spec;
  if (handover !== undefined) writePrivate(handover.successorFile, JSON.stringify(commandOf(program), null, 2));
}

export async function launch({ directory, spec, file, logFile }: Launch): Promise<Child> {
  for (const wanted of [directory, ...(spec.directories ?? [])]) makeDirectory(wanted, 0o700);
  for (const file of spec.files ?? []) writeSpecFile(file);
  if (logFile.isLarge) logFile.rotate();
  writeSuccessor({ directory, spec, file });
  const output = logFile.open();
  try {
    return await startChild({ ...commandOf({ directory, spec, file }), directory, output });
  } finally {
    closeSync(output);
  }
}

/** No proxies, no credentials: what a component needs of that is in its description. */
function inherited(): Record<string, string> {
  const { PATH = '/usr/local/bin:/usr/bin:/bin', HOME, TZ, LANG } = process.env;
  const set = Object.entries({ PATH, HOME, TZ, LANG }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as Record<string, string>;
}

/** A file that has this text already is left alone, so that nobody reads it again for nothing. */
export function writeSpecFile({ path: file, text }: SpecFile): void {
  if (hasText(file, text)) return;
  makeDirectory(path.dirname(file), 0o700);
  writePrivate(file, text);
}

function hasText(file: string, text: string): boolean {
  try {
    return readFileSync(file, 'utf8') === text;
  } catch {
    return false;
  }
}

/** The same for descriptions that the same process serves: what it reads again by itself does not count. */
export function specHash({ program, args, env = {}, files = [], probe }: ComponentSpec): string {
  const read = files.filter(({ reloads }) => reloads !== true).map((file) => [file.path, file.text]);
  const what = 'file' in program ? program.file : `${program.name}@${versionOf(program)}`;
  return hash('sha256', JSON.stringify([what, args, Object.entries(env).sort(), read, probe])).slice(0, 32);
}
