// What a kubelet does besides running containers: it registers its nodes, knows their pods, and shows their logs.
import { sameJson } from '../../../../core/same-json.ts';
import { type KubeClient, Reflector, Store } from '../../../../kube/index.ts';
import type { Log } from '../../../../net/log.ts';
import { createAuthority, issueServer, validFor } from '../../../../pki/certificates.ts';
import { DemoNodes } from '../demo-nodes.ts';
import { type Way, workerClient, workerTiming } from '../upstreams.ts';
import type { NodeCredentials, WorkersView } from '../worker-input.ts';
import type { WorkerPlace } from '../worker-layout.ts';
import { type KubeletDoor, openKubeletDoor } from './kubelet-server.ts';
import { type Pod, PodLogs, trimPod } from './pod-logs.ts';

export interface KubeletTold {
  readonly cluster: string;
  readonly nodes: number;
  readonly way: Way;
  readonly place: WorkerPlace;
}

interface Running {
  readonly nodes: DemoNodes;
  readonly door: KubeletDoor;
  readonly over: AbortController;
}

export class DemoKubelet {
  readonly #log: Log;
  readonly #changed: () => void;
  #told: unknown;
  #running: Running | undefined;

  constructor(log: Log, changed: () => void) {
    this.#log = log;
    this.#changed = changed;
  }

  async bring(told: KubeletTold, { ca, user }: NodeCredentials): Promise<void> {
    const { nodes: count, ...rest } = told;
    const all = { ...rest, ca };
    if (sameJson(all, this.#told)) return this.#running?.nodes.want(count);
    await this.stop();
    const { cluster, place } = rest;
    const logs = new PodLogs(place.files.podLogs);
    const door = await openDoor(told, ca, logs);
    const over = new AbortController();
    const client = this.#client(told, 'token' in user);
    const nodes = new DemoNodes(cluster, client, this.#changed);
    nodes.keep(count, over.signal);
    this.#keepLogs(client, logs, nodes, over.signal);
    this.#running = { nodes, door, over };
    this.#told = all;
  }

  look(): WorkersView['nodes'] | undefined {
    return this.#running?.nodes.look();
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    this.#told = undefined;
    running?.over.abort();
    await running?.door.close();
  }

  #client({ way, place }: KubeletTold, withToken: boolean): KubeClient {
    const { ca, cert, key, token } = place.files;
    const log = this.#log;
    if (withToken) return workerClient({ way, trust: { ca }, tokenFile: token, log });
    return workerClient({ way, trust: { ca, certificate: { certFile: cert, keyFile: key } }, log });
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

const doorDays = 3650;

/** Signed by itself, as a kubelet's is; made anew at each start, and nobody looks at its end. */
async function openDoor({ cluster, place }: KubeletTold, ca: string, logs: PodLogs): Promise<KubeletDoor> {
  const validity = validFor(new Date(), doorDays);
  const authority = await createAuthority(`kubelets of ${cluster}`, validity);
  const own = await issueServer(authority, [place.address], validity);
  return openKubeletDoor({ address: place.address, port: place.ports.kubelet, ca, own, logs });
}
