// Whether the node is Ready, as the API server sees it: asked over the gateway, with what kube-proxy may ask.
import { readFileSync } from 'node:fs';
import { trustOf } from '../../agent/trust.ts';
import { isReadyNode, type NodeObject } from '../../control-plane/cluster-nodes.ts';
import { CausewayError } from '../../core/errors.ts';
import { follow } from '../../kube/follow.ts';
import type { Log } from '../../net/log.ts';
import { nodeClient } from '../node-client.ts';
import type { Way } from '../ways.ts';
import type { WorkersView } from '../worker-input.ts';

export interface NodeWatchOptions {
  readonly node: string;
  readonly way: Way;
  readonly caFile: string;
  readonly tokenFile: string;
  readonly log: Log;
  changed(): void;
}

export interface NodeWatch {
  look(): WorkersView['nodes'];
  stop(): void;
}

export function watchNode({ node, way, caFile, tokenFile, log, changed }: NodeWatchOptions): NodeWatch {
  const over = new AbortController();
  let seen = nodeSeen(node, []);
  const see = (view: WorkersView['nodes']): void => {
    seen = view;
    changed();
  };
  const trusting = trustOf({ ca: caFile }, { log });
  const route = { gateway: way.dial, tls: { serverName: way.serverName, alpn: ['http/1.1'], trusting } };
  const client = nodeClient({ route, token: () => readFileSync(tokenFile, 'utf8').trim() });
  const follower = {
    changed: (nodes: readonly NodeObject[]) => see(nodeSeen(node, nodes)),
    failed: (error: Error) => see(notReady(error)),
  };
  const selector = encodeURIComponent(`metadata.name=${node}`);
  void follow<NodeObject>(client, `/api/v1/nodes?fieldSelector=${selector}`, follower, over.signal);
  return { look: () => seen, stop: () => over.abort() };
}

/** Of the nodes that have its name. */
export function nodeSeen(node: string, [found]: readonly NodeObject[]): WorkersView['nodes'] {
  if (found === undefined) return notReady(new Error(`the API server has no node ${node}`));
  return isReadyNode(found) ? ready : notReady(new Error(`node ${node} is not Ready`));
}

const ready: WorkersView['nodes'] = { healthy: true, ready: 1, total: 1 };

const notReady = (error: Error): WorkersView['nodes'] => ({
  ...{ healthy: false, ready: 0, total: 1, why: error.message },
  ...(error instanceof CausewayError ? { fix: error.fix } : {}),
});
