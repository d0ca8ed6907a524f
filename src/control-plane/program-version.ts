import { type Program, programs } from '../programs/catalogue/index.ts';
import type { ComponentSpec } from './component.ts';

/** Of the program that a component is: as it was asked for, or the newest that we know. */
export function versionOf(program: ComponentSpec['program']): string | undefined {
  if ('file' in program) return undefined;
  const known: Program = programs[program.name];
  return program.version?.replace(/^v/, '') ?? known.versions[0];
}
