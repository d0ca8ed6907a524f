// Proxies between demo workers and the gateway. One whose address is on loopback is the demo's own and is run here: squid
// where it is installed, else ours. Any other is somebody else's, and only its credentials are looked up.
import type { Driver } from '../../../../control-plane/component.ts';
import type { PlatformHome } from '../../../../control-plane/home.ts';
import type { SecretReference } from '../../../../control-plane/secret-places.ts';
import type { Credentials } from '../../../../net/connect-head.ts';
import type { HostPort } from '../../../../net/host-port.ts';
import { parseProxyUrl } from '../../../../net/proxy-dial/proxy-url.ts';
import { createMutex } from '../../../../sys/mutex.ts';
import type { Health, WorkerProxy } from '../worker-input.ts';
import { OwnProxy } from './demo-proxy.ts';
import { proxyCredentials } from './proxy-credentials.ts';
import { createSquidShelf, findSquid, type SquidPrograms, SquidProxy, type SquidShelf } from './squid.ts';

/** What a cluster's workers want of a proxy. */
export interface ProxyWish {
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
  bring(cluster: string, wish: ProxyWish): Promise<WorkerProxy>;
  /** Undefined where it is somebody else's. */
  look(cluster: string): Health | undefined;
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
export interface ProxyTold {
  readonly listen: HostPort;
  readonly credentials: Credentials;
  readonly connectPorts: readonly number[];
  readonly hosts: ReadonlyMap<string, string>;
}

export interface LocalProxy {
  bring(told: ProxyTold): Promise<void>;
  look(): Health;
  stop(): Promise<void>;
}

export const createDemoProxies = (options: DemoProxiesOptions): DemoProxies => new Proxies(options);

class Proxies implements DemoProxies {
  readonly #options: DemoProxiesOptions;
  readonly #shelf: SquidShelf;
  readonly #wishes = new Map<string, ProxyWish>();
  readonly #running = new Map<string, LocalProxy>();
  /** Clusters that start together want the same proxy, which is started once. */
  readonly #mutex = createMutex();

  constructor(options: DemoProxiesOptions) {
    this.#options = options;
    this.#shelf = createSquidShelf(options.driver);
  }

  bring(cluster: string, wish: ProxyWish): Promise<WorkerProxy> {
    return this.#mutex(() => this.#bring(cluster, wish));
  }

  drop(cluster: string): Promise<void> {
    return this.#mutex(() => this.#drop(cluster));
  }

  look(cluster: string): Health | undefined {
    return this.#running.get(this.#wishes.get(cluster)?.url ?? '')?.look();
  }

  async #bring(cluster: string, wish: ProxyWish): Promise<WorkerProxy> {
    const credentials = wish.credentials && proxyCredentials(wish.credentials, this.#options);
    const left = this.#wishes.get(cluster)?.url;
    this.#wishes.set(cluster, wish);
    if (left !== undefined && left !== wish.url) await this.#tidy(left);
    if (isOurs(wish.url)) await this.#proxyAt(wish.url).bring(this.#toldOf(wish.url, credentials ?? nobody));
    return { url: wish.url, ...(credentials && { credentials }) };
  }

  async #drop(cluster: string): Promise<void> {
    const { url } = this.#wishes.get(cluster) ?? {};
    this.#wishes.delete(cluster);
    if (url !== undefined) await this.#tidy(url);
  }

  /** Without anybody who wants it, it ends. */
  async #tidy(url: string): Promise<void> {
    if ([...this.#wishes.values()].some((wish) => wish.url === url)) return;
    const running = this.#running.get(url);
    this.#running.delete(url);
    await running?.stop();
  }

  #proxyAt(url: string): LocalProxy {
    const known = this.#running.get(url);
    if (known !== undefined) return known;
    const { home, squid = findSquid() ?? 'never' } = this.#options;
    const made = squid === 'never' ? new OwnProxy() : new SquidProxy(squid, this.#shelf, home.state);
    this.#running.set(url, made);
    return made;
  }

  #toldOf(url: string, credentials: Credentials): ProxyTold {
    const wishes = [...this.#wishes.values()].filter((wish) => wish.url === url);
    const ports = wishes.flatMap(({ targets }) => targets.map(({ port }) => port));
    const hosts = wishes.flatMap(({ targets, address }) => targets.map(({ host }) => [host, address] as const));
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
