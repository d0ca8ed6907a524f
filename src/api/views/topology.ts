// The platform as a graph. Of few clusters each is a node; of many each datacenter is one.
import { memoLast } from '../../core/memo.ts';
import type { Hop, PlatformView } from '../../platform/view.ts';
import type { Topology, TopologyNode } from '../schema/topology.ts';
import { aggregated } from './aggregate.ts';
import { hopsOfCluster } from './clusters.ts';
import { hopRowOf } from './edges.ts';
import { nodeOf, seedNode } from './nodes.ts';

/** More clusters than this are shown per datacenter: a picture of more cannot be read. */
const mostClusters = 24;

const remembered = memoLast<PlatformView['hops'], Topology>();

export const topologyOf = (view: PlatformView, most = mostClusters): Topology =>
  remembered(view.hops, [view.clusters, view.plan, view.model, most], () => {
    if (view.clusters.length > most) return aggregated(view);
    const names = view.clusters.map(({ name }) => name);
    return graphOf(view, names, view.hops);
  });

export const topologyOfCluster = (view: PlatformView, cluster: string): Topology =>
  graphOf(view, [cluster], hopsOfCluster(view, cluster));

function graphOf(view: PlatformView, clusters: readonly string[], hops: readonly Hop[]): Topology {
  const seeds = clusters.flatMap((name) => view.plan?.endpoints[name]?.seed ?? []);
  const ids = ['users', ...clusters.map((name) => `cluster/${name}`), ...hops.flatMap(({ from, to }) => [from, to])];
  const nodes: TopologyNode[] = [
    ...[...new Set(seeds)].map(seedNode),
    ...[...new Set(ids)].map((id) => nodeOf(view, id, hops)),
  ];
  return { nodes, edges: hops.map((hop) => hopRowOf(view, hop)), aggregated: false };
}
