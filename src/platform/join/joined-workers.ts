// Machines that others bring: lets them in, and keeps what their cluster has for them. Who has such machines is known
// by the cluster itself, so that it outlives this process and a restore.

import type { AccountToken, NodeName } from '../../control-plane/index.ts';
import { CausewayError } from '../../core/errors.ts';
import { KubeError } from '../../kube/index.ts';
import type { Cluster } from '../../model/schema/index.ts';
import { clusterPlace } from '../../plan/index.ts';
import type { Plan } from '../../plan/schema/index.ts';
import { programs } from '../../programs/catalogue/index.ts';
import { isTrue } from '../../reconcile/index.ts';
import type { ControlPlane, GatewayKeys, PlatformRuntime } from '../../runtime/platform-runtime.ts';
import type { Log } from '../../sys/log.ts';
import { isManaged, type Planned } from '../cluster/cluster-input.ts';
import { noSuchCluster, notRunHere } from '../cluster/errors.ts';
import type { HostedCluster } from '../cluster/hosted-cluster.ts';
import type { Evictions } from './evictions.ts';
import { type JoinInfo, joinInfo } from './join-info.ts';

export interface JoinedWorkersOptions {
  readonly runtime: Pick<PlatformRuntime, 'proxyUrl'>;
  readonly log: Log;
  planned(): Planned | undefined;
  hosted(): ReadonlyMap<string, HostedCluster>;
  keysOf(seed: string): GatewayKeys | undefined;
  readonly evictions: Evictions;
}

/** Of tokens that nodes fetch; they ask several times a day. */
const tokenMs = 72 * 3_600_000;
const renewMs = 6 * 3_600_000;
/** After an attempt that failed. */
const retryMs = 60_000;
/** Of a node that its API server does not know yet. */
const provisionalMs = 60_000;
/** How often it is looked whether anything is due: a node that has just joined wants its token. */
const lookMs = 10_000;

export class JoinedWorkers {
  readonly #options: JoinedWorkersOptions;
  readonly #dueAt = new Map<string, number>();
  /** When the token of a node is due, by cluster, name and uid. */
  readonly #tokenDueAt = new Map<string, number>();
  /** Clusters that a node was shut out of, and whose API servers were not told yet. */
  readonly #joinTokensToRevoke = new Set<string>();
  #working = false;
  readonly #looking: NodeJS.Timeout;

  constructor(options: JoinedWorkersOptions) {
    this.#options = options;
    this.#looking = setInterval(() => void this.#look(), lookMs).unref();
  }

  /** All that a machine needs to become a worker. */
  async join(name: string, ttlMs: number): Promise<JoinInfo> {
    const { planned, cluster, hosted } = this.#find(name);
    await this.#prepare(planned.plan, name, hosted);
    const [{ ca }, token] = [
      await hosted.controlPlane.workerCredentials(),
      await hosted.controlPlane.bootstrapToken(ttlMs),
    ];
    const keys = this.#options.keysOf(planned.plan.endpoints[name]?.seed ?? '');
    const url = this.#proxyUrl(planned.plan, name);
    return joinInfo(planned, cluster, {
      ca,
      token,
      expiresAt: Date.now() + ttlMs,
      ...(url === undefined ? {} : { proxyUrl: url }),
      gatewayCa: keys?.authority ?? '',
      tunnelToken: keys?.token(name, ttlMs) ?? '',
    });
  }

