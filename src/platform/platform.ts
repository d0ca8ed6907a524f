// A whole platform: reads its manifests, and has its runtime run what they say.
import { setTimeout as sleep } from 'node:timers/promises';
import type { IssuedKubeconfig, KubeconfigRequest, NewKubeconfig, Scope } from '../control-plane/index.ts';
import { type Check, type ManifestSource, manifestReader, type Reading, type Watching } from '../manifests/index.ts';
import type { Finding } from '../model/index.ts';
import { LoadMemory } from '../model/load/index.ts';
import type { Model } from '../model/schema/index.ts';
import { newCache, type Runtime } from '../plan/index.ts';
import type { OfferedVersions } from '../programs/index.ts';
import { ConditionSet, isTrue } from '../reconcile/index.ts';
import type { PlatformRuntime, PlatformState } from '../runtime/platform-runtime.ts';
import type { Log } from '../sys/log.ts';
import { noSuchCluster } from './cluster/errors.ts';
import { type EventLog, openEventLog } from './event-log/event-log.ts';
import { manifestErrorsEvent } from './event-log/manifest-errors.ts';
import { modelChanges } from './event-log/model-changes.ts';
import { createTransitions } from './event-log/transitions.ts';
import type { Eviction } from './join/evictions.ts';
import type { JoinInfo } from './join/join-info.ts';
import { objectionsTo } from './objections.ts';
import { platformConditions } from './platform-conditions.ts';
import { PlatformReconciler, type WorkersChoice } from './platform-reconciler.ts';
import { createSignal } from './signal.ts';
import type { LiveConnection, Platform, PlatformEvent, PlatformView } from './view.ts';

export interface PlatformOptions {
  readonly manifests: ManifestSource;
  /** Only these. @default all */
  readonly clusters?: readonly string[];
  /** @default demo where no other machine reaches the gateways, else none */
  readonly workers?: WorkersChoice;
  readonly log: Log;
  readonly runtime: PlatformRuntime;
}

/** Resolves when the manifests have been read, and while what they say is being started. */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const state = await options.runtime.open();
  const platform = await opened(options, state);
  try {
    await platform.start();
    refuseUnknown(options.clusters ?? [], platform.view().model);
    return platform;
  } catch (error) {
    await platform.stop();
    throw error;
  }
}

async function opened(options: PlatformOptions, state: PlatformState): Promise<RunningPlatform> {
  try {
    return new RunningPlatform(options, state);
  } catch (error) {
    state.events.close();
    await state.close();
    throw error;
  }
}

/** Of what was asked for by name; manifests that cannot be read yet may still get it. */
function refuseUnknown(wanted: readonly string[], model: Model | undefined): void {
  const known = model?.clusters.map(({ metadata }) => metadata.name);
  for (const name of wanted) if (known?.includes(name) === false) throw noSuchCluster(name, known);
}

/** How often figures are brought up to date. */
const figuresMs = 1000;
/** Nobody waits longer for the programs of clusters to be asked for. */
const firstMs = 1000;

class RunningPlatform implements Platform {
  readonly memory = new LoadMemory();
  readonly planCache = newCache();
  readonly runtime: Runtime;
  readonly #manifests: ManifestSource;
  readonly #runtime: PlatformRuntime;
  readonly #eventLog: EventLog;
  readonly #state: PlatformState;
  readonly #applier: PlatformReconciler;
  readonly #read: () => Promise<Reading>;
  readonly #changed = createSignal();
  readonly #transitions = createTransitions();
  readonly #startedAt = Date.now();
  readonly #conditions = new ConditionSet();
  #phase: PlatformView['phase'] = 'starting';
  #watching: Watching | undefined;
  #figures: NodeJS.Timeout | undefined;
  #reading: Reading | undefined;
  #planned: Reading['planned'];
  #view: PlatformView | undefined;
  #turn: Promise<void> = Promise.resolve();
  #stopping: Promise<void> | undefined;

  constructor(options: PlatformOptions, state: PlatformState) {
    const { manifests, runtime, log } = options;
    const { memory, planCache: cache } = this;
    this.#manifests = manifests;
    this.#runtime = runtime;
    this.runtime = runtime.capabilities;
    this.#state = state;
    this.#eventLog = openEventLog(state.events, log);
    const check: Check = (planned) => this.objections(planned);
    this.#read = manifestReader(manifests, { runtime: this.runtime, check, memory, cache });
    const changed = (): void => this.#changed.raise();
    this.#applier = new PlatformReconciler({ ...options, state, eventLog: this.#eventLog, changed });
  }

