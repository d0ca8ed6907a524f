// Programs that are on the machine already: named by the user, on PATH, or in our cache.
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { isExecutable } from '../sys/is-executable.ts';
import type { Program } from './catalogue/program.ts';
import { bundleDirectory, type ProgramsConfig } from './config.ts';
import { runTool } from './run-tool.ts';

export type Place = 'named' | 'path' | 'cache';

export interface Found {
  place: Place;
  file: string;
}

const namesOf = ({ file, alsoCalled = [] }: Program): string[] => [file, ...alsoCalled];

/** The first place that has this version. */
export async function find(program: Program, version: string, config: ProgramsConfig): Promise<Found | undefined> {
  const named = inNamedDirectory(program, version, config);
  if (named !== undefined) return { place: 'named', file: named };
  const others: Other[] = [];
  const onPath = await onPathWithVersion(program, version, config, (other) => others.push(other));
  if (onPath !== undefined) return { place: 'path', file: onPath };
  const cached = inCache(program, version, config);
  if (cached !== undefined) return { place: 'cache', file: cached };
  // Now it matters: somebody who has the program wonders why it is fetched.
  for (const { file, says } of others)
    config.progress.note(`${file} is not used, because it ${says} and ${version} is wanted.`);
  return undefined;
}

/** Programs on PATH, none of which is of this version. */
export async function othersOnPath(
  program: Program,
  version: string,
  config: ProgramsConfig,
): Promise<readonly Other[]> {
  const others: Other[] = [];
  await onPathWithVersion(program, version, config, (other) => others.push(other));
  return others;
}

/** A program of another version. */
export interface Other {
  readonly file: string;
  /** says "Client Version: v1.30.1" */
  readonly says: string;
}

/** A copy of our cache (for machines without network), or simply the files; the user's word counts, whatever the version. */
function inNamedDirectory(program: Program, version: string, { named, platform }: ProgramsConfig): string | undefined {
  if (named === undefined) return undefined;
  const copies = [bundleDirectory(named, program, version, platform), named];
  return copies.flatMap((directory) => namesOf(program).map((name) => path.join(directory, name))).find(isExecutable);
}

export function inCache(program: Program, version: string, { cache, platform }: ProgramsConfig): string | undefined {
  const file = path.join(bundleDirectory(cache, program, version, platform), program.file);
  return isExecutable(file) ? file : undefined;
}

async function onPathWithVersion(
  program: Program,
  version: string,
  config: ProgramsConfig,
  onOther: (other: Other) => void,
): Promise<string | undefined> {
  for (const file of filesOnPath(program, config)) {
    const told = await versionTold(program, file, config.env);
    if (tells(told, version)) return file;
    onOther({ file, says: saying(told) });
  }
  return undefined;
}

/** Each file once: /bin is often a link to /usr/bin. */
export function filesOnPath(program: Program, config: ProgramsConfig): string[] {
  const files = config.path.flatMap((directory) => namesOf(program).map((name) => path.join(directory, name)));
  const seen = new Set<string>();
  return files.filter(isExecutable).filter((file) => {
    const real = realpathSync(file);
    return !seen.has(real) && seen.add(real);
  });
}

function saying(told: string | undefined): string {
  const firstLine = told?.trim().split('\n')[0];
  return firstLine ? `says "${firstLine.slice(0, 80)}"` : 'does not tell its version';
}

/** What a program says about its version; undefined where it cannot be run or does not know. */
export async function versionTold(
  { versionArguments }: Program,
  file: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  if (versionArguments === undefined) return undefined;
  const ran = await runTool(file, versionArguments, { env, timeout: 20_000 }).catch(() => undefined);
  return ran?.code === 0 ? `${ran.stdout}${ran.stderr}` : undefined;
}

/** 1.36.3 is not 1.36.30 and not 11.36.3. */
export function tells(told: string | undefined, version: string): boolean {
  const exactly = version.replaceAll('.', '\\.');
  return told !== undefined && new RegExp(`(^|[^0-9.])${exactly}($|[^0-9A-Za-z.-])`, 'm').test(told);
}
