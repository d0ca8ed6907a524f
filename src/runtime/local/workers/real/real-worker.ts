// One real worker: kubelet, containerd and kube-proxy on a network of its own, behind the firewall of the plan.
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type Driver, realNodeName, type Scope, verdictOnComponent } from '../../../../control-plane/index.ts';
import { CausewayError } from '../../../../core/errors.ts';
import type { ProgramOptions } from '../../../../programs/index.ts';
import { isTrue, type Verdict, verdictStarting } from '../../../../reconcile/index.ts';
import type { Log } from '../../../../sys/log.ts';
import { createMutex } from '../../../../sys/mutex.ts';
import type { WorkersView } from '../../../platform-runtime.ts';
import type { PlatformHome } from '../../home.ts';
import { type Upstream, upstreamsOf } from '../upstreams.ts';
import { konnectivityAgent, nodeAgent } from './agents.ts';
import { containerd } from './containerd.ts';
import { clusterCaFile, kubelet, kubeProxy, kubeProxyTokenFile } from './kubelet.ts';
import { type Layout, layoutOf, namespaceFile } from './layout.ts';
import { needInotify, needKernel, needTools } from './machine.ts';
import { type NodeWatch, watchNode } from './node-watch.ts';
import { getPrograms, type RealWorkerInput, type Secrets } from './parts.ts';
import { prepare } from './prepare.ts';
import { release } from './registry.ts';

interface RealWorkerOptions {
  readonly cluster: string;
  readonly driver: Driver;
  readonly home: PlatformHome;
  readonly log: Log;
  /** Told when what `look` says may have changed. */
  readonly changed?: () => void;
  readonly programs?: ProgramOptions;
}

export interface RealWorker {
  /** Brings it to this; rejects with a `CausewayError` where this machine cannot have one. */
  reconcile(input: RealWorkerInput): Promise<void>;
  look(): WorkersView;
  /** Ends it; the node's identity and its images stay for the next start. */
  stop(): Promise<void>;
  /** Ends it and forgets it. */
  remove(): Promise<void>;
}

export const createRealWorker = (options: RealWorkerOptions): RealWorker => new Worker(options);

const tunnelTokenMs = 60 * 60_000;

class Worker implements RealWorker {
  readonly #options: RealWorkerOptions;
  readonly #layout: Layout;
  readonly #scope: Scope;
  readonly #renewal: Renewal;
  #doing: string | undefined = 'it has not been started';
  #watch: NodeWatch | undefined;
  readonly #mutex = createMutex();

  constructor(options: RealWorkerOptions) {
    this.#options = options;
    this.#layout = layoutOf(options.home, options.cluster);
    this.#scope = `worker/${options.cluster}`;
    this.#renewal = new Renewal(options.log);
  }

  reconcile(input: RealWorkerInput): Promise<void> {
    return this.#mutex(() => this.#apply(input));
  }

  look(): WorkersView {
    const components = this.#options.driver.look().filter(({ scope }) => scope === this.#scope);
    const verdictOn = (name: string): Verdict | undefined => {
      const found = components.find((component) => component.name === name);
      return found && verdictOnComponent(found);
    };
    const notYet = verdictStarting(this.#doing);
    const agent = verdictOn('node-agent');
    const ill = components.find(({ healthy }) => !healthy);
    const nodes = this.#watch?.look() ?? { ...notYet, ready: 0, total: 1 };
    return {
      kind: 'real',
      ...(agent && { nodeAgent: agent }),
      konnectivityAgent: verdictOn('konnectivity-agent') ?? notYet,
      // What is wrong on the worker itself says more than what the API server misses.
      nodes:
        isTrue(nodes) || ill === undefined
          ? nodes
          : { ...nodes, message: `${ill.name}: ${verdictOnComponent(ill).message}` },
    };
  }

  stop(): Promise<void> {
    this.#renewal.stop();
    this.#doing = 'it was stopped';
    return this.#mutex(async () => {
      // What was under way may have begun anew.
      this.#renewal.stop();
      this.#watch?.stop();
      this.#watch = undefined;
      await this.#options.driver.remove(this.#scope);
      await release(this.#layout);
    });
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.#layout.root, { recursive: true, force: true });
  }

  async #apply(input: RealWorkerInput): Promise<void> {
    const upstream = directUpstream(input);
    const tools = needTools();
    await needKernel();
    if (!existsSync(namespaceFile(this.#layout.worker))) needInotify();
    this.#say('its programs are being fetched or built');
    const programs = await getPrograms(input.kubernetesVersion, this.#options.programs);
    this.#say('its network is being made');
    const layout = this.#layout;
    const addresses = await prepare(layout, input, this.#options.log);
    const secrets = await this.#secrets(input);
    const parts = { layout, input, secrets, tools, programs, addresses };
    const specs = [containerd, kubelet, kubeProxy, konnectivityAgent].map((specOf) => specOf(parts));
    this.#options.driver.apply(this.#scope, [...specs, ...nodeAgent(parts)]);
    this.#say(undefined);
    this.#watch ??= this.#watchNode(upstream);
  }

  #say(doing: string | undefined): void {
    this.#doing = doing;
    this.#options.changed?.();
  }

  async #secrets(input: RealWorkerInput): Promise<Secrets> {
    const given = await input.credentials();
    const tunnel = await input.tunnelToken(realNodeName(input.cluster), tunnelTokenMs);
    const ends = Math.min(given.expiresAt, tunnel.expiresAt);
    this.#renewal.before(ends, () => this.reconcile(input));
    const gatewayCa = readFileSync(input.gateway.authorityFile, 'utf8');
    return { ...given, gatewayCa, tunnelToken: tunnel.token };
  }

  #watchNode(upstream: Upstream): NodeWatch {
    const { cluster, log, changed = () => {} } = this.#options;
    const { root } = this.#layout;
    const files = { caFile: clusterCaFile(root), tokenFile: kubeProxyTokenFile(root) };
    return watchNode({ node: realNodeName(cluster), upstream, ...files, log, changed });
  }
}

/** The names of a real worker resolve to the gateway itself, so it has to be within reach. */
function directUpstream(input: RealWorkerInput): Upstream {
  const { apiServer: upstream } = upstreamsOf(input, undefined);
  if (input.reachability.kubelet.by === 'direct') return upstream;
  throw new CausewayError(
    'CW-REAL-WAY',
    `workers of ${input.cluster} do not reach the gateway directly: ${input.reachability.kubelet.reason}`,
    'have the real worker in a cluster whose workers need no proxy',
  );
}

// Has something done again before it ends: with a third of its time left for whatever may go wrong, and soon again when
// something did. The clock is looked at often, because one long timer would sleep as long as the machine does.

const checkMs = 1_000;
/** After an attempt that failed. */
const retryMs = 10_000;

export class Renewal {
  readonly #log: Log;
  readonly #now: () => number;
  #dueAt = Number.POSITIVE_INFINITY;
  #renew: () => Promise<void> = async () => {};
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Log, now: () => number = Date.now) {
    this.#log = log;
    this.#now = now;
  }

  before(ends: number, renew: () => Promise<void>): void {
    const now = this.#now();
    this.#dueAt = now + ((ends - now) * 2) / 3;
    this.#renew = renew;
    this.#timer ??= setInterval(() => void this.look(), checkMs).unref();
  }

  async look(): Promise<void> {
    if (this.#now() < this.#dueAt) return;
    this.#dueAt = this.#now() + retryMs;
    await this.#renew().catch((error: Error) => this.#log.warn(error.message));
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#dueAt = Number.POSITIVE_INFINITY;
  }
}
