// Programs that components need: what is on the machine is there at once, the rest is got one after the other.

import type { ComponentSpec } from '../../control-plane/component.ts';
import { versionOf } from '../../control-plane/program-version.ts';
import type { Log } from '../../net/log.ts';
import { locateProgram, needPrograms, type Wanted } from '../../programs/need-programs.ts';
import type { Progress } from '../../programs/progress.ts';
import type { ProgramOptions } from '../../programs/surroundings.ts';
import { createMutex } from '../../sys/mutex.ts';

/** A program that is being fetched or built. */
export interface Getting {
  /** kube-apiserver 1.36.3 */
  readonly name: string;
  readonly doing: string;
  readonly seconds: number;
}

export interface ProgramShelf {
  /** Its path; the same answer for all who ask. */
  path(program: ComponentSpec['program']): Promise<string>;
  /** It is not where it was. */
  forget(program: ComponentSpec['program']): void;
  getting(): readonly Getting[];
  /** Undefined when nothing is being done about it. */
  progressOf(program: ComponentSpec['program']): Getting | undefined;
}

export interface ShelfOptions {
  readonly log: Log;
  readonly programs?: ProgramOptions;
  readonly onProgress: () => void;
}

interface Step {
  readonly doing: string;
  readonly since: number;
}

const gettingOf = (wanted: Wanted, { doing, since }: Step): Getting => ({
  name: wanted.replace('@', ' '),
  doing,
  seconds: Math.round((Date.now() - since) / 1000),
});

const wantedOf = (program: Exclude<ComponentSpec['program'], { file: string }>): Wanted =>
  `${program.name}@${versionOf(program)}` as Wanted;

export function createProgramShelf({ log, programs = {}, onProgress }: ShelfOptions): ProgramShelf {
  const paths = new Map<Wanted, Promise<string>>();
  const steps = new Map<Wanted, Step>();
  const getInTurn = createMutex();

  const say = (wanted: Wanted, doing: string): void => {
    steps.set(wanted, { doing, since: steps.get(wanted)?.since ?? Date.now() });
    onProgress();
  };
  const listener = (wanted: Wanted): Progress => ({
    step: (_subject, stage, detail) => say(wanted, detail ? `${stage}, ${detail}` : stage),
    note: (sentence) => log.info(sentence),
    rest: () => {},
  });
  const get = async (wanted: Wanted): Promise<string> => {
    say(wanted, 'waiting for its turn');
    const got = await getInTurn(() => needPrograms([wanted], { ...programs, progress: listener(wanted) }));
    return got[wanted] as string;
  };
  const find = async (wanted: Wanted): Promise<string> => {
    try {
      return await locateProgram(wanted, programs).catch(() => get(wanted));
    } catch (error) {
      paths.delete(wanted);
      throw error;
    } finally {
      if (steps.delete(wanted)) onProgress();
    }
  };

  return {
    path(program) {
      if ('file' in program) return Promise.resolve(program.file);
      const wanted = wantedOf(program);
      const path = paths.get(wanted) ?? find(wanted);
      paths.set(wanted, path);
      return path;
    },
    forget(program) {
      if (!('file' in program)) paths.delete(wantedOf(program));
    },
    getting: () => [...steps].map(([wanted, step]) => gettingOf(wanted, step)),
    progressOf(program) {
      const wanted = 'file' in program ? undefined : wantedOf(program);
      const step = wanted && steps.get(wanted);
      return wanted && step && gettingOf(wanted, step);
    },
  };
}
