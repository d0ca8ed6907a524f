// Keeps workers at work by the current snapshot. It never carries a byte itself.
import { randomUUID } from 'node:crypto';
import type { Log } from '../../sys/log.ts';
import { createMutex } from '../../sys/mutex.ts';
import type { GatewayStatus, Listening } from '../engine.ts';
import { diffSnapshots, type Snapshot, type SnapshotChange } from '../snapshot/index.ts';
import { exchangeMs, LimitExchange } from './limit-exchange.ts';
import { desiredListeners, ListenerTable, type OpenListener } from './listener-table.ts';
import type { Notice, Question, TunnelCertificate } from './messages.ts';
import { Totals } from './metrics.ts';
import { workersServe } from './orphaned-workers.ts';
import { certificateFiles, readCertificate } from './tunnel-certificate.ts';
import { WorkerLog } from './worker-log.ts';
import { killHungWorkers, WorkerPool } from './worker-pool.ts';
import type { WorkerProcess } from './worker-process.ts';

/** A worker that takes longer to answer hangs, and is replaced. */
const answerMs = 15_000;
/** Who asks for figures does not wait longer for a worker than this. */
const queryMs = 1000;
/** How often it is looked whether refusals are to be summed up. */
const sumsMs = 1000;
/** Figures of a removed cluster stay visible this long. */
const forgetMs = 5 * 60_000;

export interface SupervisorOptions {
  readonly addresses: readonly string[];
  readonly workers: number;
  /** How long connections of what was removed may go on, and all when the gateway ends. */
  readonly graceMs: number;
  /** The same of a worker that was replaced. @default graceMs */
  readonly replacedGraceMs?: number;
  readonly log: Log;
  /** Certificate files are named relative to this. @default the working directory */
  readonly directory?: string;
  /** Where workers look for a successor when this process is killed. Absent: they end with it. */
  readonly admin?: () => string;
  readonly inherited?: readonly OpenListener[];
}

