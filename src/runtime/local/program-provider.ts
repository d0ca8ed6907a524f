// Programs that components need: what is on the machine is there at once, the rest is got one after the other.
import { type ComponentSpec, versionOf } from '../../control-plane/index.ts';
import {
  isPermanent,
  locateProgram,
  needPrograms,
  type ProgramOptions,
  type Progress,
  type Wanted,
} from '../../programs/index.ts';
import type { Log } from '../../sys/log.ts';
import { createMutex } from '../../sys/mutex.ts';
import { reasonOfFailure } from './failure-reason.ts';
import type { RestartPolicy } from './monitor.ts';

/** A program that is being fetched or built. */
export interface PendingProgram {
  /** kube-apiserver 1.36.3 */
  readonly name: string;
  readonly doing: string;
  readonly seconds: number;
}

export interface ProgramProvider {
  /** Its path; the same answer for all who ask. */
  path(program: ComponentSpec['program']): Promise<string>;
  /** It is not where it was. */
  forget(program: ComponentSpec['program']): void;
  getting(): readonly PendingProgram[];
  /** Undefined when nothing is being done about it. */
  progressOf(program: ComponentSpec['program']): PendingProgram | undefined;
}

interface ProviderOptions {
  readonly log: Log;
  readonly programs?: ProgramOptions;
  readonly onProgress: () => void;
}

interface Step {
  readonly doing: string;
  readonly since: number;
}

const pendingOf = (wanted: Wanted, { doing, since }: Step): PendingProgram => ({
  name: wanted.replace('@', ' '),
  doing,
  seconds: Math.round((performance.now() - since) / 1000),
});

const wantedOf = (program: Exclude<ComponentSpec['program'], { file: string }>): Wanted =>
  `${program.name}@${versionOf(program)}` as Wanted;

export function createProgramProvider({ log, programs = {}, onProgress }: ProviderOptions): ProgramProvider {
  const paths = new Map<Wanted, Promise<string>>();
  const steps = new Map<Wanted, Step>();
  const fetchMutex = createMutex();

  const say = (wanted: Wanted, doing: string): void => {
    steps.set(wanted, { doing, since: steps.get(wanted)?.since ?? performance.now() });
    onProgress();
  };
  const listener = (wanted: Wanted): Progress => ({
    step: (_subject, stage, detail) => say(wanted, detail ? `${stage}, ${detail}` : stage),
    note: (sentence) => log.info(sentence),
    rest: () => {},
  });
  const get = async (wanted: Wanted): Promise<string> => {
    say(wanted, 'waiting for its turn');
    const got = await fetchMutex(() => needPrograms([wanted], { ...programs, progress: listener(wanted) }));
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
    getting: () => [...steps].map(([wanted, step]) => pendingOf(wanted, step)),
    progressOf(program) {
      const wanted = 'file' in program ? undefined : wantedOf(program);
      const step = wanted && steps.get(wanted);
      return wanted && step && pendingOf(wanted, step);
    },
  };
}

// The program that one component wants now. Its old process may go on while the new one is fetched.

type ComponentProgram = ComponentSpec['program'];
type Result = { readonly file: string } | { readonly error: unknown; readonly at: number };

export class ProgramRequest {
  readonly #provider: ProgramProvider;
  readonly #settled: () => void;
  #wanted: ComponentProgram | undefined;
  #result: Result | undefined;

  constructor(provider: ProgramProvider, settled: () => void) {
    this.#provider = provider;
    this.#settled = settled;
  }

  /** Asked again only when it is another one, or when it could not be had. */
  request(wanted: ComponentProgram): void {
    const same = JSON.stringify(wanted) === JSON.stringify(this.#wanted);
    if (same && (this.#result === undefined || 'file' in this.#result)) return;
    this.#wanted = wanted;
    this.#result = undefined;
    const settle = (result: Result): void => {
      // The answer to an earlier question is of no interest any more.
      if (this.#wanted !== wanted) return;
      this.#result = result;
      this.#settled();
    };
    this.#provider.path(wanted).then(
      (file) => settle({ file }),
      (error: unknown) => settle({ error, at: performance.now() }),
    );
  }

  /** What could not be had so long ago may be there now. */
  retry({ maxRestartMs, permanentRetryMs }: RestartPolicy): void {
    const failed = this.#result && 'error' in this.#result ? this.#result : undefined;
    if (this.#wanted === undefined || failed === undefined) return;
    const afterMs = isPermanent(failed.error) ? permanentRetryMs : maxRestartMs;
    if (performance.now() - failed.at >= afterMs) this.request(this.#wanted);
  }

  /** It is there, or it cannot be had. */
  get isSettled(): boolean {
    return this.#result !== undefined;
  }

  get isAvailable(): boolean {
    return this.#result !== undefined && 'file' in this.#result;
  }

  /** Its path; fails with the reason why it cannot be had. */
  path(): string {
    if (this.#result === undefined) throw new Error('the program is not there yet');
    if ('error' in this.#result) throw this.#result.error;
    return this.#result.file;
  }

  /** It did not start: perhaps it is not there any more. */
  forget(): void {
    if (this.#wanted) this.#provider.forget(this.#wanted);
    this.#wanted = undefined;
  }

  progress(): { readonly why: string; readonly next: string } {
    if (this.#result && 'error' in this.#result) {
      const { why, fix = 'it is tried again' } = reasonOfFailure(this.#result.error);
      return { why, next: fix };
    }
    const { name, doing } = (this.#wanted && this.#provider.progressOf(this.#wanted)) ?? {};
    const why =
      name === undefined ? 'its program is being looked for' : `its program ${name} is not here yet: ${doing}`;
    return { why, next: 'it starts as soon as its program is there' };
  }
}
