import { hash } from 'node:crypto';
import { programs } from '../../programs/catalogue.ts';
import type { Program } from '../../programs/program.ts';
import type { ComponentSpec } from '../component.ts';

/** The same for descriptions that the same process serves: what it reads again by itself does not count. */
export function specHash({ program, args, env = {}, files = [], probe }: ComponentSpec): string {
  const read = files.filter(({ reloads }) => reloads !== true).map((file) => [file.path, file.text]);
  const what = 'file' in program ? program.file : `${program.name}@${versionOf(program)}`;
  return hash('sha256', JSON.stringify([what, args, Object.entries(env).sort(), read, probe])).slice(0, 32);
}

export function versionOf(program: ComponentSpec['program']): string | undefined {
  if ('file' in program) return undefined;
  const known: Program = programs[program.name];
  return program.version?.replace(/^v/, '') ?? known.versions[0];
}
