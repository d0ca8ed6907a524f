// The nodes of one cluster as its API server has them: how many there are, and none of our own that nobody wants any more.
import { type KubeClient, Reflector, Store, type Stored } from '../kube/index.ts';
import type { Log } from '../sys/log.ts';
import type { NodeName } from './node-tokens.ts';
import { kindOfNode, type NodeKind, removeNode } from './own-nodes.ts';

export interface NodeObject extends Stored {
  readonly metadata: Stored['metadata'] & { readonly creationTimestamp?: string };
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
  };
}

export const isReadyNode = ({ status }: NodeObject): boolean =>
  status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

/** What is kept of a node: the rest, images above all, is many times as large. */
export const trimNode = ({ metadata, status }: NodeObject): NodeObject => ({
  metadata,
  status: { conditions: status?.conditions ?? [], addresses: status?.addresses ?? [] },
});

export interface ObservedNodes {
  readonly ready: number;
  /** As many as `kubectl get nodes` shows. */
  readonly total: number;
  /** Names of our own that are about to be removed. */
  readonly leaving: readonly string[];
}

export interface ClusterNodesOptions {
  readonly cluster: string;
  /** With the certificate as it is now. */
  client(): KubeClient;
  readonly log: Log;
  changed(): void;
}

const againMs = 5_000;

export class ClusterNodes {
  readonly #options: ClusterNodesOptions;
  readonly #over = new AbortController();
  #following = false;
  #wanted: NodeKind | 'none' | undefined;
  #nodes: readonly NodeObject[] | undefined;
  #removing: Promise<void> | undefined;
  #again: NodeJS.Timeout | undefined;

  constructor(options: ClusterNodesOptions) {
    this.#options = options;
  }

  /** Own nodes of another kind leave; while no kind is wanted yet, all stay. */
  want(kind: NodeKind | 'none'): void {
    this.#wanted = kind;
    this.#removeUnwanted();
  }

  /** From when the API server answers until `stop`. */
  follow(): void {
    if (this.#following) return;
    this.#following = true;
    const { client, log, cluster } = this.#options;
    const store = new Store<NodeObject>({
      handlerFailed: ({ message }) => log.warn(`nodes could not be taken in: ${message}`, { cluster }),
    });
    const see = (): void => this.#see(store.list());
    store.handle({ changed: see });
    const reflector = new Reflector<NodeObject>({
      client: { get: (...asked) => client().get(...asked), watch: (...asked) => client().watch(...asked) },
      path: '/api/v1/nodes',
      store,
      transform: trimNode,
      failed: () => this.#see(undefined),
      recovered: see,
      timing: { longestPauseMs: 5_000 },
    });
    void reflector.run(this.#over.signal);
  }

  /** Undefined while the API server does not tell. */
  all(): readonly NodeObject[] | undefined {
    return this.#nodes;
  }

  /** Undefined while the API server does not tell. */
  look(): ObservedNodes | undefined {
    const nodes = this.#nodes;
    return nodes && { ready: nodes.filter(isReadyNode).length, total: nodes.length, leaving: this.#unwanted() };
  }

  /** Those that somebody else brought. */
  others(): readonly NodeName[] {
    const { cluster } = this.#options;
    const found = (this.#nodes ?? []).filter((node) => kindOfNode(cluster, node) === undefined);
    return found.map(({ metadata: { name, uid } }) => ({ name, uid: uid ?? '' }));
  }

  async stop(): Promise<void> {
    this.#over.abort();
    clearTimeout(this.#again);
    await this.#removing;
  }

  #see(nodes: readonly NodeObject[] | undefined): void {
    this.#nodes = nodes;
    this.#removeUnwanted();
    this.#options.changed();
  }

  #unwanted(): string[] {
    const [kind, { cluster }] = [this.#wanted, this.#options];
    if (kind === undefined) return [];
    const isUnwanted = (node: NodeObject): boolean => ![undefined, kind].includes(kindOfNode(cluster, node));
    return (this.#nodes ?? []).filter(isUnwanted).map(({ metadata }) => metadata.name);
  }

  #removeUnwanted(): void {
    const names = this.#unwanted();
    if (names.length === 0 || this.#removing !== undefined || this.#over.signal.aborted) return;
    clearTimeout(this.#again);
    this.#removing = this.#remove(names).finally(() => {
      this.#removing = undefined;
    });
  }

  async #remove(names: readonly string[]): Promise<void> {
    const { client, log, cluster } = this.#options;
    try {
      for (const name of names) {
        await removeNode(client(), name);
        log.info(`node ${name} was removed: ${cluster} has other workers now`, { cluster });
      }
    } catch (error) {
      log.warn(`nodes that are not wanted any more cannot be removed yet: ${(error as Error).message}`, { cluster });
    }
    if (!this.#over.signal.aborted) this.#again = setTimeout(() => this.#removeUnwanted(), againMs).unref();
  }
}
