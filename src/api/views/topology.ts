// The platform as a graph. Of few clusters each is a node; of many each datacenter is one.
import { getOrAdd } from '../../core/collections.ts';
import { memo, memoLast } from '../../core/memo.ts';
import { portRanges } from '../../core/port-ranges.ts';
import type { Model } from '../../model/schema/index.ts';
import type { Plan } from '../../plan/schema/index.ts';
import type { ClusterStatus, Hop, PlatformView } from '../../platform/index.ts';
import type { HopRow, Topology, TopologyNode } from '../schema/topology.ts';
import { aggregated } from './aggregate.ts';
import { hopsOfCluster, statusByName } from './clusters.ts';
import { flowRowOf, openedBy } from './network.ts';

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

// Nodes of the topology, by the ids that hops use.

export const seedNode = (seed: string): TopologyNode => ({ id: `seed/${seed}`, kind: 'seed', title: seed });

export function nodeOf(view: PlatformView, id: string, hops: readonly Hop[]): TopologyNode {
  const slash = id.indexOf('/');
  const [kind, name] = slash < 0 ? [id, ''] : [id.slice(0, slash), id.slice(slash + 1)];
  if (kind === 'cluster') return clusterNode(view, name);
  if (kind === 'workers') return workersNode(view, name, hops);
  if (kind === 'gateway') return gatewayNode(name, hops);
  if (kind === 'proxy') return { id, kind, title: 'Proxy', subtitle: name, ...healthOf(hopsFrom(hops).get(id)) };
  return { id, kind: 'users', title: 'Users' };
}

export const gatewayNode = (seed: string, hops: readonly Hop[]): TopologyNode => ({
  id: `gateway/${seed}`,
  kind: 'gateway',
  title: 'Gateway',
  subtitle: seed,
  parent: `seed/${seed}`,
  ...healthOf(hops.filter(({ id }) => id === `gateway/${seed}`)),
});

function clusterNode(view: PlatformView, name: string): TopologyNode {
  const status = statusByName(view.clusters).get(name);
  const endpoint = view.plan?.endpoints[name];
  return {
    id: `cluster/${name}`,
    kind: 'cluster',
    title: name,
    cluster: name,
    ...(status === undefined ? {} : { subtitle: `${status.strategy}, ${status.version}`, ...healthOfPhase(status) }),
    ...(endpoint === undefined ? {} : { parent: `seed/${endpoint.seed}`, datacenter: endpoint.datacenter }),
  };
}

function workersNode(view: PlatformView, name: string, hops: readonly Hop[]): TopologyNode {
  const nodes = statusByName(view.clusters).get(name)?.nodes;
  const datacenter = view.plan?.endpoints[name]?.datacenter;
  return {
    id: `workers/${name}`,
    kind: 'workers',
    title: `Workers of ${name}`,
    cluster: name,
    ...(nodes === undefined ? {} : { subtitle: `${nodes.ready} of ${nodes.total} nodes ready` }),
    ...(datacenter === undefined ? {} : { datacenter }),
    ...healthOf(hopsFrom(hops).get(`workers/${name}`)),
  };
}

const hopsFrom = memo((hops: readonly Hop[]) => {
  const from = new Map<string, Hop[]>();
  for (const hop of hops) getOrAdd(from, hop.from, () => []).push(hop);
  return from;
});

type NodeHealth = Pick<TopologyNode, 'healthy' | 'starting'>;

const healthOfPhase = ({ phase, ready }: ClusterStatus): NodeHealth =>
  phase === 'starting' ? { starting: true } : { healthy: ready };

type HopHealth = Pick<Hop, 'starting'> & { readonly healthy?: boolean | undefined };

/** Broken when one of them is; else starting when one of them is; unknown while all are. */
export function healthOf(hops: readonly HopHealth[] = []): NodeHealth {
  const known = hops.filter(({ healthy }) => healthy !== undefined);
  if (known.some(({ healthy }) => healthy === false)) return { healthy: false };
  if (hops.some(({ starting }) => starting)) return { starting: true };
  return known.length === 0 ? {} : { healthy: true };
}

/** The same of clusters. */
export const healthOfMany = (clusters: readonly ClusterStatus[]): NodeHealth =>
  clusters.some(({ phase }) => phase === 'failing')
    ? { healthy: false }
    : clusters.some(({ phase }) => phase === 'starting')
      ? { starting: true }
      : { healthy: true };

// Hops as the API shows them: with the flows of the plan that allow them.

interface Planned {
  readonly plan: Plan | undefined;
  readonly model: Model | undefined;
}

export const hopRowOf = ({ plan, model }: Planned, hop: Hop): HopRow => ({
  ...hop,
  ports: portRanges(hop.ports),
  flows: plan === undefined ? [] : hop.flows.map((flow) => ({ ...flowRowOf(plan, flow), ...openedBy(model) })),
});
