// A platform that runs nothing, made from a directory of manifests: for tests and for the work on the page.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import {
  type IssuedKubeconfig,
  type KubeconfigRequest,
  type NewKubeconfig,
  type Observed,
  writeClusterState,
} from '../../control-plane/index.ts';
import { manifestDirectory, manifestReader, type Reading } from '../../manifests/index.ts';
import type { Finding } from '../../model/index.ts';
import { LoadMemory } from '../../model/load/index.ts';
import { createAuthority, validFor } from '../../pki/index.ts';
import { newCache } from '../../plan/index.ts';
import {
  createSignal,
  type Eviction,
  Evictions,
  type JoinInfo,
  joinInfo,
  type LiveConnection,
  objectionsTo,
  type Platform,
  type PlatformEvent,
  type PlatformView,
  type ProgramProgress,
  platformConditions,
  versionFindings,
} from '../../platform/index.ts';
import { fakeVersions } from '../../platform/testing/fake-runtime.ts';
import type { OfferedVersions } from '../../programs/index.ts';
import { localRuntime } from '../../runtime/local/capabilities.ts';
import { clusterHome, platformHome, stateDirectory } from '../../runtime/local/home.ts';
import { dataIn, keptIn, openEventStore } from '../../runtime/local/index.ts';
import type { EventStore } from '../../runtime/platform-runtime.ts';
import { componentsOf, hopsOf, type SampleClock, statusOf, trafficOf } from './sample-state.ts';

export interface SampleOptions {
  /** Clusters whose worker side is shown as broken. */
  readonly trouble?: readonly string[];
  /** Clusters that are shown as starting. */
  readonly starting?: readonly string[];
  readonly programs?: readonly ProgramProgress[];
  /** How often figures move. @default 1000 */
  readonly tickMs?: number;
}

export interface SamplePlatform extends Platform {
  /** Clusters whose deletion was announced. */
  readonly deletions: readonly string[];
}

/** The directory is written to: allocations, events, and whatever the API is asked to change. */
export async function createSamplePlatform(directory: string, options: SampleOptions = {}): Promise<SamplePlatform> {
  const state = path.join(directory, stateDirectory);
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const platform = new Sample(directory, openEventStore(path.join(state, 'sample.db')), options);
  await platform.reload();
  platform.record({ kind: 'platform', level: 'info', subject: 'platform', message: 'the sample platform has started' });
  return platform;
}

/** As if it had run with this: some of its fields cannot change any more. */
export async function pretendRunning(
  directory: string,
  cluster: string,
  state: Parameters<typeof writeClusterState>[1],
): Promise<void> {
  const home = clusterHome(platformHome(directory), cluster);
  await writeClusterState(keptIn(home).store, state);
  mkdirSync(path.join(home.etcd, 'member'), { recursive: true });
}

class Sample implements SamplePlatform {
  readonly #evictions = new Evictions({ read: () => undefined, write: () => {} });
  readonly memory = new LoadMemory();
  readonly planCache = newCache();
  readonly runtime = localRuntime;
  readonly deletions: string[] = [];
  readonly #directory: string;
  readonly #options: SampleOptions;
  readonly #startedAt = Date.now();
  readonly #store: EventStore;
  readonly #changed = createSignal();
  readonly #listeners = new Set<(event: PlatformEvent) => void>();
  readonly #read: () => Promise<Reading>;
  readonly #watching: { close(): void };
  readonly #ticking: NodeJS.Timeout;
  readonly #issued = new Map<string, IssuedKubeconfig>();
  #lastId = 0;
  #reading: Reading | undefined;
  #planned: Reading['planned'];
  #view: PlatformView | undefined;

