// Brings gateways, control planes and workers to what is planned, and tells how far they are.
import type { IssuedKubeconfig, KubeconfigRequest, NewKubeconfig, Observed } from '../control-plane/index.ts';
import { CausewayError } from '../core/errors.ts';
import { byName } from '../core/names.ts';
import { sameJson } from '../core/same-json.ts';
import type { Cluster } from '../model/schema/index.ts';
import type { TokenAuthority } from '../net/index.ts';
import { Reconciler, type ReconcileState, type Result, reconciled } from '../reconcile/index.ts';
import type { ControlPlane, PlatformDriver, PlatformRuntime, PlatformState } from '../runtime/platform-runtime.ts';
import type { Log } from '../sys/log.ts';
import { accessOf, gatewayAddresses } from './cluster/access.ts';
import { isManaged, type Planned } from './cluster/cluster-input.ts';
import type { ClusterParts } from './cluster/cluster-status.ts';
import { Clusters } from './cluster/clusters.ts';
import { proxyOf } from './cluster/desired-workers.ts';
import { noSuchCluster, notRunHere } from './cluster/errors.ts';
import { ExternalWatch } from './cluster/external-watch.ts';
import { StartTracker } from './cluster/start-tracker.ts';
import { createStatuses } from './cluster/statuses.ts';
import type { EventLog } from './event-log/event-log.ts';
import { Gateways } from './gateway/gateways.ts';
import type { SeedGateway } from './gateway/seed-gateway.ts';
import { type HopFacts, hopsOf } from './hops.ts';
import { type Eviction, Evictions } from './join/evictions.ts';
import type { JoinInfo } from './join/join-info.ts';
import { type LastWorked, openLastWorked } from './last-worked.ts';
import { segmentIds } from './planned-paths.ts';
import type { LiveConnection, PlatformView } from './view.ts';

export type WorkersChoice = 'demo' | 'real' | 'none';

export interface PlatformReconcilerOptions {
  readonly clusters?: readonly string[];
  readonly workers?: WorkersChoice;
  readonly log: Log;
  readonly runtime: PlatformRuntime;
  readonly state: PlatformState;
  readonly eventLog: EventLog;
  changed(): void;
}

interface Live extends Pick<PlatformView, 'clusters' | 'components' | 'programs' | 'hops' | 'traffic'> {
  readonly reconciliation: ReconcileState;
}

/** There is one plan. */
const key = 'platform';
/** One is enough for a machine, and each costs memory. */
const gatewayWorkers = 1;

export class PlatformReconciler {
  readonly driver: PlatformDriver;
  readonly #options: PlatformReconcilerOptions;
  readonly #gateways: Gateways;
  readonly #clusters: Clusters;
  readonly #externals: ExternalWatch;
  readonly #reconciler: Reconciler<Planned>;
  readonly #lastWorked: LastWorked;
  readonly #evictions: Evictions;
  /** What gateways were told last. */
  #tokenAuthorities: ReadonlyMap<string, TokenAuthority> = new Map();
  readonly #statuses = createStatuses();
  readonly #starts = new StartTracker();
  readonly #startedAt = Date.now();
  readonly #reconciledOnce = Promise.withResolvers<void>();
  #planned: Planned | undefined;

