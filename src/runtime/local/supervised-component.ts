// One component and its life: get its program, wait for what it needs, start it, tend it, start it again.

import type { ComponentId, ComponentSpec, Observed } from '../../control-plane/component.ts';
import { versionOf } from '../../control-plane/program-version.ts';
import type { Log, LogFields } from '../../net/log.ts';
import { type Backoff, createBackoff } from '../../sys/backoff.ts';
import { UnitState } from './component-state.ts';
import { type Reason, reasonOfFailure } from './failure-reason.ts';
import { launch, logPathOf, specHash, writeSpecFile } from './launch.ts';
import { LogFile } from './log-file.ts';
import { type Pace, stopMsOf, tend, Waker } from './monitor.ts';
import { keyOf, type Leftover } from './orphans.ts';
import { type Answer, Health } from './probe.ts';
import type { Child } from './process.ts';
import { ProgramOrder, type ProgramShelf } from './program-provider.ts';

export interface UnitContext {
  readonly directory: string;
  readonly log: Log;
  readonly shelf: ProgramShelf;
  readonly pace: Pace;
  /** How far a component of the same scope is. */
  progressOf(name: string): Progress | undefined;
  /** What an earlier driver left of it, oldest first; whoever takes it cares for it. */
  takeLeftovers(key: string): readonly Leftover[];
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
interface Wish {
  readonly spec: ComponentSpec;
  readonly hash: string;
}

/** Who waits is woken; this only keeps what is shown fresh. */
const glanceMs = 1000;

export class Unit implements Progress {
  readonly id: ComponentId;
  readonly logFile: LogFile;
  readonly #context: UnitContext;
  readonly #state: UnitState;
  readonly #order: ProgramOrder;
  readonly #waker = new Waker();
  readonly #backoff: Backoff;
  #wish: Wish | undefined;
  #running: (Wish & { readonly child: Child }) | undefined;
  /** Size of the log when its process was started. */
  #logStart = 0;
  #round: Promise<unknown> = Promise.resolve();
  #lives = false;
  #hasUnwritten = false;

  constructor(id: ComponentId, context: UnitContext) {
    this.id = id;
    this.#context = context;
    this.logFile = new LogFile(logPathOf(context.directory, id));
    this.#state = new UnitState(() => context.changed());
    this.#order = new ProgramOrder(context.shelf, () => context.changed());
    this.#backoff = createBackoff(context.pace.firstRestart, context.pace.mostRestart, Math.random);
  }

