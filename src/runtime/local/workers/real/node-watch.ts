// Whether the node is Ready, as the API server sees it: asked over the gateway, with what kube-proxy may ask.
import { isReadyNode, type NodeObject, trimNode } from '../../../../control-plane/index.ts';
import { Reflector, Store } from '../../../../kube/index.ts';
import { type Verdict, verdictFalse, verdictOf, verdictTrue } from '../../../../reconcile/index.ts';
import type { Log } from '../../../../sys/log.ts';
import type { WorkersView } from '../../../platform-runtime.ts';
import { type Upstream, workerClient, workerTiming } from '../upstreams.ts';

export interface NodeWatchOptions {
  readonly node: string;
  readonly upstream: Upstream;
  readonly caFile: string;
  readonly tokenFile: string;
  readonly log: Log;
  changed(): void;
}

export interface NodeWatch {
  look(): WorkersView['nodes'];
  stop(): void;
}

export function watchNode({ node, upstream, caFile, tokenFile, log, changed }: NodeWatchOptions): NodeWatch {
  const controller = new AbortController();
  let seen = nodeSeen(node, []);
  const see = (view: WorkersView['nodes']): void => {
    seen = view;
    changed();
  };
  const failed = (error: Error): void => see(notReady(verdictOf(error)));
  const store = new Store<NodeObject>({ handlerFailed: failed });
  const look = (): void => see(nodeSeen(node, store.list()));
  store.handle({ changed: look });
  const client = workerClient({ upstream, trust: { ca: caFile }, tokenFile, log });
  const path = `/api/v1/nodes?fieldSelector=${encodeURIComponent(`metadata.name=${node}`)}`;
  const options = { client, path, store, transform: trimNode, failed, recovered: look, timing: workerTiming };
  void new Reflector<NodeObject>(options).run(controller.signal);
  return { look: () => seen, stop: () => controller.abort() };
}

/** Of the nodes that have its name. */
export function nodeSeen(node: string, [found]: readonly NodeObject[]): WorkersView['nodes'] {
  if (found === undefined) return notReady(verdictFalse('NodeMissing', `the API server has no node ${node}`));
  return isReadyNode(found) ? ready : notReady(verdictFalse('NodeNotReady', `node ${node} is not Ready`));
}

const ready: WorkersView['nodes'] = { ...verdictTrue('NodesReady'), ready: 1, total: 1 };

const notReady = (verdict: Verdict): WorkersView['nodes'] => ({ ...verdict, ready: 0, total: 1 });
