// What a kubelet does besides running containers: it registers its nodes, knows their pods, and shows their logs.
import { sameJson } from '../../../../core/same-json.ts';
import { type KubeClient, Reflector, Store } from '../../../../kube/index.ts';
import type { Issued } from '../../../../pki/index.ts';
import type { Log } from '../../../../sys/log.ts';
import type { NodeCredentials, WorkersView } from '../../../platform-runtime.ts';
import { DemoNodes } from '../demo-nodes.ts';
import { type Upstream, workerClient, workerTiming } from '../upstreams.ts';
import type { WorkerLayout } from '../worker-layout.ts';
import { type KubeletServer, openKubeletServer } from './kubelet-server.ts';
import { type Pod, PodLogs, trimPod } from './pod-logs.ts';

export interface KubeletConfig {
  readonly cluster: string;
  readonly nodes: number;
  readonly upstream: Upstream;
  readonly layout: WorkerLayout;
}

interface Running {
  readonly nodes: DemoNodes;
  readonly server: KubeletServer;
  /** When it is to serve with another certificate (milliseconds). */
  renewAt: number;
  readonly controller: AbortController;
}

/** It is good for a day, and asked for with the credentials of the worker, which are good for an hour. */
const renewMs = 8 * 3_600_000;

/** What it serves with at this address. */
type Issue = (address: string) => Promise<Issued>;

export class DemoKubelet {
  readonly #log: Log;
  readonly #changed: () => void;
  readonly #now: () => number;
  #config: unknown;
  #running: Running | undefined;

  constructor(log: Log, changed: () => void, now: () => number) {
    this.#log = log;
    this.#now = now;
    this.#changed = changed;
  }

  async apply(config: KubeletConfig, { ca, user }: NodeCredentials, issue: Issue): Promise<void> {
    const { nodes: count, ...rest } = config;
    const all = { ...rest, ca };
    if (this.#running !== undefined && sameJson(all, this.#config)) return this.#keep(this.#running, config, issue);
    await this.stop();
    const { cluster, layout } = rest;
    const logs = new PodLogs(layout.files.podLogs);
    const { address, ports } = layout;
    const own = await issue(address);
    const server = await openKubeletServer({ address, port: ports.kubelet, ca, own, logs });
    const controller = new AbortController();
    const client = this.#client(config, 'token' in user);
    const nodes = new DemoNodes(cluster, client, this.#changed);
    nodes.keep(count, controller.signal);
    this.#keepLogs(client, logs, nodes, controller.signal);
    this.#running = { nodes, server, controller, renewAt: this.#now() + renewMs };
    this.#config = all;
  }

  async #keep(running: Running, { nodes, layout }: KubeletConfig, issue: Issue): Promise<void> {
    running.nodes.want(nodes);
    if (this.#now() < running.renewAt) return;
    running.server.serveWith(await issue(layout.address));
    running.renewAt = this.#now() + renewMs;
  }

  look(): WorkersView['nodes'] | undefined {
    return this.#running?.nodes.look();
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    this.#config = undefined;
    running?.controller.abort();
    await running?.server.close();
  }

  #client({ upstream, layout }: KubeletConfig, withToken: boolean): KubeClient {
    const { ca, cert, key, token } = layout.files;
    const log = this.#log;
    if (withToken) return workerClient({ upstream, trust: { ca }, tokenFile: token, log });
    return workerClient({ upstream, trust: { ca, certificate: { certFile: cert, keyFile: key } }, log });
  }

  /** What the nodes meet on the way to the API server is told by them. */
  #keepLogs(client: KubeClient, logs: PodLogs, nodes: DemoNodes, signal: AbortSignal): void {
    const store = new Store<Pod>({
      handlerFailed: ({ message }) => this.#log.warn(`logs of pods cannot be kept: ${message}`),
    });
    store.handle({ changed: () => logs.keep(store.list().filter(({ spec }) => nodes.has(spec.nodeName))) });
    const options = { client, path: '/api/v1/pods', store, transform: trimPod, timing: workerTiming };
    void new Reflector<Pod>(options).run(signal);
  }
}
