// What a kubelet does besides running containers: it registers its nodes, knows their pods, and shows their logs.
import { readFileSync } from 'node:fs';
import { trustOf } from '../../agent/trust.ts';
import { sameJson } from '../../gateway/snapshot/same-json.ts';
import { follow } from '../../kube/follow.ts';
import type { Log } from '../../net/log.ts';
import { parseProxyUrl } from '../../net/proxy-dial/proxy-url.ts';
import type { Route } from '../../net/proxy-dial/route.ts';
import { createAuthority, issueServer, validFor } from '../../pki/certificates.ts';
import { DemoNodes } from '../demo-nodes.ts';
import { type NodeClient, nodeClient } from '../node-client.ts';
import type { Way } from '../ways.ts';
import type { NodeCredentials, WorkersView } from '../worker-input.ts';
import type { WorkerPlace } from '../worker-place.ts';
import { type KubeletDoor, openKubeletDoor } from './kubelet-door.ts';
import { type Pod, PodLogs } from './pod-logs.ts';

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
    keepLogs(client, logs, nodes, over.signal);
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

  #client({ way, place }: KubeletTold, withToken: boolean): NodeClient {
    const { ca, cert, key, token } = place.files;
    const certificate = withToken ? {} : { certificate: { certFile: cert, keyFile: key } };
    const trusting = trustOf({ ca, ...certificate }, { log: this.#log });
    const { proxy } = way;
    const route: Route = {
      gateway: way.dial,
      tls: { serverName: way.serverName, alpn: ['http/1.1'], trusting },
      ...(proxy === undefined
        ? {}
        : {
            proxy: () => ({
              ...parseProxyUrl(proxy.url),
              ...(proxy.credentials && { credentials: proxy.credentials }),
            }),
          }),
    };
    return nodeClient({ route, ...(withToken ? { token: () => readFileSync(token, 'utf8').trim() } : {}) });
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

function keepLogs(client: NodeClient, logs: PodLogs, nodes: DemoNodes, signal: AbortSignal): void {
  const isHere = ({ spec }: Pod): boolean => nodes.has(spec.nodeName);
  const follower = { changed: (pods: readonly Pod[]) => logs.keep(pods.filter(isHere)), failed: () => {} };
  void follow<Pod>(client, '/api/v1/pods', follower, signal);
}
