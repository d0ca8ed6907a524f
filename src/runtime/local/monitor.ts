// Probes a process for as long as it runs, until it ends or is not desired any more; its log is rotated meanwhile.
import type { ComponentSpec } from '../../control-plane/index.ts';
import type { ComponentState, Report } from './component-state.ts';
import { type FailureReason, reasonInLog, reasonOfExit } from './failure-reason.ts';
import type { LogFile } from './log-file.ts';
import { type Answer, HealthProbe } from './probe.ts';
import type { Child } from './process.ts';

interface Monitored {
  readonly spec: ComponentSpec;
  readonly child: Child;
  readonly logFile: LogFile;
  /** Size of the log when it started. */
  readonly logStart: number;
  readonly state: ComponentState;
  readonly timer: InterruptibleTimer;
  readonly restartPolicy: RestartPolicy;
  /** Not wanted any more, or only as another one that can be started now. */
  isToEnd(): boolean;
  /** It has handed its work over to another process, and ends by itself. */
  isReplaced(): boolean;
  /** Called about once a second. */
  tick(): unknown;
}

const defaultStopMs = 10_000;
const defaultStartMs = 60_000;
const freezeMs = 200;

export const stopMsOf = ({ stopMs = defaultStopMs }: ComponentSpec): number => stopMs;

/** Why it ended, unless it was to end. */
export async function monitor(monitored: Monitored): Promise<FailureReason | undefined> {
  const { spec, child, timer, state, logFile, logStart, restartPolicy } = monitored;
  const health = new HealthProbe(spec);
  state.answers = false;
  void child.ended.then(() => timer.wake());
  try {
    while (child.ending === undefined) {
      if (monitored.isReplaced()) return undefined;
      if (monitored.isToEnd()) return await end(monitored);
      const answer = await health.ask(child);
      state.answers = answer.healthy || answer.answered === true;
      const report = judged(answer, health, monitored);
      if (report) state.report(report);
      if (state.phase === 'unhealthy' && health.unresponsiveForMs > restartPolicy.unresponsiveMs)
        return await endUnresponsive(monitored);
      await pause(monitored);
    }
    return reasonOfExit(child.ending, logFile.said(logStart));
  } finally {
    health.close();
  }
}

async function end({ state, child, spec }: Monitored): Promise<undefined> {
  state.report({ phase: 'stopping' });
  await child.end(stopMsOf(spec));
}

async function endUnresponsive({ child, spec, restartPolicy }: Monitored): Promise<FailureReason> {
  await child.end(stopMsOf(spec));
  return { why: `it had not answered for ${restartPolicy.unresponsiveMs / 1000} s, and was ended` };
}

/** Undefined where nothing has changed. */
function judged(answer: Answer, health: HealthProbe, monitored: Monitored): Report | undefined {
  const { state, child } = monitored;
  if (child.ending !== undefined) return undefined;
  if (answer.healthy) return { phase: 'healthy' };
  const known = reasonInLog([answer.why ?? '']);
  if (state.phase === 'starting') return { phase: 'starting', ...(known ? told(known) : whyNotYet(answer, monitored)) };
  if (health.isLapse(answer)) return undefined;
  return { phase: 'unhealthy', ...told(known ?? { why: answer.why ?? 'it does not answer' }) };
}

const told = ({ why, fix = 'it is asked again every second' }: FailureReason): Pick<Report, 'why' | 'next'> => ({
  why,
  next: fix,
});

/** In the beginning that is how it is; later the log may tell more. */
function whyNotYet(
  { why = '' }: Answer,
  { child, spec, logFile, logStart }: Monitored,
): { why: string; next?: string } {
  const { startMs = defaultStartMs } = spec;
  if (child.ageMs < startMs) return { why: `it is starting: ${why}` };
  const reason = reasonInLog(logFile.said(logStart));
  const next = reason?.fix ?? `read what it says: ${logFile.path}`;
  return { why: `it has not worked within ${startMs / 1000} s: ${reason?.why ?? why}`, next };
}

async function pause(monitored: Monitored): Promise<void> {
  const { state, child, logFile, timer, restartPolicy } = monitored;
  if (state.isDue(restartPolicy.probeMs)) {
    monitored.tick();
    state.measure(child);
    if (logFile.isLarge) await rotateLog(monitored);
  }
  await timer.sleep(state.phase === 'starting' ? startingPause(child, restartPolicy) : restartPolicy.probeMs);
}

/** Whoever takes long is asked less often: with many that start at once, asking would be what holds them up. */
const startingPause = ({ ageMs }: Child, { startingProbeMs, probeMs }: RestartPolicy): number =>
  Math.min(Math.max(startingProbeMs, ageMs / 40), probeMs);

async function rotateLog({ child, logFile }: Monitored): Promise<void> {
  if (!(await child.pause(freezeMs))) return;
  try {
    logFile.rotate();
  } catch {
    // A full disk: it stays as it is until there is room.
  } finally {
    child.resume();
  }
}

/** When components are probed and restarted. */
export interface RestartPolicy {
  /** Between two questions to a component that works. */
  readonly probeMs: number;
  /** Between two questions to one that is starting. */
  readonly startingProbeMs: number;
  /** Before the first restart; each one after that waits twice as long. */
  readonly firstRestartMs: number;
  readonly maxRestartMs: number;
  /** After a failure that trying again soon would not help. */
  readonly permanentRetryMs: number;
  /** As long as this without a break, and the next restart is the first one again. */
  readonly backoffResetMs: number;
  /** Without any answer as long as this, what has worked before is ended and started again. */
  readonly unresponsiveMs: number;
  /** How long a scope may take to adopt what an earlier supervisor left running. */
  readonly adoptMs: number;
}

export const defaultRestartPolicy: RestartPolicy = {
  probeMs: 1000,
  startingProbeMs: 50,
  firstRestartMs: 300,
  maxRestartMs: 30_000,
  permanentRetryMs: 10 * 60_000,
  backoffResetMs: 20_000,
  unresponsiveMs: 120_000,
  adoptMs: 60_000,
};

/** Sleeps until something happens, or until it is time. What happens between two sleeps is not missed. */
export class InterruptibleTimer {
  readonly #sleepers = new Set<() => void>();
  #missed = false;

  wake(): void {
    this.#missed = this.#sleepers.size === 0;
    for (const finish of this.#sleepers) finish();
  }

  sleep(ms: number): Promise<void> {
    if (this.#missed) {
      this.#missed = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.#sleepers.delete(finish);
        resolve();
      };
      const timer = setTimeout(finish, ms);
      this.#sleepers.add(finish);
    });
  }
}
