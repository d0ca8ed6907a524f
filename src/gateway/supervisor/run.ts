// The gateway as a process: started, told by signals and by its admin address what to do, and gone when it has drained.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CausewayError } from '../../core/errors.ts';
import { type AdminServer, adminAddressText, serveAdmin } from '../../net/index.ts';
import { hasNative } from '../../net/wire/native.ts';
import type { RunOptions } from '../engine.ts';
import { type Snapshot, snapshotWarnings } from '../snapshot/index.ts';
import { adminRoutes } from './admin-routes.ts';
import { handOver, type Inheritance, inheritance, readSuccessor } from './handover.ts';
import { instanceHeader } from './orphaned-workers.ts';
import { fileLimitProblem, openFileLimit } from './process-limits.ts';
import { SnapshotSource } from './snapshot-source.ts';
import { Supervisor } from './supervisor.ts';

/** Resolves with the exit code when the gateway has ended. */
export async function runGateway(options: RunOptions): Promise<number> {
  const inherited = await inheritance();
  const gateway = new GatewayProcess(options, inherited?.listeners ?? []);
  try {
    await gateway.start(inherited);
  } catch (error) {
    inherited?.failed((error as Error).message);
    throw error;
  }
  return gateway.ended;
}

class GatewayProcess {
  readonly ended: Promise<number>;
  readonly #end: (code: number) => void;
  readonly #options: RunOptions;
  readonly #supervisor: Supervisor;
  readonly #source: SnapshotSource;
  #admin: AdminServer | undefined;
  #upgrading = false;
  #stopping = false;
  #exitCode = 0;
  /** Who tells it a snapshot waits for this, so that it is in force when that is answered. */
  readonly #serving = Promise.withResolvers<void>();

