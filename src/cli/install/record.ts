// What `install` has made, so that `--undo` removes that and nothing else.
import { mkdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { writeAtomically } from '../../render/write/write-atomically.ts';
import type { Target } from './targets.ts';

export interface Made extends Target {
  /** Directories that were not there before, the outermost first. */
  readonly directories: readonly string[];
}

export interface InstallRecord {
  list(): readonly Made[];
  keep(made: readonly Made[]): void;
}

interface Kept {
  /** Made for the record itself. */
  readonly directories: readonly string[];
  /** By launcher: each checkout has its own. */
  readonly made: Readonly<Record<string, readonly Made[]>>;
}

export function recordOf(launcher: string, env: NodeJS.ProcessEnv): InstallRecord {
  const given = env.XDG_STATE_HOME;
  const state = given !== undefined && path.isAbsolute(given) ? given : path.join(env.HOME ?? '', '.local/state');
  const file = path.join(state, 'causeway/installed.json');
  const read = (): Kept => {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as Kept;
    } catch {
      // None yet, or none that could be of use.
      return { directories: [], made: {} };
    }
  };
  return {
    list: () => read().made[launcher] ?? [],
    keep(list) {
      const { directories, made } = read();
      const { [launcher]: _, ...others } = made;
      const all = list.length === 0 ? others : { ...others, [launcher]: list };
      if (Object.keys(all).length > 0) {
        const own = [...directories, ...makeDirectories(path.dirname(file))];
        writeAtomically(file, `${JSON.stringify({ directories: own, made: all } satisfies Kept, null, 2)}\n`, 0o600);
      } else {
        rmSync(file, { force: true });
        removeDirectories(directories);
      }
    },
  };
}

/** Answers those that were missing. */
export function makeDirectories(directory: string): string[] {
  const first = mkdirSync(directory, { recursive: true });
  if (first === undefined) return [];
  const below = path.relative(first, directory).split(path.sep).filter(Boolean);
  return [first, ...below.map((_, at) => path.join(first, ...below.slice(0, at + 1)))];
}

/** The innermost first, and only those where nobody has put something else. */
export function removeDirectories(directories: readonly string[]): void {
  for (const directory of directories.toSorted((a, b) => b.length - a.length)) {
    try {
      rmdirSync(directory);
    } catch {
      // It is in use.
    }
  }
}
