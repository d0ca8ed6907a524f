// All clusters of the platform whose control planes it runs: each brought to what is planned, none in the way of another.

import type { AccountToken } from '../../control-plane/index.ts';
import type { CausewayError } from '../../core/errors.ts';
import type { Cluster, Model } from '../../model/schema/index.ts';
import type { TokenAuthority } from '../../net/index.ts';
import type {
  ClusterOptions,
  ControlPlaneUpstreams,
  GatewayKeys,
  PlatformDriver,
  PlatformRuntime,
} from '../../runtime/platform-runtime.ts';
import type { Log } from '../../sys/log.ts';
import type { EventLog } from '../event-log/event-log.ts';
import type { Evictions } from '../join/evictions.ts';
import type { JoinInfo } from '../join/join-info.ts';
import { JoinedWorkers } from '../join/joined-workers.ts';
import { controlPlaneInput, isManaged, type Planned } from './cluster-input.ts';
import { ClusterReconcilers } from './cluster-reconcilers.ts';
import { desiredWorkers } from './desired-workers.ts';
import { HostedCluster, type HostedClusterOptions } from './hosted-cluster.ts';
import { issuerAuthorities } from './issuer-ca.ts';

export interface ClustersOptions {
  readonly driver: PlatformDriver;
  readonly runtime: PlatformRuntime;
  readonly log: Log;
  readonly eventLog: EventLog;
  keysOf(seed: string): GatewayKeys | undefined;
  readonly evictions: Evictions;
  /** Which workers of a cluster this machine plays. */
  workersOf(planned: Planned, cluster: Cluster): 'demo' | 'real' | 'none';
  changed(): void;
}

/** Whoever announces a deletion removes the manifest at once; much later it is somebody else's doing. */
const announcedMs = 60_000;

export class Clusters {
  readonly #options: ClustersOptions;
  readonly #hosted = new Map<string, HostedCluster>();
  readonly #reconcilers: ClusterReconcilers;
  /** Until when the removal of its manifest means its deletion. */
  readonly #toDelete = new Map<string, number>();
  #planned: Planned | undefined;
  readonly #said = new Set<string>();
  readonly #retiring = new Map<string, Promise<void>>();
  readonly #joinedWorkers: JoinedWorkers;