export class Supervisor {
  readonly instance = randomUUID();
  readonly pool: WorkerPool;
  readonly totals = new Totals();
  snapshot: Snapshot | undefined;
  appliedAt = 0;
  draining = false;
  /** All workers were ready once. */
  started = false;
  readonly #options: SupervisorOptions;
  readonly #listeners: ListenerTable;
  readonly #workerLog: WorkerLog;
  readonly #limits = new LimitExchange<WorkerProcess>();
  #certificate: TunnelCertificate | undefined;
  /** Changes and new workers wait for each other, so that no worker misses a change. */
  readonly #mutex = createMutex();
  #timers: NodeJS.Timeout[] = [];

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#workerLog = new WorkerLog(options.log);
    this.#listeners = new ListenerTable(options.workers, options.inherited, () => workersServe(options.admin?.()));
    this.pool = new WorkerPool({
      slots: options.workers,
      log: options.log,
      prepare: (worker) => this.#prepare(worker),
      notice: (worker, message) => this.#heard(worker, message),
      ended: (worker) => {
        this.totals.ended(worker);
        this.#limits.remove(worker);
      },
    });
  }

  /** Without a snapshot its workers wait for one. */
  async start(snapshot?: Snapshot): Promise<void> {
    const exchange = setInterval(() => this.#tellLimits(), exchangeMs).unref();
    const sums = setInterval(() => this.#workerLog.tick(Date.now()), sumsMs).unref();
    this.#timers = [exchange, sums, killHungWorkers(this.pool)];
    try {
      if (snapshot !== undefined) await this.apply(snapshot);
      await this.pool.start();
      this.started = true;
    } catch (error) {
      await this.kill();
      throw error;
    }
  }

  /** It takes connections. */
  get ready(): boolean {
    return this.started && this.snapshot !== undefined && !this.draining && this.pool.ready().length > 0;
  }

  status(): GatewayStatus {
    const { ready, draining, snapshot, pool } = this;
    const workers = pool.alive().map(({ pid, state, startedAt }) => ({ pid, state, startedAt }));
    return { ready, draining, snapshot, workers, workerRestarts: pool.crashes };
  }

  /** All or nothing: when it rejects, everything is as it was. */
  apply(snapshot: Snapshot): Promise<void> {
    return this.#mutex(() => this.#swap(snapshot));
  }

  /** The files of the tunnel's certificate have changed. */
  reloadCertificate(): Promise<void> {
    return this.#mutex(async () => {
      const files = this.certificateFiles();
      if (files === undefined) return;
      const certificate = readCertificate(files);
      this.#certificate = certificate;
      await this.#askAll({ ask: 'certificate', certificate });
    });
  }

  certificateFiles(): ReturnType<typeof certificateFiles> {
    return this.snapshot && certificateFiles(this.snapshot, this.#directory);
  }

  listening(): Listening[] {
    return this.#listeners.listening();
  }

  /** With their handles, to be handed over to the next supervisor. */
  openListeners(): OpenListener[] {
    return this.#listeners.all();
  }

  restart(): Promise<void> {
    return this.pool.restart(this.#replacedGraceMs);
  }

  /** Resolves when every connection has ended, by itself or by the end of the grace time. */
  async stop(graceMs: number): Promise<void> {
    this.draining = true;
    await this.pool.stopAccepting(graceMs);
    // Only now: a connection that waited meanwhile was still taken.
    this.#listeners.closeAll();
    await this.pool.allEnded();
    this.#timers.forEach(clearInterval);
    this.#workerLog.tick(Number.POSITIVE_INFINITY);
  }

  async kill(): Promise<void> {
    this.draining = true;
    this.#timers.forEach(clearInterval);
    this.pool.killAll();
    this.#listeners.closeAll();
    await this.pool.allEnded();
  }

  /** What each worker answers; nothing of one that does not in time. */
  async query(question: Question): Promise<[WorkerProcess, unknown][]> {
    const ask = async (worker: WorkerProcess): Promise<[WorkerProcess, unknown]> => [
      worker,
      await worker.ask(question, queryMs).catch(() => undefined),
    ];
    return Promise.all(this.pool.alive().map(ask));
  }

  /** Brings the figures up to date; a worker that does not answer in time is left with those it last told. */
  async refreshCounters(): Promise<void> {
    await this.query({ ask: 'counters' });
  }

  get #replacedGraceMs(): number {
    return this.#options.replacedGraceMs ?? this.#options.graceMs;
  }

  get #directory(): string {
    return this.#options.directory ?? process.cwd();
  }

  async #swap(snapshot: Snapshot): Promise<void> {
    const wanted = desiredListeners(snapshot, this.#options.addresses);
    const files = certificateFiles(snapshot, this.#directory);
    const certificate = files && readCertificate(files);
    const added = await this.#listeners.bindMissing(wanted);
    const change = diffSnapshots(this.snapshot, snapshot);
    this.#listeners.adopt(added);
    this.snapshot = snapshot;
    this.appliedAt = Date.now();
    const renewed = JSON.stringify(certificate) !== JSON.stringify(this.#certificate);
    this.#certificate = certificate;
    if (renewed) await this.#askAll({ ask: 'certificate', certificate });
    await Promise.all(this.pool.ready().map((worker) => this.#update(worker, change, added)));
    const keys = this.#listeners.dropOthers(wanted);
    if (keys.length > 0) await this.#askAll({ ask: 'unlisten', keys });
    this.#forgetLater(change.removed);
  }

  /** Their connections still count for a while. */
  #forgetLater(removed: readonly string[]): void {
    if (removed.length === 0) return;
    const forget = (): void =>
      this.totals.forget(new Set(removed.filter((id) => !Object.hasOwn(this.snapshot?.clusters ?? {}, id))));
    setTimeout(forget, forgetMs).unref();
  }

  /** A worker that fails here is killed and replaced, and the next one starts with the new snapshot. */
  async #update(worker: WorkerProcess, change: SnapshotChange, added: readonly OpenListener[]): Promise<void> {
    try {
      await this.#ask(worker, { ask: 'change', change });
      await this.#listen(worker, added);
    } catch (error) {
      worker.kill(`it could not take a change: ${(error as Error).message}`);
    }
  }

  async #prepare(worker: WorkerProcess): Promise<void> {
    await worker.greeted(answerMs);
    const { admin, graceMs } = this.#options;
    const { instance } = this;
    const settings = {
      ...{ slot: worker.slot, instance, admin: admin?.(), graceMs },
      replacedGraceMs: this.#replacedGraceMs,
    };
    await this.#ask(worker, { ask: 'settings', settings });
    await this.#mutex(async () => {
      if (this.snapshot !== undefined) await this.#tellAll(worker, this.snapshot);
      this.#limits.add(worker);
      // Here and not a moment later: a change that comes next must find this worker.
      if (worker.state === 'starting') worker.state = 'ready';
    });
  }

  async #tellAll(worker: WorkerProcess, snapshot: Snapshot): Promise<void> {
    await this.#ask(worker, { ask: 'certificate', certificate: this.#certificate });
    await this.#ask(worker, { ask: 'change', change: diffSnapshots(undefined, snapshot) });
    await this.#listen(worker, this.#listeners.all());
  }

  async #listen(worker: WorkerProcess, listeners: readonly OpenListener[]): Promise<void> {
    const own = this.#listeners.ofSlot(worker.slot, listeners);
    const asked = own.flatMap(({ key, listening, handles }) =>
      handles.map((handle) => this.#ask(worker, { ask: 'listen', key, listening }, handle)),
    );
    await Promise.all(asked);
  }

  #ask(worker: WorkerProcess, question: Question, handle?: object): Promise<unknown> {
    return worker.ask(question, answerMs, handle);
  }

  async #askAll(question: Question): Promise<void> {
    const asked = this.pool
      .ready()
      .map((worker) => this.#ask(worker, question).catch((e: Error) => worker.kill(e.message)));
    await Promise.all(asked);
  }

  #heard(worker: WorkerProcess, message: Notice): void {
    if ('limits' in message) this.#limits.report(worker, message.limits);
    else if ('counters' in message) this.totals.report(worker, message.counters);
    else if ('log' in message) this.#workerLog.say(worker.pid, message.log, Date.now());
  }

  #tellLimits(): void {
    for (const [worker, others] of this.#limits.round()) worker.tell({ others });
  }
}
