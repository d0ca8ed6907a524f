// The worker side of one cluster on this machine: node agent, konnectivity agent, nodes. Everything it says to the seed
// goes through the gateway, over the way that its strategy has.
import { rmSync } from 'node:fs';
import { type Driver, type Scope, verdictOnComponent } from '../../../control-plane/index.ts';
import { hostPort } from '../../../core/host-port.ts';
import { isTrue, type Verdict, verdictStarting } from '../../../reconcile/index.ts';
import type { Log } from '../../../sys/log.ts';
import { createMutex } from '../../../sys/mutex.ts';
import type { WorkersView } from '../../platform-runtime.ts';
import { type PlatformHome, workerHome } from '../home.ts';
import type { SecretReference } from '../secret-places.ts';
import { konnectivityAgent, NodeAgent } from './agents.ts';
import { DemoKubelet } from './kubelet/demo-kubelet.ts';
import { kwok } from './kwok.ts';
import { type NameForwarder, openNameForwarder } from './proxies/connect-proxy.ts';
import type { DemoProxies } from './proxies/demo-proxies.ts';
import { targetsOf, type Upstream, upstreamsOf } from './upstreams.ts';
import { WorkerCredentials } from './worker-credentials.ts';
import type { DemoWorkers, WorkerInput, WorkerProxy } from './worker-input.ts';
import { type WorkerLayout, workerLayout } from './worker-layout.ts';

export interface DemoWorkersOptions {
  readonly cluster: string;
  readonly driver: Driver;
  readonly home: PlatformHome;
  /** Of the whole platform: clusters may share one. */
  readonly proxies: DemoProxies;
  readonly log: Log;
  /** Told when what `look` says may have changed. */
  readonly changed?: () => void;
  /** @default 40 */
  readonly leaseSeconds?: number;
  readonly now?: () => number;
}

export const createDemoWorkers = (options: DemoWorkersOptions): DemoWorkers => new Workers(options);

/** How often it is looked whether credentials are due. */
const checkMs = 1_000;
/** After an attempt that failed. */
const retryMs = 10_000;

class Workers implements DemoWorkers {
  readonly #options: DemoWorkersOptions;
  readonly #scope: Scope;
  readonly #home: string;
  readonly #now: () => number;
  readonly #credentials: WorkerCredentials;
  readonly #agent: NodeAgent;
  readonly #kubelet: DemoKubelet;
  #forwarder: NameForwarder | undefined;
  #input: WorkerInput | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** No earlier than this. */
  #renewFrom = 0;
  readonly #mutex = createMutex();

  constructor(options: DemoWorkersOptions) {
    const { cluster, home, log, now = Date.now, changed = () => {} } = options;
    this.#options = options;
    this.#scope = `worker/${cluster}`;
    this.#home = workerHome(home, cluster);
    this.#now = now;
    this.#credentials = new WorkerCredentials(now);
    this.#agent = new NodeAgent(log);
    this.#kubelet = new DemoKubelet(log, changed, now);
  }

  reconcile(input: WorkerInput): Promise<void> {
    this.#input = input;
    this.#timer ??= setInterval(() => this.#renew(), checkMs).unref();
    return this.#mutex(() => this.#apply(input));
  }

  look(): WorkersView {
    const nodeAgent = this.#agent.look();
    const nodes = this.#kubelet.look() ?? { ...verdictStarting(), ready: 0, total: this.#input?.nodes ?? 0 };
    const proxy = this.#options.proxies.look(this.#options.cluster);
    return {
      kind: 'demo',
      konnectivityAgent: this.#lookAtKonnectivity(nodes),
      nodes,
      ...(nodeAgent && { nodeAgent }),
      ...(proxy && { proxy }),
    };
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.#home, { recursive: true, force: true });
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#input = undefined;
    await this.#mutex(async () => {
      await this.#options.driver.remove(this.#scope);
      await Promise.all([this.#kubelet.stop(), this.#agent.stop(), this.#forwarder?.close()]);
      await this.#options.proxies.drop(this.#options.cluster);
      this.#forwarder = undefined;
    });
  }

  #renew(): void {
    const input = this.#input;
    if (input === undefined || this.#now() < this.#renewFrom || !this.#credentials.isDue()) return;
    // Not again before this one is over.
    this.#renewFrom = Number.POSITIVE_INFINITY;
    this.#mutex(() => this.#apply(input)).then(
      () => {
        this.#renewFrom = 0;
      },
      (error: Error) => {
        this.#renewFrom = this.#now() + retryMs;
        this.#options.log.warn(error.message);
      },
    );
  }

  async #apply(input: WorkerInput): Promise<void> {
    if (input !== this.#input) return;
    const { cluster, nodes } = input;
    const upstreams = upstreamsOf(input, await this.#applyProxy(input));
    const layout = await workerLayout(this.#home, input.networks);
    const credentials = await this.#credentials.apply(input, layout, upstreams);
    await this.#agent.apply(input, layout, upstreams.tunnel);
    const kubelet = { cluster, nodes, upstream: upstreams.apiServer, layout };
    await this.#kubelet.apply(kubelet, credentials, input.kubeletCertificate);
    const forwarder = await this.#forward(upstreams.konnectivity, layout);
    const { agent: planned } = input.konnectivity;
    const { leaseSeconds } = this.#options;
    this.#options.driver.apply(this.#scope, [
      konnectivityAgent({ cluster, layout, upstream: upstreams.konnectivity, planned, forwarder: forwarder.url }),
      kwok({ ...input, layout, ...(leaseSeconds === undefined ? {} : { leaseSeconds }) }),
    ]);
  }

  async #applyProxy(input: WorkerInput): Promise<WorkerProxy | undefined> {
    const { cluster, proxy, gateway } = input;
    const { proxies } = this.#options;
    if (proxy === undefined) return proxies.drop(cluster).then(() => undefined);
    const credentials = proxy.credentials as SecretReference | undefined;
    const desired = { url: proxy.url, targets: targetsOf(input), address: gateway.address };
    return proxies.apply(cluster, { ...desired, ...(credentials && { credentials }) });
  }

  async #forward({ serverName, dial }: Upstream, { address, ports }: WorkerLayout): Promise<NameForwarder> {
    this.#forwarder ??= await openNameForwarder({ host: address, port: ports.forwarder });
    this.#forwarder.know(new Map([[hostPort(serverName, dial.port), dial]]));
    return this.#forwarder;
  }

  #lookAtKonnectivity({ ready: _, total: __, ...nodes }: WorkersView['nodes']): Verdict {
    const found = this.#options.driver
      .look()
      .find(({ scope, name }) => scope === this.#scope && name === 'konnectivity-agent');
    if (found === undefined) return verdictStarting();
    const agent = verdictOnComponent({ why: 'it is not connected to its server', ...found });
    // It does not say itself why it is not connected; what the nodes meet on the same way is the likely cause.
    return isTrue(agent) || isTrue(nodes) ? agent : nodes;
  }
}
