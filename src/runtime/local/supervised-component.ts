// One component and its life: get its program, wait for what it needs, start it, monitor it, start it again.

import { type ComponentId, type ComponentSpec, versionOf } from '../../control-plane/index.ts';
import { type Backoff, createBackoff } from '../../sys/backoff.ts';
import type { Log, LogFields } from '../../sys/log.ts';
import type { ObservedComponent } from '../platform-runtime.ts';
import { ComponentState } from './component-state.ts';
import { type FailureReason, reasonOfFailure } from './failure-reason.ts';
import { hasHandedOver, takeOver } from './handover.ts';
import { launch, logPathOf, specHash, writeSpecFile, writeSuccessor } from './launch.ts';
import { LogFile } from './log-file.ts';
import { InterruptibleTimer, monitor, type RestartPolicy, stopMsOf } from './monitor.ts';
import { keyOf, killMarked, type Orphan } from './orphans.ts';
import { type Answer, HealthProbe } from './probe.ts';
import type { Child } from './process.ts';
import { type ProgramProvider, ProgramRequest } from './program-provider.ts';

export interface ComponentContext {
  readonly directory: string;
  readonly log: Log;
  readonly provider: ProgramProvider;
  readonly restartPolicy: RestartPolicy;
  /** How far a component of the same scope is. */
  progressOf(name: string): Progress | undefined;
  /** What an earlier supervisor left of it, oldest first; whoever takes it cares for it. */
  takeOrphans(key: string): readonly Orphan[];
  /** Something has changed that neighbours or people want to know. */
  changed(): void;
}

export interface Progress {
  readonly isUnderWay: boolean;
  readonly answers: boolean;
  /** It works, by its newest description. */
  readonly isReady: boolean;
}

/** A description, and what tells it from others. */
interface Desired {
  readonly spec: ComponentSpec;
  readonly hash: string;
}

/** Who waits is woken; this only keeps what is shown fresh. */
const tickMs = 1000;

export class SupervisedComponent implements Progress {
  readonly id: ComponentId;
  readonly logFile: LogFile;
  readonly #context: ComponentContext;
  readonly #state: ComponentState;
  readonly #program: ProgramRequest;
  readonly #timer = new InterruptibleTimer();
  readonly #backoff: Backoff;
  #desired: Desired | undefined;
  #running: (Desired & { readonly child: Child; isReplaced?: boolean }) | undefined;
  /** Size of the log when its process was started. */
  #logStart = 0;
  #attempt: Promise<unknown> = Promise.resolve();
  #isActive = false;
  #hasUnwritten = false;

