import { type ProgramName, programNames, programs } from './catalogue/index.ts';
import type { Program } from './catalogue/program.ts';
import { type ProgramOptions, type ProgramsConfig, programsConfig } from './config.ts';
import { notHere, unknownProgram, unknownVersion } from './errors.ts';
import { find, othersOnPath, tells, versionTold } from './find.ts';
import { obtain } from './obtain.ts';

/** A program, in the version we prefer or in a given one: `kubectl`, `kubectl@1.36.1`. */
export type Wanted = ProgramName | `${ProgramName}@${string}`;

export interface Order {
  name: ProgramName;
  program: Program;
  version: string;
}

/** Reads "kubectl@1.36.1" as a person may write it. */
export function readOrder(wanted: string): Order {
  const [name = '', ...rest] = wanted.split('@');
  if (!Object.hasOwn(programs, name)) throw unknownProgram(name, programNames);
  const program: Program = programs[name as ProgramName];
  const version = rest.length === 0 ? program.versions[0] : rest.join('@').replace(/^v/, '');
  if (!/^\d+\.\d+\.\d+(-[a-z0-9.]+)?$/.test(version)) {
    throw unknownVersion(`${name} ${version}`, `versions look like ${program.versions[0]}`);
  }
  return { name: name as ProgramName, program, version };
}

/**
 * Paths of these programs, by the names they were asked for with. What is not on the machine is fetched or built, one
 * after the other.
 *
 * @example const { etcd, 'kubectl@1.36.1': kubectl } = await needPrograms(['etcd', 'kubectl@1.36.1']);
 */
export async function needPrograms<const Name extends Wanted>(
  wanted: readonly Name[],
  options: ProgramOptions = {},
): Promise<Record<Name, string>> {
  const config = programsConfig(options);
  const orders = wanted.map((name) => [name, readOrder(name)] as const);
  const paths: Partial<Record<Name, string>> = {};
  for (const [name, order] of orders) paths[name] = await pathOf(order, config);
  return paths as Record<Name, string>;
}

/** Path of a program that is on the machine already; nothing is fetched. */
export async function locateProgram(wanted: string, options: ProgramOptions = {}): Promise<string> {
  const { name, program, version } = readOrder(wanted);
  const config = programsConfig(options);
  const found = await find(program, version, config);
  if (found === undefined)
    throw notHere(`${name} ${version}`, version, wanted, await othersOnPath(program, version, config));
  return found.file;
}

async function pathOf({ name, program, version }: Order, config: ProgramsConfig): Promise<string> {
  const found = await find(program, version, config);
  if (found === undefined) {
    return obtain({ subject: `${name} ${version}`, program, version, siblings: siblingsOf(program) }, config);
  }
  if (found.place === 'named') await sayIfOther(name, program, version, found.file, config);
  return found.file;
}

const siblingsOf = ({ bundle }: Program): string[] =>
  Object.values<Program>(programs)
    .filter((other) => other.bundle === bundle)
    .map(({ file }) => file);

/** The user's own directory is taken at its word, but a person who looks for a difference should be told. */
async function sayIfOther(
  name: string,
  program: Program,
  version: string,
  file: string,
  config: ProgramsConfig,
): Promise<void> {
  if (config.progress.quiet || program.versionArguments === undefined) return;
  const told = await versionTold(program, file, config.env);
  if (tells(told, version)) return;
  const says = told === undefined ? 'does not tell its version' : `says "${told.trim().split('\n')[0]}"`;
  config.progress.note(`${name}: using ${file}, which ${says}, although ${version} is wanted.`);
}
