// What requirements about clusters are about. All lists come from one pass over the clusters, however many there are.

import type { Strategy } from '../../model/schema/index.ts';
import { memo, memoInside } from '../cache.ts';
import type { ClusterContext } from '../context.ts';
import { endpointOf } from '../endpoints.ts';
import { listPerCluster } from '../per-cluster.ts';
import { workersPlaceOf } from '../places/worker-networks.ts';
import { pendingTarget, reachabilityOf } from '../proxy/reachability.ts';
import type { Reachability } from '../schema/index.ts';
import type { Effective } from '../settings/effective.ts';
import { type List, once, type Sources } from './sources.ts';

interface Targets {
  readonly names: string[];
  readonly resources: string[];
  /** As users and the platform dial the API server. */
  readonly apis: string[];
  /** As kubelets dial the API server; a worker may have another port open than a user. */
  readonly kubeletApis: string[];
  /** Both endpoints, and the tunnel, as workers dial them. */
  readonly dialled: string[];
}
const empty = (): Targets => ({ names: [], resources: [], apis: [], kubeletApis: [], dialled: [] });

interface Collected {
  readonly all: Targets;
  readonly by: Readonly<Record<Strategy, Targets>>;
  /** Names that API servers are found by. */
  readonly named: string[];
  readonly modes: Set<Effective['egressMode']>;
}

const collected = once(({ ctx }): Collected => collect(ctx.cache, toldOf(ctx)));

/** Most changes of a cluster change nothing that is told about it here. */
const collect = memo((told: readonly Told[]): Collected => {
  const found: Collected = {
    all: empty(),
    by: { NodePort: empty(), LoadBalancer: empty(), Tunneling: empty() },
    named: [],
    modes: new Set(),
  };
  const tunnels = new Set<string>();
  for (const one of told) {
    add(found.all, one);
    add(found.by[one.strategy], one);
    found.modes.add(one.mode);
    if (one.strategy !== 'LoadBalancer') found.named.push(one.host);
    if (one.tunnel !== undefined) tunnels.add(one.tunnel);
  }
  // Clusters of a seed share its tunnel, which is named once.
  found.by.Tunneling.dialled.push(...tunnels);
  return found;
});

function add(list: Targets, told: Told): void {
  list.names.push(told.name);
  list.resources.push(told.resource);
  list.apis.push(told.api);
  list.kubeletApis.push(told.apiServer);
  list.dialled.push(told.apiServer, told.konnectivity);
}

interface Told {
  /** Where its workers stand. */
  readonly workers: string;
  readonly mode: Effective['egressMode'];
  readonly name: string;
  readonly resource: string;
  readonly strategy: Strategy;
  readonly host: string;
  readonly api: string;
  readonly apiServer: string;
  readonly konnectivity: string;
  readonly tunnel: string | undefined;
}

const tellOf = memoInside('targets', (c: ClusterContext): Told => {
  const { strategy, kubeconfigServer } = endpointOf(c);
  const { kubelet, konnectivityAgent, nodeAgent } = reachabilityOf(c);
  const resource = `Cluster/${c.name}`;
  const api = kubeconfigServer?.slice('https://'.length) ?? resource;
  return {
    workers: workersPlaceOf(c.datacenter, c.cluster.spec.tenant),
    mode: c.effective.egressMode,
    name: c.name,
    resource,
    strategy,
    host: c.hostName,
    // Mostly workers dial what users dial, which is one text then.
    api: api === kubelet.target ? kubelet.target : api,
    apiServer: shown(kubelet, `${resource} API server`),
    konnectivity: shown(konnectivityAgent, `${resource} konnectivity`),
    tunnel: nodeAgent?.target,
  };
});

export const toldOf = listPerCluster(tellOf);

/** While an address does not exist yet, its cluster stands for it. */
const shown = ({ target }: Reachability['kubelet'], otherwise: string): string =>
  target === pendingTarget ? otherwise : target;

export const modesInUse = (s: Sources): ReadonlySet<Effective['egressMode']> => collected(s).modes;

export const clusters: List = (s) => collected(s).all.names;
export const clusterResources: List = (s) => collected(s).all.resources;
export const clusterApis: List = (s) => collected(s).all.apis;
export const kubeletApis: List = (s) => collected(s).all.kubeletApis;
export const namedApis: List = (s) => collected(s).named;
export const clustersBy =
  (strategy: Strategy): List =>
  (s) =>
    collected(s).by[strategy].names;
export const apisBy =
  (strategy: Strategy): List =>
  (s) =>
    collected(s).by[strategy].apis;
export const workerTargetsBy =
  (strategy: Strategy): List =>
  (s) =>
    collected(s).by[strategy].dialled;