  constructor(options: ClustersOptions) {
    this.#options = options;
    const { driver, changed } = options;
    this.#reconcilers = new ClusterReconcilers({ get: (name) => this.#hosted.get(name), changed });
    driver.onChange((scopes) => this.#reconcilers.wake(scopes));
    this.#joinedWorkers = new JoinedWorkers({
      ...options,
      planned: () => this.#planned,
      hosted: () => this.#hosted,
    });
  }

  get(name: string): HostedCluster | undefined {
    return this.#hosted.get(name);
  }

  expectDeletion(name: string): void {
    this.#toDelete.set(name, performance.now() + announcedMs);
  }

  join(name: string, ttlMs: number): Promise<JoinInfo> {
    return this.#joinedWorkers.join(name, ttlMs);
  }

  /** Rejects where the API server cannot be told; it is tried again then. */
  applyEvictions(name: string, wasEvicted: boolean): Promise<void> {
    return this.#joinedWorkers.applyEvictions(name, wasEvicted);
  }

  /** Who signs tokens of each. A key that two of them have says nothing, so that gateways are not told of it. */
  tokenAuthorities(): ReadonlyMap<string, TokenAuthority> {
    const found = [...this.#hosted].flatMap(([name, { controlPlane }]) => {
      const authority = controlPlane.observe().tokenAuthority;
      return authority === undefined ? [] : [[name, authority] as const];
    });
    const owners = Map.groupBy(
      found.flatMap(([, { keys }]) => keys),
      ({ id }) => id,
    );
    return new Map(found.filter(([, { keys }]) => keys.every(({ id }) => owners.get(id)?.length === 1)));
  }

  /** Where gateways reach them, by the name of the cluster. */
  upstreams(): ReadonlyMap<string, ControlPlaneUpstreams> {
    return new Map([...this.#hosted].map(([name, { controlPlane }]) => [name, controlPlane.upstreams]));
  }

  /** Those that are gone are stopped meanwhile; one of the same name waits for that. */
  async prepare(planned: Planned, wanted: readonly Cluster[]): Promise<void> {
    this.#planned = planned;
    const kept = new Set(planned.model.clusters.filter(isManaged).map(({ metadata }) => metadata.name));
    const known = new Set([...this.#hosted.keys(), ...(await this.#options.runtime.data.clusters())]);
    for (const name of known) if (!kept.has(name)) this.#retireOnce(name);
    await Promise.all(wanted.filter(isManaged).map((cluster) => this.#add(planned, cluster)));
  }

  /** After the gateways have their keys: workers need them. */
  reconcile(planned: Planned): void {
    const issuerCa = this.#readIssuerCa(planned.model);
    const tooFew = this.#options.runtime.capacityWarning(this.#hosted.size);
    if (tooFew !== undefined) this.#sayOnce('warn', tooFew);
    for (const cluster of planned.model.clusters) {
      if (this.#hosted.has(cluster.metadata.name)) this.#desire(planned, cluster, issuerCa);
    }
  }

  names(): string[] {
    return [...this.#hosted.keys()];
  }

  async stop(): Promise<void> {
    this.#joinedWorkers.stop();
    await Promise.all(this.#retiring.values());
    await this.#reconcilers.stop();
    await Promise.all([...this.#hosted.values()].map((hosted) => hosted.stop()));
  }

  #desire(planned: Planned, cluster: Cluster, issuerCa: string | undefined): void {
    const { name } = cluster.metadata;
    const input = controlPlaneInput(planned, cluster, { issuerCa });
    if (input === undefined) return;
    const kind = this.#options.workersOf(planned, cluster) === 'real' ? 'real' : 'demo';
    this.#reconcilers.desire(name, input, desiredWorkers(planned, cluster, input, kind));
  }

  /** A platform without it still works, but for people who log in there. */
  #readIssuerCa(model: Model): string | undefined {
    try {
      return issuerAuthorities(model, this.#options.runtime.bundleText);
    } catch (error) {
      this.#sayOnce('error', `${(error as CausewayError).message}: ${(error as CausewayError).fix}`);
      return undefined;
    }
  }

  #sayOnce(level: 'warn' | 'error', message: string): void {
    if (!this.#said.has(message))
      this.#options.eventLog.record({ kind: 'platform', level, subject: 'platform', message });
    this.#said.add(message);
  }

  async #add(planned: Planned, cluster: Cluster): Promise<void> {
    const { name } = cluster.metadata;
    await this.#retiring.get(name);
    if (this.#hosted.has(name)) return;
    const { runtime, driver, log, changed } = this.#options;
    const say = (message: string): void => this.#say(name, 'info', message);
    const reconcileNow = (): Promise<void> => this.#reconcilers.reconcileNow(name);
    const options: ClusterOptions = { name, driver, log, say, reconcileNow, changed };
    const controlPlane = await runtime.controlPlane(options);
    const tunnelToken = (node: string, ttlMs: number): Promise<AccountToken> =>
      this.#joinedWorkers.tokenFor(name, node, ttlMs, controlPlane);
    const kind = this.#options.workersOf(planned, cluster);
    // What an earlier run left would go on playing nodes that nobody wants.
    if (kind === 'none') await driver.remove(`worker/${name}`);
    const workers =
      kind === 'none' ? {} : { workers: await runtime.workers(kind, options, { controlPlane, tunnelToken }) };
    const state: HostedClusterOptions['state'] = (of) => this.#reconcilers.state(name, of);
    this.#hosted.set(name, new HostedCluster({ controlPlane, kind, ...workers, state }));
  }

  #retireOnce(name: string): void {
    if (this.#retiring.has(name)) return;
    const failed = (error: Error): void => this.#say(name, 'error', `${name} could not be stopped: ${error.message}`);
    const retired = this.#retire(name)
      .catch(failed)
      .finally(() => this.#retiring.delete(name));
    this.#retiring.set(name, retired);
  }

  async #retire(name: string): Promise<void> {
    const hosted = this.#hosted.get(name);
    this.#hosted.delete(name);
    await this.#reconcilers.forget(name);
    if (this.#isToBeDeleted(name)) {
      await hosted?.remove();
      await this.#options.runtime.data.remove(name);
      this.#options.evictions.forget(name);
      this.#say(name, 'info', `${name} was deleted, with all of its data`);
      return;
    }
    await hosted?.stop();
    const { driver, runtime } = this.#options;
    await Promise.all([driver.remove(`worker/${name}`), driver.remove(`cluster/${name}`)]);
    const aside = await runtime.data.setAside(name, new Date());
    if (aside !== undefined)
      this.#say(name, 'warn', `${name} has no manifest any more: stopped, its data is in ${aside}`);
  }

  #isToBeDeleted(name: string): boolean {
    const until = this.#toDelete.get(name) ?? 0;
    this.#toDelete.delete(name);
    return performance.now() < until;
  }

  #say(name: string, level: 'info' | 'warn' | 'error', message: string): void {
    this.#options.eventLog.record({ kind: 'cluster', level, subject: `Cluster/${name}`, message });
  }
}
