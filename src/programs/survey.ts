import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type ProgramName, programNames, programs } from './catalogue/index.ts';
import type { Program } from './catalogue/program.ts';
import { type ProgramOptions, type ProgramsConfig, programsConfig } from './config.ts';
import { find, type Place } from './find.ts';

export interface Surveyed {
  name: ProgramName;
  version: string;
  purpose: string;
  /** Where it is; absent where it would have to be fetched. */
  place?: Place;
  file?: string;
  bytes?: number;
  /** How it came into the cache, or how it would. */
  origin: string;
}

/** Every program we know, in the version we prefer: where it is, or where it would come from. */
export async function surveyPrograms(options: ProgramOptions = {}): Promise<Surveyed[]> {
  const config = programsConfig({ ...options, progress: undefined });
  return Promise.all(programNames.map((name) => surveyed(name, config)));
}

async function surveyed(name: ProgramName, config: ProgramsConfig): Promise<Surveyed> {
  const program: Program = programs[name];
  const [version] = program.versions;
  const known = { name, version, purpose: program.purpose };
  const found = await find(program, version, config);
  if (found === undefined) return { ...known, origin: wouldComeFrom(program, version, config) };
  const { place, file } = found;
  return { ...known, place, file, bytes: statSync(file).size, origin: originOf(place, file) };
}

function originOf(place: Place, file: string): string {
  if (place !== 'cache') return place === 'path' ? 'found on PATH' : 'in the directory you named';
  try {
    return readFileSync(path.join(path.dirname(file), '.origins', path.basename(file)), 'utf8').trim();
  } catch {
    return 'in the cache';
  }
}

function wouldComeFrom(program: Program, version: string, { platform, mirrors }: ProgramsConfig): string {
  const official = program.official?.(version, platform, mirrors);
  const sources = [
    official && `download from ${new URL(official.url).host}`,
    program.wheel && `Python package ${program.wheel.package}`,
    program.go && `Go build of ${program.go.package}`,
  ].filter((source) => source !== undefined);
  return sources.join(', else ') || 'not for this system';
}
