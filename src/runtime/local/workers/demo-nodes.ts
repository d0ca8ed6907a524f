// The nodes themselves: a kubelet registers its own, these are registered here. Those that are not wanted any more leave.
import {
  demoNodeName,
  isReadyNode,
  kindOfNode,
  type NodeObject,
  removeNode,
  trimNode,
} from '../../../control-plane/index.ts';
import { type KubeClient, KubeError, Reflector, Store } from '../../../kube/index.ts';
import { type Verdict, verdictFalse, verdictOf, verdictStarting, verdictTrue } from '../../../reconcile/index.ts';
import type { WorkersView } from '../../platform-runtime.ts';
import { demoLabel } from './kwok.ts';
import { workerTiming } from './upstreams.ts';

/** After a node could not be registered or removed. */
const retryMs = 5_000;

const selector = encodeURIComponent(Object.entries(demoLabel).flat().join('='));

export class DemoNodes {
  readonly #cluster: string;
  readonly #client: KubeClient;
  readonly #changed: () => void;
  #count = 0;
  #ready = 0;
  #known: readonly NodeObject[] = [];
  #problem: Verdict | undefined = verdictStarting('the nodes are being registered');
  #work: Promise<void> = Promise.resolve();
  #again: NodeJS.Timeout | undefined;
  #over: AbortSignal | undefined;

  constructor(cluster: string, client: KubeClient, changed: () => void) {
    this.#cluster = cluster;
    this.#client = client;
    this.#changed = changed;
  }

  /** Until the signal comes. */
  keep(count: number, signal: AbortSignal): void {
    this.#count = count;
    this.#over = signal;
    const failed = (error: Error): void => this.#failed(error);
    const store = new Store<NodeObject>({ handlerFailed: failed });
    const take = (): void => this.#take(store.list());
    store.handle({ changed: take });
    const path = `/api/v1/nodes?labelSelector=${selector}`;
    const client = this.#client;
    const options = { client, path, store, transform: trimNode, failed, recovered: take, timing: workerTiming };
    void new Reflector<NodeObject>(options).run(signal);
  }

  /** Another number of them. */
  want(count: number): void {
    this.#count = count;
    if (this.#problem === undefined) this.#take(this.#known);
  }

  /** Whether it is one of these. */
  has(name: string | undefined): boolean {
    return name !== undefined && this.#wanted().has(name);
  }

  look(): WorkersView['nodes'] {
    const [ready, total] = [this.#ready, this.#count];
    return { ...(this.#problem ?? verdictOnNodes(ready, total)), ready, total };
  }

  #wanted(): Set<string> {
    return new Set(Array.from({ length: this.#count }, (_, index) => demoNodeName(this.#cluster, index + 1)));
  }

  #take(labelled: readonly NodeObject[]): void {
    const nodes = labelled.filter((node) => kindOfNode(this.#cluster, node) === 'demo');
    this.#known = nodes;
    this.#ready = nodes.filter(isReadyNode).length;
    this.#problem = undefined;
    const present = new Set(nodes.map(({ metadata }) => metadata.name));
    const wanted = this.#wanted();
    const missing = [...wanted].filter((name) => !present.has(name));
    const surplus = [...present].filter((name) => !wanted.has(name));
    this.#work = this.#work.then(() => this.#apply(missing, surplus)).catch((error: Error) => this.#tryAgain(error));
    this.#changed();
  }

  /** The API server tells changes only, and there is none. */
  #tryAgain(error: Error): void {
    this.#failed(error);
    const problem = this.#problem;
    clearTimeout(this.#again);
    this.#again = setTimeout(() => {
      if (this.#problem === problem && !this.#over?.aborted) this.#take(this.#known);
    }, retryMs).unref();
  }

  async #apply(missing: readonly string[], surplus: readonly string[]): Promise<void> {
    for (const name of missing) await this.#client.post('/api/v1/nodes', nodeObject(name)).catch(unlessPresent);
    for (const name of surplus) await removeNode(this.#client, name);
  }

  /** Without its way to the API server no node can say that it is alive. */
  #failed(error: Error): void {
    this.#ready = 0;
    this.#problem = verdictOf(error);
    this.#changed();
  }
}

const verdictOnNodes = (ready: number, total: number): Verdict =>
  ready >= total
    ? verdictTrue('NodesReady')
    : verdictFalse('NodesNotReady', `${total - ready} of ${total} nodes are not Ready`);

function unlessPresent(error: Error): void {
  if (!(error instanceof KubeError && error.status === 409)) throw error;
}

const nodeObject = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name,
    labels: {
      ...demoLabel,
      'kubernetes.io/hostname': name,
      'kubernetes.io/os': 'linux',
      'kubernetes.io/arch': process.arch === 'arm64' ? 'arm64' : 'amd64',
    },
  },
});
