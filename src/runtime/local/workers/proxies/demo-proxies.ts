// Proxies between demo workers and the gateway. One whose address is on loopback is the demo's own and is run here: squid
// where it is installed, else ours. Any other is somebody else's, and only its credentials are looked up.
import type { Driver } from '../../../../control-plane/index.ts';
import type { HostPort } from '../../../../core/host-port.ts';
import { type Credentials, parseProxyUrl } from '../../../../net/index.ts';
import type { Verdict } from '../../../../reconcile/index.ts';
import { createMutex } from '../../../../sys/mutex.ts';
import type { PlatformHome } from '../../home.ts';
import type { SecretReference } from '../../secret-places.ts';
import type { WorkerProxy } from '../worker-input.ts';
import { DemoProxy } from './demo-proxy.ts';
import { proxyCredentials } from './proxy-credentials.ts';
import { createSquidComponents, findSquid, type SquidComponents, type SquidPrograms, SquidProxy } from './squid.ts';

/** What a cluster's workers want of a proxy. */
export interface DesiredProxy {
  /** http://host:port, without credentials. */
  readonly url: string;
  readonly credentials?: SecretReference;
  /** Names that they ask it for, with the ports. */
  readonly targets: readonly HostPort[];
  /** Where these names are. */
  readonly address: string;
}

export interface DemoProxies {
  /** Starts or changes it, where it is ours. */
  apply(cluster: string, desired: DesiredProxy): Promise<WorkerProxy>;
  /** Undefined where it is somebody else's. */
  look(cluster: string): Verdict | undefined;
  drop(cluster: string): Promise<void>;
}

export interface DemoProxiesOptions {
  readonly driver: Driver;
  readonly home: PlatformHome;
  /** Directory of the manifests. */
  readonly manifests: string;
  /** @default squid where it is installed */
  readonly squid?: SquidPrograms | 'never';
}

/** What a proxy that runs here is told. */
export interface ProxyConfig {
  readonly listen: HostPort;
  readonly credentials: Credentials;
  readonly connectPorts: readonly number[];
  readonly hosts: ReadonlyMap<string, string>;
}

export interface LocalProxy {
  apply(config: ProxyConfig): Promise<void>;
  look(): Verdict;
  stop(): Promise<void>;
}

export const createDemoProxies = (options: DemoProxiesOptions): DemoProxies => new Proxies(options);

class Proxies implements DemoProxies {
  readonly #options: DemoProxiesOptions;
  readonly #components: SquidComponents;
  readonly #desired = new Map<string, DesiredProxy>();
  readonly #running = new Map<string, LocalProxy>();
  /** Clusters that start together want the same proxy, which is started once. */
  readonly #mutex = createMutex();

  constructor(options: DemoProxiesOptions) {
    this.#options = options;
    this.#components = createSquidComponents(options.driver);
  }

  apply(cluster: string, desired: DesiredProxy): Promise<WorkerProxy> {
    return this.#mutex(() => this.#apply(cluster, desired));
  }

  drop(cluster: string): Promise<void> {
    return this.#mutex(() => this.#drop(cluster));
  }

  look(cluster: string): Verdict | undefined {
    return this.#running.get(this.#desired.get(cluster)?.url ?? '')?.look();
  }

  async #apply(cluster: string, desired: DesiredProxy): Promise<WorkerProxy> {
    const credentials = desired.credentials && proxyCredentials(desired.credentials, this.#options);
    const left = this.#desired.get(cluster)?.url;
    this.#desired.set(cluster, desired);
    if (left !== undefined && left !== desired.url) await this.#tidy(left);
    if (isOurs(desired.url)) await this.#proxyAt(desired.url).apply(this.#configOf(desired.url, credentials ?? nobody));
    return { url: desired.url, ...(credentials && { credentials }) };
  }

  async #drop(cluster: string): Promise<void> {
    const { url } = this.#desired.get(cluster) ?? {};
    this.#desired.delete(cluster);
    if (url !== undefined) await this.#tidy(url);
  }

  /** Without anybody who wants it, it ends. */
  async #tidy(url: string): Promise<void> {
    if ([...this.#desired.values()].some((desired) => desired.url === url)) return;
    const running = this.#running.get(url);
    this.#running.delete(url);
    await running?.stop();
  }

  #proxyAt(url: string): LocalProxy {
    const known = this.#running.get(url);
    if (known !== undefined) return known;
    const { home, squid = findSquid() ?? 'never' } = this.#options;
    const made = squid === 'never' ? new DemoProxy() : new SquidProxy(squid, this.#components, home.state);
    this.#running.set(url, made);
    return made;
  }

  #configOf(url: string, credentials: Credentials): ProxyConfig {
    const desired = [...this.#desired.values()].filter((desired) => desired.url === url);
    const ports = desired.flatMap(({ targets }) => targets.map(({ port }) => port));
    const hosts = desired.flatMap(({ targets, address }) => targets.map(({ host }) => [host, address] as const));
    const { host, port } = parseProxyUrl(url);
    return {
      listen: { host, port },
      credentials,
      connectPorts: [...new Set(ports)].sort((a, b) => a - b),
      hosts: new Map(hosts.sort(([a], [b]) => (a < b ? -1 : 1))),
    };
  }
}

const isOurs = (url: string): boolean => /^127\./.test(new URL(url).hostname);

/** A proxy that nobody may use without a password is what the demo shows; where none is written, this one is nobody's. */
const nobody: Credentials = { user: 'nobody', password: '' };
