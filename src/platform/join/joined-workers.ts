// Machines that others bring: lets them in, and keeps what their cluster has for them. Who has such machines is known
// by the cluster itself, so that it outlives this process and a restore.

import { CausewayError } from '../../core/errors.ts';
import type { Cluster } from '../../model/schema/index.ts';
import { clusterPlace } from '../../plan/index.ts';
import type { Plan } from '../../plan/schema/index.ts';
import { programs } from '../../programs/catalogue/index.ts';
import { isTrue } from '../../reconcile/index.ts';
import type { GatewayKeys, PlatformRuntime } from '../../runtime/platform-runtime.ts';
import type { Log } from '../../sys/log.ts';
import { isManaged, type Planned } from '../cluster/cluster-input.ts';
import { noSuchCluster, notRunHere } from '../cluster/errors.ts';
import type { HostedCluster } from '../cluster/hosted-cluster.ts';
import { type JoinInfo, joinInfo } from './join-info.ts';

export interface JoinedWorkersOptions {
  readonly runtime: Pick<PlatformRuntime, 'proxyUrl'>;
  readonly log: Log;
  planned(): Planned | undefined;
  hosted(): ReadonlyMap<string, HostedCluster>;
  keysOf(seed: string): GatewayKeys | undefined;
}

/** Of the token that nodes fetch; they ask several times a day. */
const tokenMs = 72 * 3_600_000;
const renewMs = 6 * 3_600_000;
/** How often it is looked whether anything is due. */
const lookMs = 60_000;

export class JoinedWorkers {
  readonly #options: JoinedWorkersOptions;
  readonly #dueAt = new Map<string, number>();
  readonly #looking: NodeJS.Timeout;

  constructor(options: JoinedWorkersOptions) {
    this.#options = options;
    this.#looking = setInterval(() => void this.renewDue(Date.now()), lookMs).unref();
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
      if (plan === undefined || now < (this.#dueAt.get(name) ?? 0) || !isTrue(hosted.controlPlaneReady())) continue;
      await this.#renewOne(plan, name, hosted).catch((error: Error) =>
        this.#options.log.warn(`what joined nodes need could not be renewed: ${error.message}`, { cluster: name }),
      );
    }
  }

  stop(): void {
    clearInterval(this.#looking);
  }

  async #renewOne(plan: Plan, name: string, hosted: HostedCluster): Promise<void> {
    if (await hosted.controlPlane.hasJoinedWorkers()) await this.#prepare(plan, name, hosted);
    this.#dueAt.set(name, Date.now() + renewMs);
  }

  async #prepare(plan: Plan, name: string, hosted: HostedCluster): Promise<void> {
    const [endpoint, konnectivity] = [plan.endpoints[name], plan.konnectivity[name]];
    if (endpoint === undefined || konnectivity === undefined) return;
    const proxy = konnectivity.agent.viaProxy ? this.#proxyUrl(plan, name) : undefined;
    const token = endpoint.tunnel && this.#options.keysOf(endpoint.seed)?.token(name, tokenMs);
    await hosted.controlPlane.applyJoinedWorkers({
      konnectivity,
      image: agentImage(plan, name),
      ...(proxy === undefined ? {} : { proxy }),
      ...(token === undefined ? {} : { tunnelToken: token }),
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

const notReady = (name: string, reason: string): CausewayError =>
  new CausewayError(
    'CW-JOIN-NOT-READY',
    `nothing can join ${name} yet: ${reason}`,
    'wait until causeway status shows it as ready, and try again',
  );
