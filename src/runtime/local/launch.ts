// From a description to a process: what it reads is written first, and it inherits nothing of ours by accident.
import { closeSync } from 'node:fs';
import path from 'node:path';
import type { ComponentId, ComponentSpec } from '../../control-plane/component.ts';
import { makeDirectory } from '../../render/write/make-directory.ts';
import { type Child, startChild } from './child.ts';
import { markOf } from './leftovers.ts';
import type { LogFile } from './log-file.ts';
import { writeSpecFile } from './spec-files.ts';
import { specHash } from './spec-hash.ts';

/** Beside the manifests of a cluster or of its worker side, so that deleting those deletes this. */
export function logPathOf(directory: string, { scope, name }: ComponentId): string {
  const [kind, ...rest] = scope.split('/');
  const home = rest.length === 0 ? scope : path.join(`${kind}s`, ...rest);
  return path.join(directory, home, 'logs', `${name}.log`);
}

export interface Launch {
  readonly directory: string;
  readonly spec: ComponentSpec;
  /** Of its program. */
  readonly file: string;
  readonly logFile: LogFile;
}

export async function launch({ directory, spec, file, logFile }: Launch): Promise<Child> {
  for (const wanted of [directory, ...(spec.directories ?? [])]) makeDirectory(wanted, 0o700);
  for (const file of spec.files ?? []) writeSpecFile(file);
  if (logFile.isLarge) logFile.rotate();
  const output = logFile.open();
  const env = { ...inherited(), ...spec.env, ...markOf(directory, spec, specHash(spec)) };
  try {
    return await startChild({ file, args: spec.args, env, directory, output });
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