  constructor(options: RunOptions, listeners: Inheritance['listeners']) {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.ended = promise;
    this.#end = resolve;
    this.#options = options;
    const { addresses, workers, graceMs, replacedGraceMs = graceMs, log, snapshotFile } = options;
    this.#supervisor = new Supervisor({
      addresses,
      workers,
      graceMs,
      replacedGraceMs,
      log,
      directory: path.dirname(path.resolve(snapshotFile)),
      admin: () => adminAddressText(this.#admin?.address ?? options.admin),
      inherited: listeners,
    });
    this.#source = new SnapshotSource(this.#supervisor, path.resolve(snapshotFile), log);
  }

  async start(inherited: Inheritance | undefined): Promise<void> {
    const { log } = this.#options;
    const snapshot = await this.#firstSnapshot(inherited);
    this.#listenToSignals();
    // A process that is there already is told by its admin address, before its ports are shared with it.
    if (inherited === undefined) await this.#openAdmin();
    try {
      await this.#supervisor.start(snapshot);
      if (inherited !== undefined) await this.#takeOver(inherited);
      else if (snapshot === undefined && this.#hasSnapshot()) await this.#source.reload();
    } catch (error) {
      await this.#supervisor.kill();
      await this.#admin?.close();
      // Somebody did not want to wait for the start.
      if (this.#stopping) return;
      throw error;
    }
    this.#source.watch();
    this.#writePid();
    this.#serving.resolve();
    const warnings = snapshot === undefined ? [] : snapshotWarnings(snapshot);
    for (const warning of [...warnings, ...this.#warnings()]) log.warn(warning);
    this.#options.started?.(this.#supervisor.listening(), this.#admin?.address ?? this.#options.admin);
  }

  /** Undefined: it is told later, or found to be one that can be served. What is inherited must be. */
  async #firstSnapshot(inherited: Inheritance | undefined): Promise<Snapshot | undefined> {
    if (this.#options.startEmpty && (inherited === undefined || !this.#hasSnapshot())) return undefined;
    return this.#source.load();
  }

  #hasSnapshot(): boolean {
    return existsSync(this.#options.snapshotFile);
  }

  async #takeOver(inherited: Inheritance): Promise<void> {
    await inherited.ready();
    await this.#openAdmin();
    inherited.taken();
  }

  async #openAdmin(): Promise<void> {
    const routes = adminRoutes({
      supervisor: this.#supervisor,
      rejection: () => this.#source.rejection,
      drain: () => void this.#stop(0),
      apply: () => this.#apply(),
      restart: () => this.#restart(),
      upgrade: () => this.#upgrade(),
    });
    const { admin, log } = this.#options;
    const headers = { [instanceHeader]: this.#supervisor.instance };
    this.#admin = await serveAdmin(admin, routes, { log, headers });
  }

  #warnings(): string[] {
    const files = openFileLimit();
    const problem = files && fileLimitProblem({ files, listeners: this.#supervisor.listening().length });
    const warnings = problem ? [`${problem.message}; fix: ${problem.fix}`] : [];
    if (!hasNative())
      warnings.push(
        'without native handles workers bind by themselves: a restart resets connections that wait to be accepted',
      );
    return warnings;
  }

  #listenToSignals(): void {
    process.on('SIGTERM', () => void this.#stop(128 + 15));
    process.on('SIGINT', () => void this.#stop(128 + 2));
    process.on('SIGHUP', () => void this.#restart().catch(() => {}));
    process.on('SIGUSR2', () => void this.#upgrade().catch(() => {}));
  }

  /** The first time in order, the second time at once. */
  async #stop(secondSignalCode: number): Promise<void> {
    if (this.#stopping) {
      this.#exitCode = secondSignalCode;
      return this.#supervisor.kill();
    }
    this.#stopping = true;
    const { log, graceMs } = this.#options;
    log.info('no more connections are accepted; those that are open may end', { graceSeconds: graceMs / 1000 });
    await this.#drain(graceMs);
  }

  async #drain(graceMs: number): Promise<void> {
    this.#source.close();
    await this.#supervisor.stop(graceMs);
    await this.#leave();
  }

  async #leave(): Promise<void> {
    const { pidFile, log } = this.#options;
    if (pidFile !== undefined && !this.#upgrading) rmSync(pidFile, { force: true });
    // Who asked for the end by the admin address still gets the answer.
    await Promise.race([this.#admin?.close(), setTimeout(200)]);
    log.info('ended');
    this.#end(this.#exitCode);
  }

  async #apply(): Promise<void> {
    this.#refuseLeaving();
    await this.#source.applyNext();
    await this.#serving.promise;
  }

  async #restart(): Promise<void> {
    const { log } = this.#options;
    log.info('workers are replaced one after the other');
    try {
      await this.#supervisor.restart();
      log.info('all workers are new');
    } catch (error) {
      log.error('a new worker did not start: the old ones go on', { why: (error as Error).message });
      throw error;
    }
  }

  #refuseLeaving(): void {
    if (this.#upgrading || this.#stopping)
      throw new CausewayError('CW-GATEWAY-UPGRADE', 'this gateway is already being replaced or stopped', 'wait');
  }

  /** Resolves with the number of the process that serves now. */
  async #upgrade(): Promise<number> {
    const { log, successorFile, graceMs, replacedGraceMs = graceMs } = this.#options;
    this.#refuseLeaving();
    const successor = readSuccessor(successorFile);
    this.#upgrading = true;
    log.info('a new process is started to take over');
    // Both would otherwise follow the file while the sockets are handed over.
    this.#source.close();
    let pid: number;
    try {
      pid = await handOver(successor, {
        listeners: () => this.#supervisor.openListeners(),
        release: () => void this.#admin?.close(),
      });
    } catch (error) {
      await this.#turnBack(error as Error);
      throw error;
    }
    log.info('the new process serves; this one ends when its connections have');
    void this.#drain(replacedGraceMs);
    return pid;
  }

  async #turnBack(error: Error): Promise<void> {
    this.#upgrading = false;
    this.#options.log.error('the new process did not take over: this one goes on', { why: error.message });
    await this.#openAdmin().catch(() => {});
    this.#source.watch();
    void this.#source.reload();
  }

  #writePid(): void {
    const { pidFile } = this.#options;
    if (pidFile === undefined) return;
    // Not through a link that somebody else may have put there.
    rmSync(pidFile, { force: true });
    writeFileSync(pidFile, `${process.pid}\n`, { flag: 'wx' });
  }
}
