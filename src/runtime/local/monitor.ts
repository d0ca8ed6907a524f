// A process is asked again and again for as long as it runs, until it ends or is not wanted any more.
import type { ComponentSpec } from '../../control-plane/component.ts';
import type { Said, UnitState } from './component-state.ts';
import { type Reason, reasonInLog, reasonOfEnding } from './failure-reason.ts';
import type { LogFile } from './log-file.ts';
import { type Answer, Health } from './probe.ts';
import type { Child } from './process.ts';

interface Tended {
  readonly spec: ComponentSpec;
  readonly child: Child;
  readonly logFile: LogFile;
  /** Size of the log when it started. */
  readonly logStart: number;
  readonly state: UnitState;
  readonly waker: Waker;
  readonly pace: Pace;
  /** Not wanted any more, or only as another one that can be started now. */
  isToEnd(): boolean;
  /** Called about once a second. */
  glance(): unknown;
}

const defaultStopMs = 10_000;
const defaultStartMs = 60_000;
const standstillMs = 200;

export const stopMsOf = ({ stopMs = defaultStopMs }: ComponentSpec): number => stopMs;

/** Why it ended, unless it was to end. */
export async function tend(tended: Tended): Promise<Reason | undefined> {
  const { spec, child, waker, state, logFile, logStart, pace } = tended;
  const health = new Health(spec);
  state.answers = false;
  void child.ended.then(() => waker.wake());
  try {
    while (child.ending === undefined) {
      if (tended.isToEnd()) return await end(tended);
      const answer = await health.ask(child);
      state.answers = answer.healthy || answer.answered === true;
      const said = judged(answer, health, tended);
      if (said) state.say(said);
      if (state.phase === 'unhealthy' && health.silentForMs > pace.silence) return await endSilent(tended);
      await rest(tended);
    }
    return reasonOfEnding(child.ending, logFile.said(logStart));
  } finally {
    health.close();
  }
}

async function end({ state, child, spec }: Tended): Promise<undefined> {
  state.say({ phase: 'stopping' });
  await child.end(stopMsOf(spec));
}

async function endSilent({ child, spec, pace }: Tended): Promise<Reason> {
  await child.end(stopMsOf(spec));
  return { why: `it had not answered for ${pace.silence / 1000} s, and was ended` };
}

/** Undefined where nothing has changed. */
function judged(answer: Answer, health: Health, tended: Tended): Said | undefined {
  const { state, child } = tended;
  if (child.ending !== undefined) return undefined;
  if (answer.healthy) return { phase: 'healthy' };
  const known = reasonInLog([answer.why ?? '']);
  if (state.phase === 'starting') return { phase: 'starting', ...(known ? told(known) : whyNotYet(answer, tended)) };
  if (health.isLapse(answer)) return undefined;
  return { phase: 'unhealthy', ...told(known ?? { why: answer.why ?? 'it does not answer' }) };
}

const told = ({ why, fix = 'it is asked again every second' }: Reason): Pick<Said, 'why' | 'next'> => ({
  why,
  next: fix,
});

/** In the beginning that is how it is; later the log may tell more. */
function whyNotYet({ why = '' }: Answer, { child, spec, logFile, logStart }: Tended): { why: string; next?: string } {
  const { startMs = defaultStartMs } = spec;
  if (Date.now() - child.startedAt < startMs) return { why: `it is starting: ${why}` };
  const reason = reasonInLog(logFile.said(logStart));
  const next = reason?.fix ?? `read what it says: ${logFile.path}`;
  return { why: `it has not worked within ${startMs / 1000} s: ${reason?.why ?? why}`, next };
}

async function rest(tended: Tended): Promise<void> {
  const { state, child, logFile, waker, pace } = tended;
  if (state.isDue(pace.probe)) {
    tended.glance();
    state.measure(child);
    if (logFile.isLarge) await moveLog(tended);
  }
  await waker.sleep(state.phase === 'starting' ? startingPause(child, pace) : pace.probe);
}

/** Whoever takes long is asked less often: with many that start at once, asking would be what holds them up. */
const startingPause = ({ startedAt }: Child, { startingProbe, probe }: Pace): number =>
  Math.min(Math.max(startingProbe, (Date.now() - startedAt) / 40), probe);

async function moveLog({ child, logFile }: Tended): Promise<void> {
  if (!(await child.pause(standstillMs))) return;
  try {
    logFile.rotate();
  } catch {
    // A full disk: it stays as it is until there is room.
  } finally {
    child.resume();
  }
}

/** Milliseconds. */
export interface Pace {
  /** Between two questions to a component that works. */
  readonly probe: number;
  /** Between two questions to one that is starting. */
  readonly startingProbe: number;
  /** Before the first restart; each one after that waits twice as long. */
  readonly firstRestart: number;
  readonly mostRestart: number;
  /** After a failure that trying again soon would not help. */
  readonly lastingRestart: number;
  /** As long as this without a break, and the next restart is the first one again. */
  readonly steady: number;
  /** Without any answer as long as this, what has worked before is ended and started again. */
  readonly silence: number;
  /** How long a scope may take to claim what an earlier driver left running. */
  readonly claim: number;
}

export const usualPace: Pace = {
  probe: 1000,
  startingProbe: 50,
  firstRestart: 300,
  mostRestart: 30_000,
  lastingRestart: 10 * 60_000,
  steady: 20_000,
  silence: 120_000,
  claim: 60_000,
};

/** Sleeps until something happens, or until it is time. What happens between two sleeps is not missed. */
export class Waker {
  readonly #sleepers = new Set<() => void>();
  #missed = false;

  wake(): void {
    this.#missed = this.#sleepers.size === 0;
    for (const rise of this.#sleepers) rise();
  }

  sleep(ms: number): Promise<void> {
    if (this.#missed) {
      this.#missed = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const rise = (): void => {
        clearTimeout(timer);
        this.#sleepers.delete(rise);
        resolve();
      };
      const timer = setTimeout(rise, ms);
      this.#sleepers.add(rise);
    });
  }
}