  /** Who stops after it. */
  get needs(): readonly string[] {
    const { needs = [], after = [] } = (this.#wish ?? this.#running)?.spec ?? {};
    return [...needs, ...after];
  }

  get isWanted(): boolean {
    return this.#wish !== undefined;
  }

  get isUnderWay(): boolean {
    return this.#running !== undefined && this.#state.phase !== 'stopping';
  }

  get answers(): boolean {
    return this.isUnderWay && this.#state.answers;
  }

  get isReady(): boolean {
    return this.#state.phase === 'healthy' && this.#running?.hash === this.#wish?.hash;
  }

  want(spec: ComponentSpec): void {
    this.#wish = { spec, hash: specHash(spec) };
    this.#order.place(spec.program);
    if (this.#running !== undefined) this.#writeReloaded(spec);
    this.wake();
    if (!this.#lives) void this.#live();
  }

  /** Resolves when its process has ended. */
  async stop(): Promise<void> {
    this.#wish = undefined;
    this.wake();
    await this.#round;
  }

  /** Something has changed that it may be waiting for. */
  wake(): void {
    this.#waker.wake();
  }

  observe(): Observed {
    const spec = (this.#running ?? this.#wish)?.spec;
    const version = spec && versionOf(spec.program);
    const observed = this.#state.observed(this.id, this.#running?.child);
    return {
      ...observed,
      ...(this.#waitsForProgram ? this.#order.progress() : {}),
      ...(version === undefined ? {} : { version }),
      logFile: this.logFile.path,
    };
  }

  /** It runs, is to become another one, and that one is not here. */
  get #waitsForProgram(): boolean {
    const hasNewWish =
      this.#running !== undefined && this.#wish !== undefined && this.#wish.hash !== this.#running.hash;
    return hasNewWish && !this.#order.isThere;
  }

  async #live(): Promise<void> {
    this.#lives = true;
    while (this.#wish !== undefined) {
      const wish = this.#wish;
      const round = this.#liveOnce(wish);
      this.#round = round;
      const problem = await round;
      if (problem !== undefined) await this.#pause(problem, wish);
    }
    this.#lives = false;
    this.#state.say({ phase: 'stopped' });
  }

  /** Why it ended, unless it was to end. */
  async #liveOnce(wish: Wish): Promise<Reason | undefined> {
    try {
      const child = (await this.#adopt(wish)) ?? (await this.#start(wish));
      return child && (await this.#tend(wish, child));
    } catch (error) {
      this.#order.forget();
      return reasonOfFailure(error);
    } finally {
      this.#running = undefined;
    }
  }

  /**
   * What runs already by the same description goes on if it answers, even that it does not work yet: what it misses may
   * be us. Anything else ends.
   */
  async #adopt({ spec, hash }: Wish): Promise<Child | undefined> {
    const left = this.#context.takeLeftovers(keyOf(this.id));
    const [oldest] = left;
    if (oldest === undefined) return undefined;
    // It stands still if its log was just being moved.
    oldest.child.resume();
    const answer = oldest.specHash === hash ? await asked(spec, oldest.child) : undefined;
    if (answer?.healthy || answer?.answered) {
      this.#tell('info', 'goes on from before', { pid: oldest.child.pid });
      this.#state.say(answer.healthy ? { phase: 'healthy' } : { phase: 'unhealthy', why: answer.why });
      this.#logStart = this.logFile.size;
      this.#hasUnwritten = true;
      return oldest.child;
    }
    this.#tell('info', 'left from before, is ended', { pid: oldest.child.pid });
    await Promise.all(left.map(({ child }) => child.end(stopMsOf(spec))));
    return undefined;
  }

  /** Undefined when it is not wanted any more, or not like this. */
  async #start(wish: Wish): Promise<Child | undefined> {
    const isWanted = (): boolean => this.#wish?.hash === wish.hash;
    this.#order.place(wish.spec.program);
    while (isWanted() && !this.#order.isSettled) {
      this.#state.say({ phase: 'getting', ...this.#order.progress() });
      await this.#waker.sleep(glanceMs);
    }
    for (let missing = this.#missing(wish); isWanted() && missing.length > 0; missing = this.#missing(wish)) {
      this.#sayWaiting(missing);
      await this.#waker.sleep(glanceMs);
    }
    if (!isWanted()) return undefined;
    this.#state.say({ phase: 'starting', why: 'it is being started' });
    this.#logStart = this.logFile.size;
    const { directory } = this.#context;
    const child = await launch({ directory, spec: wish.spec, file: this.#order.take(), logFile: this.logFile });
    this.#tell('info', 'started', { pid: child.pid });
    return child;
  }

  #missing({ spec: { needs = [], after = [] } }: Wish): readonly string[] {
    const { progressOf } = this.#context;
    return [
      ...after.filter((name) => !progressOf(name)?.isUnderWay),
      ...needs.filter((name) => !progressOf(name)?.answers),
    ];
  }

  #sayWaiting(missing: readonly string[]): void {
    const names = missing.join(' and ');
    this.#state.say({ phase: 'waiting', why: `it waits for ${names}`, next: `it starts when ${names} is there` });
  }

  #tend(wish: Wish, child: Child): Promise<Reason | undefined> {
    this.#running = { ...wish, child };
    return tend({
      spec: wish.spec,
      child,
      logFile: this.logFile,
      logStart: this.#logStart,
      state: this.#state,
      waker: this.#waker,
      pace: this.#context.pace,
      isToEnd: () => this.#wish === undefined || this.#mayReplace(wish),
      glance: () => this.#glance(),
    });
  }

  #glance(): void {
    if (this.#hasUnwritten && this.#wish !== undefined) this.#writeReloaded(this.#wish.spec);
    if (this.#waitsForProgram) this.#order.placeAgain(this.#context.pace);
  }

  /** The old one goes on until the new one can start. */
  #mayReplace({ hash }: Wish): boolean {
    if (this.#wish?.hash === hash || !this.#order.isThere) return false;
    return this.needs.every((name) => this.#context.progressOf(name)?.isReady);
  }

  /** What it reads again by itself. If that fails (a full disk), it is tried again at the next glance. */
  #writeReloaded({ files = [] }: ComponentSpec): void {
    try {
      for (const file of files) if (file.reloads) writeSpecFile(file);
      this.#hasUnwritten = false;
    } catch (error) {
      if (!this.#hasUnwritten) this.#tell('warn', 'its files cannot be written', { why: (error as Error).message });
      this.#hasUnwritten = true;
    }
  }

  /** Longer each time, until it has worked for a while; at once when something else is wanted. */
  async #pause({ why, fix, lasting = false }: Reason, { hash }: Wish): Promise<void> {
    if (this.#wish === undefined) return;
    const { steady, lastingRestart } = this.#context.pace;
    if (this.#state.workedForMs > steady) this.#backoff.reset();
    const retryAt = Date.now() + (lasting ? lastingRestart : this.#backoff.next());
    if (!lasting) this.#state.restarts += 1;
    this.#state.say({ phase: lasting ? 'failed' : 'restarting', why, next: fix, retryAt });
    this.#tell('warn', 'does not run', { why, next: fix, again: `${Math.round(retryAt - Date.now())} ms` });
    while (this.#wish?.hash === hash && Date.now() < retryAt) await this.#waker.sleep(retryAt - Date.now());
  }

  #tell(level: 'info' | 'warn', what: string, fields: LogFields): void {
    this.#context.log[level](`${this.id.name} ${what}`, { scope: this.id.scope, ...fields });
  }
}

/** More than once where it is silent: who has just started on a busy machine may itself be too late to hear an answer. */
async function asked(spec: ComponentSpec, child: Child): Promise<Answer> {
  const health = new Health(spec);
  let answer = await health.ask(child);
  while (!answer.answered && health.isLapse(answer)) answer = await health.ask(child);
  health.close();
  return answer;
}
