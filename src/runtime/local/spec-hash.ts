import { hash } from 'node:crypto';
import type { ComponentSpec } from '../../control-plane/component.ts';
import { versionOf } from '../../control-plane/program-version.ts';

/** The same for descriptions that the same process serves: what it reads again by itself does not count. */
export function specHash({ program, args, env = {}, files = [], probe }: ComponentSpec): string {
  const read = files.filter(({ reloads }) => reloads !== true).map((file) => [file.path, file.text]);
  const what = 'file' in program ? program.file : `${program.name}@${versionOf(program)}`;
  return hash('sha256', JSON.stringify([what, args, Object.entries(env).sort(), read, probe])).slice(0, 32);
}