  async start(): Promise<void> {
    this.record({ kind: 'platform', level: 'info', subject: 'platform', message: 'the platform is being started' });
    // What runs is looked at anew when it is told to all, and not for everybody who asks: there may be much to look at.
    this.#changed.on(() => {
      this.#view = undefined;
      this.#observe();
    });
    // Before reading: an edit in between is read twice rather than not at all.
    this.#watching = this.#manifests.watch(() => void this.reload());
    this.#figures = setInterval(() => void this.#applier.refresh().then(() => this.#changed.raise()), figuresMs);
    await this.reload();
    // What is done next in this process, as loading the page, keeps it busy for a while.
    await Promise.race([this.#applier.underWay(), sleep(firstMs, undefined, { ref: false })]);
  }

  view(): PlatformView {
    this.#view ??= this.#observeAll();
    return this.#view;
  }

  #observeAll(): PlatformView {
    const { reconciliation, ...observed } = this.#applier.look();
    const broken = this.#reading?.broken ?? true;
    const plan = this.#planned?.plan;
    const { clusters, components } = observed;
    const conditions = platformConditions({ plan, broken, clusters, components, reconciliation });
    return {
      directory: this.#manifests.place,
      startedAt: this.#startedAt,
      phase: this.#phase,
      conditions: this.#conditions.replace(conditions, Date.now()),
      model: this.#planned?.model,
      plan,
      findings: this.#reading?.findings ?? [],
      broken,
      ...observed,
    };
  }

  onChange(listener: () => void): () => void {
    return this.#changed.on(listener);
  }

  events(options: { readonly after?: number; readonly limit: number }): readonly PlatformEvent[] {
    return this.#eventLog.read(options);
  }

  onEvent(listener: (event: PlatformEvent) => void): () => void {
    return this.#eventLog.onEvent(listener);
  }

  record(event: Omit<PlatformEvent, 'id' | 'at'>): void {
    this.#eventLog.record(event);
  }

  connections(cluster?: string): Promise<readonly LiveConnection[]> {
    return this.#applier.connections(cluster);
  }

  logs(scope: string, name: string, lines: number): Promise<readonly string[]> {
    return this.#applier.driver.tail({ scope: scope as Scope, name }, lines);
  }

  followLogs(scope: string, name: string, line: (text: string) => void): () => void {
    return this.#applier.driver.follow({ scope: scope as Scope, name }, line);
  }

  kubeconfig(cluster: string, request: KubeconfigRequest): Promise<NewKubeconfig> {
    return this.#applier.kubeconfig(cluster, request);
  }

  kubeconfigs(cluster: string): Promise<readonly IssuedKubeconfig[]> {
    return this.#applier.kubeconfigs(cluster);
  }

  revokeKubeconfig(cluster: string, id: string): Promise<boolean> {
    return this.#applier.revokeKubeconfig(cluster, id);
  }

  join(cluster: string, ttlMs: number): Promise<JoinInfo> {
    return this.#applier.join(cluster, ttlMs);
  }

  evictNode(cluster: string, node: string): Promise<{ readonly warning?: string }> {
    return this.#applier.evictNode(cluster, node);
  }

  readmitNode(cluster: string, node: string): Promise<boolean> {
    return this.#applier.readmitNode(cluster, node);
  }

  evictedNodes(cluster: string): readonly Eviction[] {
    return this.#applier.evictedNodes(cluster);
  }

  objections(planned: NonNullable<Reading['planned']>): Promise<readonly Finding[]> {
    return objectionsTo(planned, this.#runtime);
  }

  kubernetesVersions(): Promise<OfferedVersions> {
    return this.#runtime.versions.offered();
  }

  certificateEnd(name: string): number | undefined {
    return this.#runtime.certificateEnd(name);
  }

  expectDeletion(cluster: string): void {
    this.#applier.expectDeletion(cluster);
  }

  reload(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#readOnce());
    return this.#turn;
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  async #readOnce(): Promise<void> {
    if (this.#phase === 'stopping') return;
    try {
      this.#take(await this.#read());
    } catch (error) {
      const message = `the manifests cannot be read: ${(error as Error).message}`;
      this.record({ kind: 'finding', level: 'error', subject: 'platform', message });
      this.#reading = { planned: undefined, findings: this.#reading?.findings ?? [], broken: true };
    }
    this.#mark();
  }

  #take(reading: Reading): void {
    const said = manifestErrorsEvent(reading, this.#reading?.broken ?? false);
    if (said) this.record(said);
    this.#reading = reading;
    if (reading.broken || reading.planned === undefined) return;
    for (const event of modelChanges(this.#planned?.model, reading.planned.model)) this.record(event);
    this.#planned = reading.planned;
    this.#applier.desire(reading.planned);
  }

  #mark(): void {
    this.#view = undefined;
    this.#changed.raise();
  }

  /** What became of it since the last look. */
  #observe(): void {
    if (this.#phase === 'stopping') return;
    const { clusters, components } = this.view();
    for (const event of this.#transitions.seen(clusters, components)) this.record(event);
    if (this.#phase !== 'starting' || !isTrue(this.view().conditions[0])) return;
    this.#phase = 'running';
    this.record({ kind: 'platform', level: 'info', subject: 'platform', message: 'everything is ready' });
    this.#mark();
  }

  async #stopAll(): Promise<void> {
    this.#phase = 'stopping';
    this.#mark();
    this.#watching?.close();
    clearInterval(this.#figures);
    await this.#turn;
    await this.#applier.stop();
    this.record({ kind: 'platform', level: 'info', subject: 'platform', message: 'the platform has stopped' });
    this.#changed.close();
    this.#eventLog.close();
    await this.#state.close();
  }
}