  constructor(options: PlatformReconcilerOptions) {
    const { log, runtime, state, eventLog, changed } = options;
    this.#options = options;
    this.driver = runtime.driver({ log, changed });
    this.driver.onChange(changed);
    this.#gateways = new Gateways({ runtime, log, changed, workers: gatewayWorkers });
    this.#externals = new ExternalWatch(changed);
    this.#evictions = new Evictions(state);
    this.#lastWorked = openLastWorked(state);
    this.#clusters = new Clusters({
      log,
      runtime,
      eventLog,
      changed,
      driver: this.driver,
      keysOf: (seed) => this.#gateways.keysOf(seed),
      evictions: this.#evictions,
      workersOf: (planned, cluster) => this.#workersOf(planned, cluster),
    });
    this.#reconciler = new Reconciler({
      reconcile: (_, planned) => this.#reconcile(planned),
      changed,
      same: Object.is,
    });
  }

  desire(planned: Planned): void {
    this.#planned = planned;
    this.#lastWorked.keepOnly(segmentIds(planned.plan));
    this.#starts.keepOnly(new Set(planned.model.clusters.map(nameOf)));
    this.#reconciler.desire(key, planned);
  }

  /** All control planes run as far as they can without this process. */
  async underWay(): Promise<void> {
    await this.#reconciledOnce.promise;
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = (): void => {
      if (this.#haveApiServers()) resolve();
    };
    const forget = this.driver.onChange(look);
    look();
    await promise.finally(forget);
  }

  #haveApiServers(): boolean {
    const isIt = ({ name, instance }: Observed): boolean => name === 'kube-apiserver' && instance !== undefined;
    const there = new Set(
      this.driver
        .look()
        .filter(isIt)
        .map(({ scope }) => scope),
    );
    return this.#clusters.names().every((name) => there.has(`cluster/${name}`));
  }

  expectDeletion(cluster: string): void {
    this.#clusters.expectDeletion(cluster);
  }

  connections(cluster: string | undefined): Promise<LiveConnection[]> {
    return this.#gateways.connections(cluster);
  }

  refresh(): Promise<void> {
    // A control plane has its keys a while after its gateway was started.
    const found = this.#clusters.tokenAuthorities();
    if (!sameJson([...found], [...this.#tokenAuthorities])) this.#reconciler.wake(key);
    return this.#gateways.refresh();
  }

  async kubeconfig(cluster: string, request: KubeconfigRequest): Promise<NewKubeconfig> {
    const access = this.#planned && accessOf(this.#planned.plan, cluster);
    if (access === undefined) throw this.#noKubeconfig(cluster);
    return this.#controlPlane(cluster).kubeconfig(request, access);
  }

  async kubeconfigs(cluster: string): Promise<readonly IssuedKubeconfig[]> {
    return this.#controlPlane(cluster).kubeconfigs();
  }

  async revokeKubeconfig(cluster: string, id: string): Promise<boolean> {
    return this.#controlPlane(cluster).revokeKubeconfig(id);
  }

  join(cluster: string, ttlMs: number): Promise<JoinInfo> {
    return this.#clusters.join(cluster, ttlMs);
  }

  async evictNode(cluster: string, node: string): Promise<{ readonly warning?: string }> {
    this.#controlPlane(cluster);
    this.#evictions.evict(cluster, node, Date.now());
    this.#record(cluster, `node ${node} was evicted: its agent and its kubelet are shut out`);
    return this.#applyEvictions(cluster, true);
  }

  async readmitNode(cluster: string, node: string): Promise<boolean> {
    this.#controlPlane(cluster);
    if (!this.#evictions.readmit(cluster, node, Date.now())) return false;
    this.#record(cluster, `node ${node} may come in again, by tokens that are issued from now on`);
    await this.#applyEvictions(cluster, false);
    return true;
  }

  evictedNodes(cluster: string): readonly Eviction[] {
    this.#controlPlane(cluster);
    return this.#evictions.of(cluster);
  }

  /** The gateway first: it needs nobody else. */
  async #applyEvictions(cluster: string, wasEvicted: boolean): Promise<{ readonly warning?: string }> {
    await this.#reconciler.run(key);
    const { failure } = this.#reconciler.state(key);
    if (failure !== undefined)
      throw new CausewayError(failure.reason, failure.message, failure.fix ?? 'it is tried again');
    try {
      await this.#clusters.applyEvictions(cluster, wasEvicted);
      return {};
    } catch (error) {
      const why = (error as Error).message;
      return {
        warning: `the API server of ${cluster} could not be told yet, and is told as soon as it answers: ${why}`,
      };
    }
  }

  #record(cluster: string, message: string): void {
    this.#options.eventLog.record({ kind: 'access', level: 'warn', subject: `Cluster/${cluster}`, message });
  }

  look(): Live {
    const [planned, running] = [this.#planned, this.driver.look()];
    // By part of the platform, not by who was started first: the order is the same at every start.
    const gateways = this.#gateways.all().map((gateway) => gateway.observe());
    const own = this.#options.runtime.ownComponents(gateways, this.#startedAt);
    const components = [...own, ...running].sort((a, b) => byName(a.scope, b.scope));
    const programs = this.driver.getting();
    const reconciliation = this.#reconciler.state(key);
    if (planned === undefined)
      return { clusters: [], components, programs, hops: [], traffic: new Map(), reconciliation };
    const traffic = this.#gateways.traffic();
    const selected = this.#selected(planned);
    const ofScope = Map.groupBy(running, ({ scope }): string => scope);
    const clusters = this.#statuses({
      planned,
      clusters: selected,
      externalVersion: this.#externals.version,
      gatewaysWell: Object.keys(planned.plan.gateway).every((seed) => isWell(this.#gateways.of(seed))),
      partsOf: (cluster) => this.#partsOf(planned, cluster, ofScope),
    });
    const starting = new Set(clusters.flatMap(({ name, phase }) => (phase === 'starting' ? [name] : [])));
    return {
      clusters,
      components,
      programs,
      hops: hopsOf(this.#hopFacts(planned, traffic, starting), selected.map(nameOf)),
      traffic: new Map([...traffic].map(([name, { all }]) => [name, all])),
      reconciliation,
    };
  }

  async stop(): Promise<void> {
    await this.#reconciler.stop();
    this.#externals.stop();
    await this.#clusters.stop();
    await this.driver.stop();
    await this.#gateways.stop();
    this.#lastWorked.close();
  }

  async #reconcile(planned: Planned): Promise<Result> {
    const wanted = this.#selected(planned);
    const { runtime, log } = this.#options;
    if (!wanted.some((cluster) => this.#workersOf(planned, cluster) === 'real')) await runtime.releaseWorkers(log);
    const served = new Set(wanted.map(nameOf));
    await this.#clusters.prepare(planned, wanted);
    await this.#gateways.prepare(planned.plan);
    // Control planes take longest, so they begin first.
    this.#clusters.reconcile(planned);
    this.#reconciledOnce.resolve();
    this.#tokenAuthorities = this.#clusters.tokenAuthorities();
    await this.#gateways.reconcile(planned.plan, {
      upstreams: this.#clusters.upstreams(),
      tokenAuthorities: this.#tokenAuthorities,
      revocations: (name) => this.#evictions.snapshotOf(name),
      isServed: (name) => served.has(name),
    });
    this.#externals.want(
      wanted.filter((cluster) => !isManaged(cluster)).map((cluster) => externalOf(planned, cluster)),
    );
    return reconciled;
  }

  #selected({ model }: Planned): readonly Cluster[] {
    const { clusters } = this.#options;
    return clusters === undefined ? model.clusters : model.clusters.filter((one) => clusters.includes(nameOf(one)));
  }

  #workersOf(planned: Planned, cluster: Cluster): WorkersChoice {
    const { workers } = this.#options;
    if (workers === 'real') return realClusterOf(planned, this.#selected(planned)) === cluster ? 'real' : 'demo';
    return workers ?? (this.#isLocal(planned, cluster) ? 'demo' : 'none');
  }

  #isLocal({ plan }: Planned, cluster: Cluster): boolean {
    const addresses = gatewayAddresses(plan, plan.endpoints[nameOf(cluster)]?.seed ?? '');
    return addresses.length > 0 && addresses.every((address) => this.#options.runtime.isLocal(address));
  }

  #partsOf({ plan }: Planned, cluster: Cluster, ofScope: ReadonlyMap<string, readonly Observed[]>): ClusterParts {
    const name = nameOf(cluster);
    return {
      gateway: this.#gateways.of(plan.endpoints[name]?.seed ?? ''),
      hosted: this.#clusters.get(name),
      external: this.#externals.get(name),
      components: [`cluster/${name}`, `worker/${name}`].flatMap((scope) => ofScope.get(scope) ?? []),
      starts: this.#starts,
      now: Date.now(),
      elapsed: performance.now(),
    };
  }

  #hopFacts({ plan }: Planned, traffic: ReturnType<Gateways['traffic']>, starting: ReadonlySet<string>): HopFacts {
    const now = Date.now();
    return {
      plan,
      traffic,
      gateway: (seed) => this.#gateways.of(seed),
      upstreams: (name) => this.#clusters.get(name)?.controlPlane.upstreams,
      controlPlane: (name) => this.#clusters.get(name)?.controlPlaneReady() ?? this.#externals.get(name),
      workers: (name) => this.#clusters.get(name)?.observedWorkers(),
      lastWorked: (id, healthy) => this.#lastWorked.seen(id, healthy, now),
      hasWorked: (id) => this.#lastWorked.hasWorked(id),
      isStarting: (name) => starting.has(name),
    };
  }

  #controlPlane(cluster: string): ControlPlane {
    const hosted = this.#clusters.get(cluster);
    if (hosted === undefined) throw this.#noKubeconfig(cluster);
    return hosted.controlPlane;
  }

  #noKubeconfig(cluster: string): CausewayError {
    const known = (this.#planned?.model.clusters ?? []).map(nameOf);
    return known.includes(cluster) ? notRunHere(cluster) : noSuchCluster(cluster, known);
  }
}

/** One machine is one worker: that of the first cluster whose pods need the node agent, and that no proxy is before. */
const realClusterOf = ({ plan }: Planned, clusters: readonly Cluster[]): Cluster | undefined =>
  clusters.filter(isManaged).find((one) => {
    const name = nameOf(one);
    return plan.endpoints[name]?.tunnel !== undefined && proxyOf(plan, name) === undefined;
  });

const isWell = (gateway: SeedGateway | undefined): boolean =>
  gateway?.healthy === true && gateway.clusterProblems.size === 0;

const nameOf = ({ metadata }: Cluster): string => metadata.name;

const externalOf = ({ plan }: Planned, cluster: Cluster): { name: string; backends: string[]; serverName?: string } => {
  const name = nameOf(cluster);
  const serverName = plan.endpoints[name]?.externalName ?? undefined;
  const backends = cluster.spec.controlPlane?.external?.apiServer ?? [];
  return { name, backends, ...(serverName === undefined ? {} : { serverName }) };
};