  /** Renews what clusters with such machines have for them. */
  async renewDue(now: number): Promise<void> {
    for (const [name, hosted] of this.#options.hosted()) {
      const plan = this.#options.planned()?.plan;
      if (plan === undefined || !isTrue(hosted.controlPlaneReady())) continue;
      await this.#renewOne(plan, name, hosted, now).catch((error: Error) =>
        this.#options.log.warn(`what joined nodes need could not be renewed: ${error.message}`, { cluster: name }),
      );
    }
  }

  /** For the agent of a node that this machine plays. */
  async tokenFor(name: string, node: string, ttlMs: number, controlPlane: ControlPlane): Promise<AccountToken> {
    if (this.#options.evictions.isEvicted(name, node)) throw evicted(name, node);
    try {
      return await controlPlane.nodeToken(node, ttlMs);
    } catch (error) {
      if (!(error instanceof KubeError && error.status === 404)) throw error;
      const seed = this.#options.planned()?.plan.endpoints[name]?.seed ?? '';
      const token = this.#options.keysOf(seed)?.token(name, provisionalMs, node) ?? '';
      return { token, expiresAt: Date.now() + provisionalMs };
    }
  }

  /**
   * What the API server of a cluster can do where a node was shut out, or may come in again. Rejects where it does not
   * answer; it is tried again by itself.
   */
  async applyEvictions(name: string, wasEvicted: boolean): Promise<void> {
    this.#dueAt.delete(name);
    if (wasEvicted) this.#joinTokensToRevoke.add(name);
    const { hosted, planned } = this.#find(name);
    await this.#renewOne(planned.plan, name, hosted, Date.now());
  }

  async #look(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    await this.renewDue(Date.now()).finally(() => {
      this.#working = false;
    });
  }

  stop(): void {
    clearInterval(this.#looking);
  }

  async #renewOne(plan: Plan, name: string, hosted: HostedCluster, now: number): Promise<void> {
    if (now >= (this.#dueAt.get(name) ?? 0)) {
      const { controlPlane } = hosted;
      if (this.#joinTokensToRevoke.has(name)) await controlPlane.revokeJoinTokens();
      this.#joinTokensToRevoke.delete(name);
      await controlPlane.applyEvictions(this.#options.evictions.of(name).map(({ node }) => node));
      if (await controlPlane.hasJoinedWorkers()) await this.#prepare(plan, name, hosted);
      this.#dueAt.set(name, now + renewMs);
    }
    if (plan.endpoints[name]?.tunnel?.authentication === 'token') await this.#renewTokens(name, hosted, now);
  }

  /** One after the other: a cluster may have many nodes. */
  async #renewTokens(name: string, { controlPlane }: HostedCluster, now: number): Promise<void> {
    const keyOf = ({ name: node, uid }: NodeName): string => `${name} ${node} ${uid}`;
    const isDue = (node: NodeName): boolean => now >= (this.#tokenDueAt.get(keyOf(node)) ?? 0);
    for (const node of controlPlane.joinedNodes().filter(isDue)) {
      if (this.#options.evictions.isEvicted(name, node.name)) continue;
      // Should it fail, it is tried again then, and not at every look.
      this.#tokenDueAt.set(keyOf(node), now + retryMs);
      await controlPlane.giveNodeToken(node, tokenMs);
      this.#tokenDueAt.set(keyOf(node), now + renewMs);
    }
  }

  async #prepare(plan: Plan, name: string, hosted: HostedCluster): Promise<void> {
    const [endpoint, konnectivity] = [plan.endpoints[name], plan.konnectivity[name]];
    if (endpoint === undefined || konnectivity === undefined) return;
    const proxy = konnectivity.agent.viaProxy ? this.#proxyUrl(plan, name) : undefined;
    const { evictions, keysOf } = this.#options;
    const isShared = !evictions.hasAny(name) && (await hosted.controlPlane.hasSharedToken());
    const token = endpoint.tunnel && isShared ? keysOf(endpoint.seed)?.token(name, tokenMs) : undefined;
    await hosted.controlPlane.applyJoinedWorkers({
      konnectivity,
      image: agentImage(plan, name),
      ...(proxy === undefined ? {} : { proxy }),
      ...(token === undefined ? {} : { sharedToken: token }),
    });
    this.#dueAt.set(name, Date.now() + renewMs);
  }

  #proxyUrl(plan: Plan, name: string): string | undefined {
    const place = plan.proxy.places[clusterPlace(name, 'nodes')];
    const url = place?.https ?? place?.http;
    if (place === undefined || url === undefined) return undefined;
    return this.#options.runtime.proxyUrl({ url, credentials: place.credentials });
  }

  #find(name: string): { readonly planned: Planned; readonly cluster: Cluster; readonly hosted: HostedCluster } {
    const planned = this.#options.planned();
    const known = planned?.model.clusters ?? [];
    const cluster = known.find(({ metadata }) => metadata.name === name);
    if (planned === undefined || cluster === undefined)
      throw noSuchCluster(
        name,
        known.map(({ metadata }) => metadata.name),
      );
    const hosted = this.#options.hosted().get(name);
    if (hosted === undefined || !isManaged(cluster)) throw notRunHere(name);
    const ready = hosted.controlPlaneReady();
    if (!isTrue(ready)) throw notReady(name, ready.message);
    return { planned, cluster, hosted };
  }
}

/** As the allow-list names it, from a registry of the platform's own where it has one. */
function agentImage({ egress }: Plan, cluster: string): string {
  const entry = egress.entries.find(
    ({ component, clusters }) => component === 'konnectivity agent' && clusters.includes(cluster),
  );
  const [image = 'registry.k8s.io/kas-network-proxy/proxy-agent'] = entry?.images ?? [];
  return `${image}:v${programs['konnectivity-agent'].versions[0]}`;
}

const evicted = (cluster: string, node: string): CausewayError =>
  new CausewayError(
    'CW-NODE-EVICTED',
    `node ${node} was evicted from ${cluster}`,
    `"causeway cluster readmit-node ${cluster} ${node}" takes it back`,
  );

const notReady = (name: string, reason: string): CausewayError =>
  new CausewayError(
    'CW-JOIN-NOT-READY',
    `nothing can join ${name} yet: ${reason}`,
    'wait until causeway status shows it as ready, and try again',
  );
