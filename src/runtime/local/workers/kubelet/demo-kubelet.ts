// What a kubelet does besides running containers: it registers its nodes, knows their pods, and shows their logs.
import { sameJson } from '../../../../core/same-json.ts';
import { type KubeClient, Reflector, Store } from '../../../../kube/index.ts';
import { createAuthority, issueServer, validFor } from '../../../../pki/index.ts';
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
  readonly controller: AbortController;
}

export class DemoKubelet {
  readonly #log: Log;
  readonly #changed: () => void;
  #config: unknown;
  #running: Running | undefined;

  constructor(log: Log, changed: () => void) {
    this.#log = log;
    this.#changed = changed;
  }

  async apply(config: KubeletConfig, { ca, user }: NodeCredentials): Promise<void> {
    const { nodes: count, ...rest } = config;
    const all = { ...rest, ca };
    if (sameJson(all, this.#config)) return this.#running?.nodes.want(count);
    await this.stop();
    const { cluster, layout } = rest;
    const logs = new PodLogs(layout.files.podLogs);
    const server = await openServer(config, ca, logs);
    const controller = new AbortController();
    const client = this.#client(config, 'token' in user);
    const nodes = new DemoNodes(cluster, client, this.#changed);
    nodes.keep(count, controller.signal);
    this.#keepLogs(client, logs, nodes, controller.signal);
    this.#running = { nodes, server, controller };
    this.#config = all;
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

const certificateDays = 3650;

/** Signed by itself, as a kubelet's is; made anew at each start, and nobody looks at its end. */
async function openServer({ cluster, layout }: KubeletConfig, ca: string, logs: PodLogs): Promise<KubeletServer> {
  const validity = validFor(new Date(), certificateDays);
  const authority = await createAuthority(`kubelets of ${cluster}`, validity);
  const own = await issueServer(authority, [layout.address], validity);
  return openKubeletServer({ address: layout.address, port: layout.ports.kubelet, ca, own, logs });
}