  constructor(directory: string, store: EventStore, options: SampleOptions) {
    this.#directory = directory;
    this.#store = store;
    this.#options = options;
    const manifests = manifestDirectory(directory);
    this.#read = manifestReader(manifests, {
      runtime: this.runtime,
      check: ({ model }) => versionFindings(fakeVersions, model),
      memory: this.memory,
      cache: this.planCache,
    });
    this.#watching = manifests.watch(() => void this.reload());
    this.#ticking = setInterval(() => this.#tick(), options.tickMs ?? 1000).unref();
  }

  view(): PlatformView {
    this.#view ??= this.#look();
    return this.#view;
  }

  onChange(listener: () => void): () => void {
    return this.#changed.on(listener);
  }

  events(options: { readonly after?: number; readonly limit: number }): readonly PlatformEvent[] {
    return this.#store.read(options);
  }

  onEvent(listener: (event: PlatformEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  record(event: Omit<PlatformEvent, 'id' | 'at'>): void {
    const added = this.#store.add(event);
    for (const listener of [...this.#listeners]) listener(added);
  }

  async connections(cluster?: string): Promise<readonly LiveConnection[]> {
    const names = cluster === undefined ? Object.keys(this.#planned?.plan.endpoints ?? {}) : [cluster];
    const age = Date.now() - this.#startedAt;
    return names.map((name, at) => ({
      cluster: name,
      target: at % 2 === 0 ? 'apiServer' : 'konnectivity',
      listener: 'sni',
      client: `127.0.0.1:${40_000 + at}`,
      ageMs: age,
      bytesIn: age * 2,
      bytesOut: age * 24,
    }));
  }

  async logs(scope: string, name: string, lines: number): Promise<readonly string[]> {
    const first = Math.max(0, 20 - lines);
    return Array.from({ length: 20 - first }, (_, at) => `${scope} ${name}: line ${first + at + 1} of the sample`);
  }

  followLogs(scope: string, name: string, line: (text: string) => void): () => void {
    const timer = setInterval(
      () => line(`${scope} ${name}: ${new Date().toISOString()}`),
      this.#options.tickMs ?? 1000,
    );
    return () => clearInterval(timer);
  }

  async kubeconfig(cluster: string, { person, role, ttlMs = 0 }: KubeconfigRequest): Promise<NewKubeconfig> {
    const text = `# Ends after ${ttlMs} ms.\napiVersion: v1\nkind: Config\ncurrent-context: ${cluster}-${role}\n`;
    const createdAt = Date.now();
    const issued = { id: `k${this.#lastId++}`, person, role, createdAt, endsAt: createdAt + ttlMs };
    this.#issued.set(`${cluster}/${issued.id}`, issued);
    return { ...issued, text };
  }

  async kubeconfigs(cluster: string): Promise<readonly IssuedKubeconfig[]> {
    return [...this.#issued].flatMap(([key, issued]) => (key.startsWith(`${cluster}/`) ? [issued] : []));
  }

  async revokeKubeconfig(cluster: string, id: string): Promise<boolean> {
    return this.#issued.delete(`${cluster}/${id}`);
  }

  async join(name: string, ttlMs: number): Promise<JoinInfo> {
    const planned = this.#planned;
    const cluster = planned?.model.clusters.find(({ metadata }) => metadata.name === name);
    if (planned === undefined || cluster === undefined) throw new TypeError(`${name} is not in the sample`);
    const { certificate: ca } = await createAuthority('sample', validFor(new Date(), 1));
    const expiresAt = Date.now() + ttlMs;
    const secrets = { ca, token: 'abcdef.0123456789abcdef', expiresAt, gatewayCa: ca, tunnelToken: 'sample' };
    return joinInfo(planned, cluster, secrets);
  }

  async evictNode(cluster: string, node: string): Promise<{ readonly warning?: string }> {
    this.#evictions.evict(cluster, node, Date.now());
    return {};
  }

  async readmitNode(cluster: string, node: string): Promise<boolean> {
    return this.#evictions.readmit(cluster, node, Date.now());
  }

  evictedNodes(cluster: string): readonly Eviction[] {
    return this.#evictions.of(cluster);
  }

  objections(planned: NonNullable<Reading['planned']>): Promise<readonly Finding[]> {
    return objectionsTo(planned, { data: dataIn(platformHome(this.#directory)), versions: fakeVersions });
  }

  kubernetesVersions(): Promise<OfferedVersions> {
    return fakeVersions.offered();
  }

  certificateEnd(name: string): number | undefined {
    return name === 'platform' ? undefined : this.#startedAt + 90 * 86_400_000;
  }

  expectDeletion(cluster: string): void {
    this.deletions.push(cluster);
  }

  async reload(): Promise<void> {
    this.#reading = await this.#read();
    if (!this.#reading.broken) this.#planned = this.#reading.planned;
    this.#tick();
  }

  async stop(): Promise<void> {
    clearInterval(this.#ticking);
    this.#watching.close();
    this.#changed.close();
    this.#store.close();
  }

  #tick(): void {
    this.#view = undefined;
    this.#changed.raise();
  }

  #look(): PlatformView {
    const plan = this.#planned?.plan;
    const [trouble, starting] = [new Set(this.#options.trouble), new Set(this.#options.starting)];
    const clock: SampleClock = { startedAt: this.#startedAt, now: Date.now(), trouble, starting };
    const traffic = plan === undefined ? new Map() : trafficOf(plan, clock);
    const broken = this.#reading?.broken ?? true;
    const clusters = plan === undefined ? [] : statusOf(plan, clock);
    const gateways = Object.keys(plan?.gateway ?? {}).map(
      (seed) => ({ scope: 'platform', name: `gateway-${seed}`, healthy: true }) as Observed,
    );
    const facts = { plan, broken, clusters, components: gateways, reconciliation: { done: true } };
    return {
      directory: this.#directory,
      startedAt: this.#startedAt,
      phase: 'running',
      conditions: platformConditions(facts).map((condition) => ({ ...condition, since: this.#startedAt })),
      model: this.#planned?.model,
      plan,
      findings: this.#reading?.findings ?? [],
      broken,
      clusters,
      components: plan === undefined ? [] : componentsOf(plan, clock),
      programs: this.#options.programs ?? [],
      hops: plan === undefined ? [] : hopsOf(plan, clock, traffic),
      traffic,
    };
  }
}