  constructor(id: ComponentId, context: ComponentContext) {
    this.id = id;
    this.#context = context;
    this.logFile = new LogFile(logPathOf(context.directory, id));
    this.#state = new ComponentState(() => context.changed());
    this.#program = new ProgramRequest(context.provider, () => context.changed());
    this.#backoff = createBackoff(
      context.restartPolicy.firstRestartMs,
      context.restartPolicy.maxRestartMs,
      Math.random,
    );
  }

  /** Who stops after it. */
  get needs(): readonly string[] {
    const { needs = [], after = [] } = (this.#desired ?? this.#running)?.spec ?? {};
    return [...needs, ...after];
  }

  get isDesired(): boolean {
    return this.#desired !== undefined;
  }

  get isUnderWay(): boolean {
    return this.#running !== undefined && this.#state.phase !== 'stopping';
  }

  get answers(): boolean {
    return this.isUnderWay && this.#state.answers;
  }

  get isReady(): boolean {
    return this.#state.phase === 'healthy' && this.#running?.hash === this.#desired?.hash;
  }

  apply(spec: ComponentSpec): void {
    this.#desired = { spec, hash: specHash(spec) };
    this.#program.request(spec.program);
    if (this.#running !== undefined) this.#writeReloaded(spec);
    this.wake();
    if (!this.#isActive) void this.#run();
  }

  /** Resolves when its process has ended. */
  async stop(): Promise<void> {
    const handsOver = (this.#desired ?? this.#running)?.spec.handover !== undefined;
    this.#desired = undefined;
    this.wake();
    await this.#attempt;
    if (handsOver && !this.isDesired) await killMarked(this.#context.directory, keyOf(this.id));
  }

  /** Something has changed that it may be waiting for. */
  wake(): void {
    this.#timer.wake();
  }

  observe(): ObservedComponent {
    const spec = (this.#running ?? this.#desired)?.spec;
    const version = spec && versionOf(spec.program);
    const observed = this.#state.observed(this.id, this.#running?.child);
    return {
      ...observed,
      ...(this.#waitsForProgram ? this.#program.progress() : {}),
      ...(version === undefined ? {} : { version }),
      logFile: this.logFile.path,
    };
  }

  /** It runs, is to become another one, and that one is not here. */
  get #waitsForProgram(): boolean {
    const isOutdated =
      this.#running !== undefined && this.#desired !== undefined && this.#desired.hash !== this.#running.hash;
    return isOutdated && !this.#program.isAvailable;
  }

  async #run(): Promise<void> {
    this.#isActive = true;
    while (this.#desired !== undefined) {
      const desired = this.#desired;
      const attempt = this.#runOnce(desired);
      this.#attempt = attempt;
      const problem = await attempt;
      if (problem !== undefined) await this.#pause(problem, desired);
    }
    this.#isActive = false;
    this.#state.report({ phase: 'stopped' });
  }

  /** Why it ended, unless it was to end. */
  async #runOnce(desired: Desired): Promise<FailureReason | undefined> {
    try {
      const child = (await this.#adopt(desired)) ?? (await this.#start(desired));
      return child && (await this.#monitor(desired, child));
    } catch (error) {
      this.#program.forget();
      return reasonOfFailure(error);
    } finally {
      this.#running = undefined;
    }
  }

  /**
   * What runs already by the same description goes on if it answers, even that it does not work yet: what it misses may
   * be us. Anything else ends.
   */
  async #adopt({ spec, hash }: Desired): Promise<Child | undefined> {
    const left = this.#context.takeOrphans(keyOf(this.id));
    // It stands still if its log was just being moved.
    for (const { child } of left) child.resume();
    const child = spec.handover === undefined ? left[0]?.child : await this.#takeOver(spec, hash);
    if (child === undefined) return undefined;
    const isSame = spec.handover !== undefined || left[0]?.specHash === hash;
    const answer = isSame ? await probeUntilAnswer(spec, child) : undefined;
    if (answer?.healthy || answer?.answered) {
      this.#logEvent('info', 'goes on from before', { pid: child.pid });
      this.#state.report(answer.healthy ? { phase: 'healthy' } : { phase: 'unhealthy', why: answer.why });
      this.#logStart = this.logFile.size;
      this.#hasUnwritten = true;
      return child;
    }
    this.#logEvent('info', 'left from before, is ended', { pid: child.pid });
    await Promise.all(left.map((orphan) => orphan.child.end(stopMsOf(spec))));
    return undefined;
  }

  /** Not only what an earlier supervisor left: it may have handed over since. */
  async #takeOver(spec: ComponentSpec, hash: string): Promise<Child | undefined> {
    const { handover } = spec;
    if (handover === undefined || !('file' in spec.program)) return undefined;
    const { directory, log } = this.#context;
    const { file } = spec.program;
    const prepare = (): void => writeSuccessor({ directory, spec, file });
    return takeOver({ directory, key: keyOf(this.id), handover, specHash: hash, log, prepare });
  }

  /** Undefined when it is not wanted any more, or not like this. */
  async #start(desired: Desired): Promise<Child | undefined> {
    const isDesired = (): boolean => this.#desired?.hash === desired.hash;
    this.#program.request(desired.spec.program);
    while (isDesired() && !this.#program.isSettled) {
      this.#state.report({ phase: 'getting', ...this.#program.progress() });
      await this.#timer.sleep(tickMs);
    }
    for (let missing = this.#missing(desired); isDesired() && missing.length > 0; missing = this.#missing(desired)) {
      this.#reportWaiting(missing);
      await this.#timer.sleep(tickMs);
    }
    if (!isDesired()) return undefined;
    this.#state.report({ phase: 'starting', why: 'it is being started' });
    this.#logStart = this.logFile.size;
    const { directory } = this.#context;
    const child = await launch({ directory, spec: desired.spec, file: this.#program.path(), logFile: this.logFile });
    this.#logEvent('info', 'started', { pid: child.pid });
    return child;
  }

  #missing({ spec: { needs = [], after = [] } }: Desired): readonly string[] {
    const { progressOf } = this.#context;
    return [
      ...after.filter((name) => !progressOf(name)?.isUnderWay),
      ...needs.filter((name) => !progressOf(name)?.answers),
    ];
  }

  #reportWaiting(missing: readonly string[]): void {
    const names = missing.join(' and ');
    this.#state.report({ phase: 'waiting', why: `it waits for ${names}`, next: `it starts when ${names} is there` });
  }

  #monitor(desired: Desired, child: Child): Promise<FailureReason | undefined> {
    this.#running = { ...desired, child };
    return monitor({
      spec: desired.spec,
      child,
      logFile: this.logFile,
      logStart: this.#logStart,
      state: this.#state,
      timer: this.#timer,
      restartPolicy: this.#context.restartPolicy,
      isToEnd: () => this.#desired === undefined || this.#mayReplace(desired),
      isReplaced: () => this.#running?.isReplaced === true,
      tick: () => this.#tick(),
    });
  }

  #tick(): void {
    void this.#lookForSuccessor();
    if (this.#hasUnwritten && this.#desired !== undefined) this.#writeReloaded(this.#desired.spec);
    if (this.#waitsForProgram) this.#program.retry(this.#context.restartPolicy);
  }

  async #lookForSuccessor(): Promise<void> {
    const running = this.#running;
    const handover = running?.spec.handover;
    if (running === undefined || handover === undefined) return;
    const place = { directory: this.#context.directory, key: keyOf(this.id), handover };
    running.isReplaced = await hasHandedOver(place, running.child.pid);
  }

  /** The old one goes on until the new one can start. */
  #mayReplace({ hash }: Desired): boolean {
    if (this.#desired?.hash === hash || !this.#program.isAvailable) return false;
    return this.needs.every((name) => this.#context.progressOf(name)?.isReady);
  }

  /** What it reads again by itself. If that fails (a full disk), it is tried again at the next tick. */
  #writeReloaded({ files = [] }: ComponentSpec): void {
    try {
      for (const file of files) if (file.reloads) writeSpecFile(file);
      this.#hasUnwritten = false;
    } catch (error) {
      if (!this.#hasUnwritten) this.#logEvent('warn', 'its files cannot be written', { why: (error as Error).message });
      this.#hasUnwritten = true;
    }
  }

  /** Longer each time, until it has worked for a while; at once when something else is wanted. */
  async #pause({ why, fix, permanent = false }: FailureReason, { hash }: Desired): Promise<void> {
    if (this.#desired === undefined) return;
    const { backoffResetMs, permanentRetryMs } = this.#context.restartPolicy;
    if (this.#state.workedForMs > backoffResetMs) this.#backoff.reset();
    const retryAt = performance.now() + (permanent ? permanentRetryMs : this.#backoff.next());
    if (!permanent) this.#state.restarts += 1;
    this.#state.report({ phase: permanent ? 'failed' : 'restarting', why, next: fix, retryAt });
    this.#logEvent('warn', 'does not run', { why, next: fix, again: `${Math.round(retryAt - performance.now())} ms` });
    while (this.#desired?.hash === hash && performance.now() < retryAt)
      await this.#timer.sleep(retryAt - performance.now());
  }

  #logEvent(level: 'info' | 'warn', what: string, fields: LogFields): void {
    this.#context.log[level](`${this.id.name} ${what}`, { scope: this.id.scope, ...fields });
  }
}

/** More than once where it is silent: who has just started on a busy machine may itself be too late to hear an answer. */
async function probeUntilAnswer(spec: ComponentSpec, child: Child): Promise<Answer> {
  const health = new HealthProbe(spec);
  let answer = await health.ask(child);
  while (!answer.answered && health.isLapse(answer)) answer = await health.ask(child);
  health.close();
  return answer;
}
